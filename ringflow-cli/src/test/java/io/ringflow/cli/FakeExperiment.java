package io.ringflow.cli;

import io.ringflow.paper.Experiment;
import io.ringflow.paper.Outcome;
import io.ringflow.paper.Result;
import io.ringflow.paper.RingOfGaussians;
import io.ringflow.train.TrainingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** An experiment that trains nothing and reports on it at length. */
final class FakeExperiment implements Experiment {
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
  public Outcome run(Settings settings, Monitor monitor) {
    var results = new ArrayList<Result>();
    for (int run = 0; run < settings.seeds(); run++) {
      long seed = settings.seed() + run;
      train(monitor.training("1 layer, seed " + seed));
      results.add(result("1 layer, location only", 6.69 + run * 0.01, 6.9, seed, settings));
      results.add(result("diverged", run == 0 ? Double.NaN : 7, null, seed, settings));
    }
    double[][] ring = RingOfGaussians.paper().pmf();
    return new Outcome(
        results,
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
        List.of("Scores are exact: every cell is scored, none is sampled."));
  }

  private static Result result(
      String model, double value, Double paper, long seed, Settings settings) {
    return new Result(
        "fake", "K=90", model, "nll", "nats", value, 6.31, paper, seed, 12.5, settings.device());
  }

  private static Outcome.Series series(String name, double height) {
    return new Outcome.Series(
        name,
        IntStream.range(0, STEPS).mapToDouble(i -> i * 50).toArray(),
        IntStream.range(0, STEPS).mapToDouble(i -> 6.31 + height * Math.exp(-i / 40.0)).toArray());
  }

  private static void train(TrainingListener listener) {
    listener.started(0, STEPS);
    for (int step = 50; step <= STEPS; step += 50) {
      listener.progressed(
          new TrainingListener.Progress(
              step, STEPS, 7.0 / step, 1e-3, 0.1, 1, 12_345, step / 10.0));
      listener.evaluated(new TrainingListener.Evaluation(step, 7.1 / step, true));
    }
    listener.finished(
        new TrainingListener.TrainingReport(
            STEPS, 20, 0.035, OptionalDouble.of(0.0355), TrainingListener.StopReason.COMPLETED));
  }
}
