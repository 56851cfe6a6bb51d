package io.ringflow.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.network.Made;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Trains one small layer a seed, and counts the steps. */
public final class StepCountingExperiment implements Experiment {
  private static final int[][] ROWS = {{0, 1, 2}, {2, 2, 1}, {0, 1, 2}, {1, 0, 0}};

  public final Map<Long, Integer> steps = new ConcurrentHashMap<>(); // by seed
  public volatile During during = (seed, step) -> {};
  public Runnable beforeOutcome = () -> {};
  public double rate = 0.01;
  private final String name;

  /** Called before each training step. */
  @FunctionalInterface
  public interface During {
    void step(long seed, long step);
  }

  public StepCountingExperiment() {
    this("toy");
  }

  public StepCountingExperiment(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return "A toy";
  }

  @Override
  public int defaultSeeds() {
    return 3;
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    Architecture base = Architecture.of(Space.uniform(3, 3), new FactorizedBase());
    Architecture flow = base.with(new Bipartite(Mask.even(3), new Made(8, 1), new Shift()));
    TrainingOptions options =
        TrainingOptions.builder(120).learningRate(rate).logEvery(20).checkpointEvery(60).build();
    return List.of(
        trial("base", seed, base, null),
        trial("layer", seed, flow, new Trial.Training(options, counted(seed))));
  }

  private static Trial trial(
      String model, long seed, Architecture architecture, Trial.Training training) {
    return new Trial(
        "D=3, K=3",
        model,
        seed,
        architecture,
        training,
        () -> Batch.of(Arrays.copyOf(ROWS, seed == 1 ? 4 : seed == 2 ? 3 : 2)),
        trained ->
            List.of(
                new Trial.Measure(
                    "nll", "nats", -Arrays.stream(trained.logProb(ROWS)).sum(), null, null, null)));
  }

  private Batches counted(long seed) {
    Batches rows = Batches.shuffled(ROWS, 2, seed);
    return new Batches() {
      @Override
      public Batch batch(long step) {
        during.step(seed, step);
        steps.merge(seed, 1, Integer::sum);
        return rows.batch(step);
      }

      @Override
      public String description() {
        return rows.description();
      }
    };
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    beforeOutcome.run();
    for (Finished one : finished) {
      try (var model = one.load(settings)) {
        assertThat(model.architecture()).isEqualTo(one.trial().architecture());
      }
      assertThat(one.curve() == null).isEqualTo(one.trial().training() == null);
    }
    return new Outcome(
        Finished.results(finished), List.of(), List.of(), List.of(), List.of(), List.of());
  }
}
