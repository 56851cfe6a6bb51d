package io.ringflow.cli.testing;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.RingOfGaussians;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingOptions;
import java.util.List;
import java.util.stream.IntStream;

/** An experiment that trains next to nothing and reports on it at length. */
public final class PicturesExperiment implements Experiment {
  private static final int STEPS = 200;

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public String title() {
    return "A fake experiment, with <markup> & more";
  }

  @Override
  public int defaultSeeds() {
    return 2;
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    long run = seed - settings.seed();
    double diverged = run == 0 ? Double.NaN : 7;
    return List.of(
        trial("1 layer, location only", training(seed), 6.69 + run * 0.01, 6.9, seed),
        trial("diverged", null, diverged, null, seed));
  }

  private static Trial.Training training(long seed) {
    int[][] rows = {{0, 0}, {0, 0}, {1, 1}};
    return new Trial.Training(
        TrainingOptions.builder(STEPS).build(), Batches.shuffled(rows, 3, seed));
  }

  private static Trial trial(
      String model, Trial.Training training, double value, Double paper, long seed) {
    return new Trial(
        "K=90",
        model,
        seed,
        Architecture.of(Space.uniform(2, 2), new FactorizedBase()),
        training,
        null,
        trained -> List.of(new Trial.Measure("nll", "nats", value, null, 6.31, paper)));
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) {
    double[][] ring = RingOfGaussians.paper().pmf();
    return new Outcome(
        Finished.results(finished),
        List.of(new Outcome.Reference("K=90", "1 layer, location only", 7.341, 6.69, "6.7 to 6.9")),
        List.of(
            new Outcome.Heatmap("ring-data", "Data", "x", "y", ring),
            new Outcome.Heatmap("xor", "XOR & co", "x", "y", new double[][] {{0, 1}, {1, 0}}),
            new Outcome.Heatmap("empty", "Nothing", "x", "y", new double[7][3])),
        List.of(
            new Outcome.LineChart(
                "loss",
                "Loss <while> training",
                "step",
                "nats per row",
                List.of(
                    series("1 layer, seed 1", 0.7),
                    series("1 layer, seed 2", 0.8),
                    series("8 layers, seed 1", 0.5),
                    new Outcome.Series(
                        "diverged", new double[] {0, 1}, new double[] {7, Double.NaN}),
                    new Outcome.Series("nothing", new double[0], new double[0]))),
            new Outcome.LineChart(
                "single",
                "One line",
                "temperature",
                "nll",
                List.of(series("only", 0.3), series("only", 0.2))),
            new Outcome.LineChart("blank", "No line", "step", "nll", List.of())),
        List.of(
            new Outcome.Listing("examples", "Sums & signs", List.of("  12 < 30", "+ 18", "= 30"))),
        List.of("Scores are exact: every cell is scored, none is sampled."));
  }

  private static Outcome.Series series(String name, double height) {
    return new Outcome.Series(
        name,
        IntStream.range(0, STEPS).mapToDouble(i -> i * 50).toArray(),
        IntStream.range(0, STEPS).mapToDouble(i -> 6.31 + height * Math.exp(-i / 40.0)).toArray());
  }
}
