package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Tables, curves and samples of text models. */
final class TextOutcome {
  private static final int SAMPLES = 3;

  private final String name;
  private final TextData data;
  private final Settings settings;
  private final int scored;

  /**
   * The outcome of an experiment.
   *
   * @param scored most rows to look at; 0 for as many as it takes
   */
  TextOutcome(String name, TextData data, Settings settings, int scored) {
    this.name = name;
    this.data = data;
    this.settings = settings;
    this.scored = scored;
  }

  Outcome of(List<Finished> finished, List<Reference> references, List<String> notes)
      throws IOException {
    GameListing games = GameListing.bitsASymbol();
    List<Listing> samples = new ArrayList<>();
    TextData.Rows rows = data.gameRows(scored);
    for (Finished one : finished) {
      if (one.trial().seed() != settings.seed()) {
        continue;
      }
      try (FlowModel model = one.load(settings)) {
        samples.add(sample(one.trial().model(), model));
        games.add(one.trial().model(), model, rows.rows());
      }
    }
    List<Listing> listings = new ArrayList<>();
    listings.add(games.of(name));
    listings.addAll(samples);
    List<LineChart> charts =
        Stream.concat(
                Stream.of(learning(finished)), LayersChart.of(Finished.results(finished)).stream())
            .filter(chart -> !chart.series().isEmpty())
            .toList();
    return new Outcome(Finished.results(finished), references, List.of(), charts, listings, notes);
  }

  private Listing sample(String model, FlowModel trained) {
    List<String> lines =
        Arrays.stream(trained.sample(SAMPLES, settings.seed())).map(data.show()).toList();
    return new Listing(name + "-samples-" + Trial.slug(model), "Samples: " + model, lines);
  }

  /** Bits over minutes, those of a preparation included. */
  private LineChart learning(List<Finished> finished) {
    double bits = 1 / (data.refit().charactersPerRow() * Math.log(2));
    List<Series> lines = new ArrayList<>();
    for (Finished one : finished) {
      Series curve = one.curve();
      if (curve != null && one.trial().seed() == settings.seed() && curve.x().length > 0) {
        lines.add(
            new Series(
                one.trial().model(),
                Arrays.stream(one.seconds()).map(seconds -> seconds / 60).toArray(),
                Arrays.stream(curve.y()).map(nats -> nats * bits).toArray()));
      }
    }
    return new LineChart(
        name + "-learning", "Training loss, first seed", "minutes", "bits per character", lines);
  }
}
