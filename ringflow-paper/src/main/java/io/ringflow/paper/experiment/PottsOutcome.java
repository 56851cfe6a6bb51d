package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Heatmap;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.PaperBelowFloor;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.PottsLattice;
import io.ringflow.train.Batches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Notes, curves, samples and free energies of Potts models. */
final class PottsOutcome {
  private final Function<PottsRow, PottsLattice> lattices;
  private final Settings settings;
  private final PaperExperiment experiment;

  /**
   * The outcome of the experiment.
   *
   * @param lattices solved, for each row
   */
  PottsOutcome(
      PaperExperiment experiment, Function<PottsRow, PottsLattice> lattices, Settings settings) {
    this.experiment = experiment;
    this.lattices = lattices;
    this.settings = settings;
  }

  Outcome of(List<Finished> finished) throws IOException {
    List<Result> results = Finished.results(finished);
    List<LineChart> charts = new ArrayList<>();
    for (PottsRow row : PottsRow.of(settings.effort())) {
      List<Level> levels = List.of(new Level("entropy", lattices.apply(row).entropy()));
      charts.add(experiment.learning(settings, finished, row.setting(), levels));
    }
    return new Outcome(
        results,
        List.of(),
        samples(finished),
        charts,
        List.of(freeEnergies(results)),
        notes(results));
  }

  private static List<String> notes(List<Result> results) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "Energy: periodic edges, and every pair of equal neighbours counted from both ends, p(x) proportional to"
            + " exp(2 J * equal pairs). The paper does not give its convention; of those we tried, this one"
            + " comes nearest to its base column. The floor is the exact entropy of the data.");
    notes.add(
        "Data is sampled exactly, by transfer matrix. The rows named Metropolis are trained and scored on what "
            + PottsExperiment.METROPOLIS_STEPS
            + " single-site proposals leave of a random lattice, the paper's protocol; their floor is the entropy of"
            + " that very distribution, where all states can be listed (3 x 3).");
    notes.add(
        "Results are exact, over all states; where a standard error stands beside one, it is estimated from "
            + PottsExperiment.SAMPLE
            + " fresh lattices.");
    notes.add(
        "The flow's layer has a free location for every state of the first site; all other sites share it. The energy"
            + " stays the same when a constant is added to all sites (mod K); one site is what a layer must see to"
            + " divide that symmetry out, and leaves the base a K-th of the distribution to learn. With more"
            + " neighbours than this one the results were worse: the base then has to undo what the layer did. So they"
            + " were with the last site instead of the first, because the base then meets at its first site what"
            + " it would have come to at its last.");
    notes.add(
        "Base and flow take the same number of steps on the same lattices. The layer learns in the first tenth of them,"
            + " by layer-wise cross-entropy beside its base, and then stands still.");
    notes.add(
        "The paper's network of the base is an LSTM of 32 units. To tell the method from the network, base and flow are"
            + " shown again with a masked perceptron (MADE) of 64 hidden units, in which the states of a site's"
            + " neighbours also add to its logits directly.");
    notes.add("All settings were chosen by looking at seeds 1 to 3.");
    notes.add(
        "Free energy: "
            + PottsExperiment.FREE_ENERGY_SAMPLE
            + " samples of a model give a lower bound of log Z and an estimate by importance sampling; shown is their"
            + " distance from the exact value.");
    PaperBelowFloor.sentence(
            results.stream()
                .filter(r -> !r.setting().endsWith(PottsExperiment.Protocol.METROPOLIS.suffix))
                .toList(),
            PottsExperiment.NLL)
        .ifPresent(notes::add);
    return notes;
  }

  /** The appendix: samples of the data, the base and the flow, side by side. */
  private List<Heatmap> samples(List<Finished> finished) throws IOException {
    List<Heatmap> heatmaps = new ArrayList<>();
    for (PottsRow row : PottsRow.of(settings.effort())) {
      if (row.side() != 4) {
        continue;
      }
      heatmaps.add(
          picture(
              row,
              "data",
              "data",
              lattices.apply(row).sample(LatticeTiles.COUNT, Batches.random(settings.seed(), -3))));
      for (Finished one : finished) {
        Trial trial = one.trial();
        for (PottsModel model : PottsModel.values()) {
          if (trial.seed() == settings.seed()
              && trial.setting().equals(row.setting())
              && trial.model().equals(model.label)) {
            heatmaps.add(picture(row, model.picture(), model.label, samples(one)));
          }
        }
      }
    }
    return heatmaps;
  }

  private int[][] samples(Finished one) throws IOException {
    try (FlowModel model = one.load(settings)) {
      return model.sample(LatticeTiles.COUNT, settings.seed());
    }
  }

  private Heatmap picture(PottsRow row, String name, String title, int[][] sampled) {
    return LatticeTiles.heatmap(
        experiment.name() + "-samples-" + Trial.slug(row.setting()) + "-" + name,
        row.setting() + ": " + title,
        sampled,
        row.side());
  }

  private Listing freeEnergies(List<Result> results) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-28s%-42s%12s%14s%14s",
            "setting", "model", "exact log Z", "lower bound", "estimate"));
    for (PottsRow row : PottsRow.of(settings.effort())) {
      for (PottsModel model : PottsModel.values()) {
        double exact = lattices.apply(row).logPartition();
        lines.add(
            String.format(
                Locale.ROOT,
                "%-28s%-42s%12.4f%14.4f%14.4f",
                row.setting(),
                model.label,
                exact,
                exact - mean(results, row, model, PottsExperiment.BOUND),
                exact + mean(results, row, model, PottsExperiment.ESTIMATE)));
      }
    }
    return new Listing(
        experiment.name() + "-free-energy",
        "log Z of the lattice, and what the models say (mean over seeds)",
        lines);
  }

  private static double mean(List<Result> results, PottsRow row, PottsModel model, String metric) {
    return results.stream()
        .filter(
            r ->
                r.setting().equals(row.setting())
                    && r.model().equals(model.label)
                    && r.metric().equals(metric))
        .mapToDouble(Result::value)
        .average()
        .orElse(Double.NaN);
  }
}
