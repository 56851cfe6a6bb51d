package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tables, curves and samples of text models. */
final class TextOutcome {
  private static final int GAME_ROWS = 1024;
  private static final int SAMPLES = 3;
  private static final Pattern LAYERS = Pattern.compile("(\\d+) layers?(,? .*)?");

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
    List<GuessingGame> predictors = new ArrayList<>();
    TextData.Rows rows =
        data.validation().some(scored == 0 ? GAME_ROWS : Math.min(scored, GAME_ROWS));
    for (Finished one : finished) {
      if (one.trial().seed() != settings.seed()) {
        continue;
      }
      try (FlowModel model = one.load(settings)) {
        samples.add(sample(one.trial().model(), model));
        List<GuessingGame> played = games.add(one.trial().model(), model, rows.rows());
        if (one.trial().architecture().layers().isEmpty()) {
          predictors.addAll(played);
        }
      }
    }
    List<Listing> listings = new ArrayList<>();
    listings.add(games.of(name));
    listings.addAll(samples);
    List<LineChart> charts =
        Stream.of(learning(finished), byLayers(finished, limits(predictors)))
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

  /** What layers could make of the predictions of the best model without any. */
  private static List<Level> limits(List<GuessingGame> predictors) {
    return predictors.stream()
        .min(Comparator.comparingDouble(GuessingGame::logLoss))
        .map(
            best ->
                List.of(
                    new Level("shifts by an autoregressive model", best.shifts()),
                    new Level("location and scale by it", best.scaled()),
                    new Level("its log-loss", best.logLoss())))
        .orElse(List.of());
  }

  /** The paper's chart: bits per character against the number of layers, and the paper's own. */
  private LineChart byLayers(List<Finished> finished, List<Level> limits) {
    Map<String, TreeMap<Double, Double>> lines = new TreeMap<>();
    for (Result result : Finished.results(finished)) {
      Matcher layers = LAYERS.matcher(result.model());
      if (result.metric().equals("bpc") && layers.matches()) {
        String kind = layers.group(2) == null ? "layers" : layers.group(2).replaceAll("^,? ", "");
        Double count = Double.valueOf(layers.group(1));
        point(lines, kind, count, result.value());
        if (result.paper() != null) {
          point(lines, kind.replaceFirst(",.*", "") + ", the paper", count, result.paper());
        }
      }
    }
    List<Series> series = new ArrayList<>();
    lines.forEach(
        (kind, points) ->
            series.add(
                new Series(
                    kind,
                    points.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
                    points.values().stream().mapToDouble(Double::doubleValue).toArray())));
    return new LineChart(
        name + "-layers",
        "Test bits per character and layers",
        "layers",
        "bits per character",
        series,
        limits);
  }

  private static void point(
      Map<String, TreeMap<Double, Double>> lines, String line, Double x, double y) {
    lines.computeIfAbsent(line, key -> new TreeMap<>()).merge(x, y, Math::min);
  }
}
