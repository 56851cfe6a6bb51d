package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.ProcessGroupException;
import io.ringflow.distributed.Ranks;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import io.ringflow.train.TrainingListener.Progress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.bytedeco.pytorch.Scalar;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A team learns what one process would. */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class DistributedTrainingTest {
  private static final Space SPACE = Space.uniform(6, 5);
  private static final int[][] ROWS = Toys.rows(SPACE, 90, 3);
  private static final int[][] HELD_OUT = Toys.rows(SPACE, 31, 4);
  private static final Batches DATA = Batches.shuffled(ROWS, 22, 1);
  private static final long STEPS = 60;
  private static final Mask EVEN = Mask.keep(6, i -> i % 2 == 0);

  private static final Map<String, Architecture> MODELS =
      Map.of(
          "lstm",
          Architecture.of(SPACE, new AutoregressiveBase(Order.natural(6), new Lstm(8, 16, 2))),
          "averaged",
          Architecture.of(SPACE, new AutoregressiveBase(Order.natural(6), new Lstm(8, 16, 1))),
          "transformer",
          Architecture.of(SPACE, new GroupBase(Groups.blocks(6, 3), new Transformer(16, 2, 2, 32))),
          "muon",
          Architecture.of(SPACE, new GroupBase(Groups.blocks(6, 3), new Transformer(16, 1, 2, 32))),
          "straight",
          Architecture.of(SPACE, new FactorizedBase())
              .with(new Autoregressive(Order.natural(6), new Made(16, 1), new ShiftScale()))
              .with(new Bipartite(EVEN, new Made(16, 1), new Shift())),
          "mixture",
          Architecture.of(SPACE, new FactorizedBase())
              .with(new Bipartite(EVEN, new Made(16, 1), new Shift())),
          "sorted",
          Architecture.of(SPACE, new FactorizedBase())
              .with(new Bipartite(EVEN, new Made(16, 1), new Permute())));

  private static TrainingOptions options(String model) {
    TrainingOptions.Builder options =
        TrainingOptions.builder(STEPS)
            .learningRate(0.01)
            .baseLearningRate(0.01)
            .dropout(model.equals("straight") ? 0 : 0.3)
            .hiddenSymbols(model.equals("straight") ? 0 : 0.2)
            .logEvery(1)
            .evaluateEvery(20)
            .checkpointEvery(25);
    return switch (model) {
      case "mixture" -> options.objective(Objective.MIXTURE).baseAveraging(0.05).build();
      case "sorted" ->
          options.objective(Objective.LAYERWISE_CROSS_ENTROPY).baseAveraging(0.05).build();
      case "averaged" -> options.averageWeights(0.95).build();
      case "muon" -> options.muon(0.02).linearDecay().weightDecay(0.05).build();
      default -> options.build();
    };
  }

  /** What came out of a training. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Trained(
      List<Double> losses, List<Double> validation, double[] weights, double[] scores) {}

  private static Trained train(
      String name, ProcessGroup group, Path checkpoints, TrainingListener also) throws Exception {
    List<Double> losses = new ArrayList<>();
    List<Double> validation = new ArrayList<>();
    Architecture architecture = MODELS.get(name);
    try (FlowModel model = FlowModel.create(architecture, 7 + group.rank())) {
      if (architecture.base() instanceof FactorizedBase) {
        // Under a flat base the first gradients of layers are nothing but rounding.
        WarmStart.fitBase(model, ROWS);
      }
      // The others have all start values from rank 0.
      Trainer trainer =
          new Trainer(model, options(name))
              .group(group)
              .validation(HELD_OUT)
              .listener(also)
              .listener(
                  new TrainingListener() {
                    @Override
                    public void progressed(Progress progress) {
                      losses.add(progress.loss());
                    }

                    @Override
                    public void evaluated(Evaluation evaluation) {
                      validation.add(evaluation.loss());
                    }
                  });
      if (checkpoints != null) {
        trainer.checkpoints(checkpoints);
      }
      trainer.train(DATA);
      return new Trained(losses, validation, weights(model), model.logProb(HELD_OUT));
    }
  }

  private static final TrainingListener NOBODY = new TrainingListener() {};

  private static Trained train(String name, ProcessGroup group) throws Exception {
    return train(name, group, null, NOBODY);
  }

  /** The shares are of 22 rows, so that three or four processes have unequal ones. */
  @ParameterizedTest
  @CsvSource({
    "lstm, 2",
    "lstm, 4",
    "averaged, 3",
    "transformer, 2",
    "transformer, 4",
    "muon, 3",
    "straight, 2",
    "straight, 4",
    "mixture, 2",
    "mixture, 3",
    "sorted, 2",
    "sorted, 4"
  })
  void aTeamLearnsWhatOneProcessWould(String name, int size) throws Exception {
    Trained alone = train(name, ProcessGroup.single());
    List<Trained> ranks = Ranks.run(size, group -> train(name, group));
    assertThat(alone.losses).hasSize((int) STEPS);
    assertThat(alone.losses.get((int) STEPS - 1)).isLessThan(alone.losses.get(0) - 0.01);
    Trained first = ranks.get(0);
    assertSame(first.losses, alone.losses, 1e-5);
    assertSame(first.validation, alone.validation, 1e-5);
    // Not weight by weight: where a gradient is nothing but rounding, AdamW makes it a step.
    assertThat(first.scores).containsExactly(alone.scores, within(1e-4));
    for (Trained other : ranks) {
      assertThat(other.weights).containsExactly(first.weights);
    }
    // Rank 0 alone tells.
    assertThat(ranks.subList(1, size)).allMatch(other -> other.losses.isEmpty());
  }

  private static void assertSame(List<Double> found, List<Double> wanted, double tolerance) {
    assertThat(found).hasSameSizeAs(wanted);
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).as("number %d", i).isEqualTo(wanted.get(i), within(tolerance));
    }
  }

  /** More processes than rows: some have nothing to compute, and learn all the same. */
  @Test
  void someMayHaveNoRows() throws Exception {
    Batches few = Batches.shuffled(Arrays.copyOf(ROWS, 3), 3, 1);
    Architecture architecture = MODELS.get("sorted");
    Ranks.Work<double[]> work =
        group -> {
          try (FlowModel model = FlowModel.create(architecture, 7)) {
            new Trainer(model, options("sorted")).group(group).train(few);
            return model.logProb(HELD_OUT);
          }
        };
    double[] alone = work.on(ProcessGroup.single());
    for (double[] rank : Ranks.run(5, work)) {
      assertThat(rank).containsExactly(alone, within(1e-4));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lstm", "averaged"})
  void aTrainingGoesOnWithAnotherNumberOfProcesses(String name, @TempDir Path folder)
      throws Exception {
    Trained undisturbed = train(name, ProcessGroup.single());
    Path checkpoints = folder.resolve("checkpoints");
    TrainingListener stopping =
        new TrainingListener() {
          @Override
          public void progressed(Progress progress) {
            if (progress.step() == 37) {
              throw new IllegalStateException("enough");
            }
          }
        };
    List<Future<Trained>> ends =
        Ranks.ends(4, Duration.ofSeconds(20), group -> train(name, group, checkpoints, stopping));
    assertThatThrownBy(ends.get(0)::get).hasRootCauseMessage("enough");
    for (Future<Trained> other : ends.subList(1, 4)) {
      assertThatThrownBy(other::get)
          .cause()
          .isInstanceOf(ProcessGroupException.class)
          .hasMessageMatching("rank [123] of 4: another process is gone \\(.*\\)");
    }
    List<Trained> resumed = Ranks.run(2, group -> train(name, group, checkpoints, NOBODY));
    assertSame(resumed.get(0).losses, undisturbed.losses.subList(25, (int) STEPS), 1e-5);
    int evaluations = undisturbed.validation.size();
    assertSame(
        resumed.get(0).validation,
        undisturbed.validation.subList(evaluations / 3, evaluations), // the first was before
        1e-5);
    assertThat(resumed.get(0).scores).containsExactly(undisturbed.scores, within(1e-4));
    assertThat(resumed.get(1).weights).containsExactly(resumed.get(0).weights);
  }

  @Test
  void oneWhoStopsStopsAll(@TempDir Path folder) throws Exception {
    Batches interrupting =
        step -> {
          if (step == 12 && Thread.currentThread().getName().endsWith("-thread-2")) {
            Thread.currentThread().interrupt();
          }
          return DATA.batch(step);
        };
    List<TrainingListener.TrainingReport> reports =
        Ranks.run(
            3,
            group -> {
              try (FlowModel model = FlowModel.create(MODELS.get("lstm"), 7)) {
                return new Trainer(model, options("lstm"))
                    .group(group)
                    .checkpoints(folder.resolve("checkpoints"))
                    .train(interrupting);
              }
            });
    assertThat(reports)
        .allMatch(report -> report.reason() == TrainingListener.StopReason.INTERRUPTED)
        .allMatch(report -> report.steps() == 14);
    assertThat(folder.resolve("checkpoints")).isNotEmptyDirectory();
  }

  /** Each has a clock of its own, and the schedules follow rank 0's. */
  @Test
  void timeIsUpForAllAtOnce() throws Exception {
    TrainingOptions timed =
        TrainingOptions.builder(1_000_000)
            .learningRate(0.01)
            .timeBudget(Duration.ofMillis(400))
            .logEvery(1)
            .build();
    List<Trained> ranks =
        Ranks.run(
            3,
            group -> {
              try (FlowModel model = FlowModel.create(MODELS.get("lstm"), 7)) {
                var report = new Trainer(model, timed).group(group).train(DATA);
                assertThat(report.reason()).isEqualTo(TrainingListener.StopReason.TIME_BUDGET);
                return new Trained(
                    List.of((double) report.steps()), List.of(), weights(model), new double[0]);
              }
            });
    for (Trained other : ranks) {
      assertThat(other.losses).isEqualTo(ranks.get(0).losses);
      assertThat(other.weights).containsExactly(ranks.get(0).weights);
    }
  }

  @Test
  void otherDataAreNoticedByAll() throws Exception {
    List<Future<Void>> ends =
        Ranks.ends(
            3,
            Duration.ofSeconds(20),
            group -> {
              int[][] rows = Toys.rows(SPACE, 90, group.rank() == 2 ? 5 : 3);
              try (FlowModel model = FlowModel.create(MODELS.get("lstm"), 7)) {
                new Trainer(model, options("lstm"))
                    .group(group)
                    .train(Batches.shuffled(rows, 22, 1));
                return null;
              }
            });
    assertThat(ends)
        .allSatisfy(
            end ->
                assertThatThrownBy(end::get)
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                        "rank 2 has another set of data than rank 0: all must be"
                            + " started alike"));
  }

  @Test
  void weightsThatDriftApartAreNoticedByAll() throws Exception {
    List<Future<Void>> ends =
        Ranks.ends(
            2,
            Duration.ofSeconds(20),
            group -> {
              try (FlowModel model = FlowModel.create(MODELS.get("lstm"), 7)) {
                Batches drifting =
                    new Batches() {
                      @Override
                      public Batch batch(long step) {
                        if (step == 10 && group.rank() == 1) {
                          try (Scope scope = Scope.inference()) {
                            Models.weights(model)
                                .values()
                                .narrow(0, 3, 1)
                                .mul_(new Scalar(1 + 0x1p-22));
                          }
                        }
                        return DATA.batch(step);
                      }
                    };
                new Trainer(model, options("lstm")).group(group).train(drifting);
                return null;
              }
            });
    assertThat(ends)
        .allSatisfy(
            end ->
                assertThatThrownBy(end::get)
                    .cause()
                    .isInstanceOf(TrainingException.class)
                    .hasMessageStartingWith(
                        "after step 11 the weights of rank 1 are no longer those of rank 0"));
  }

  private static double[] weights(FlowModel model) {
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(Models.weights(model).values());
    }
  }

  @Test
  void weightsAreBroadcastWithoutATraining() throws Exception {
    List<double[]> scores =
        Ranks.run(
            3,
            group -> {
              Architecture architecture = MODELS.get("lstm");
              try (FlowModel model = FlowModel.create(architecture, Device.CPU, 1 + group.rank())) {
                double[] before = model.logProb(HELD_OUT);
                WarmStart.broadcast(model, group);
                double[] after = model.logProb(HELD_OUT);
                assertThat(Arrays.equals(before, after)).isEqualTo(group.isRankZero());
                return after;
              }
            });
    assertThat(scores.get(1)).isEqualTo(scores.get(0));
    assertThat(scores.get(2)).isEqualTo(scores.get(0));
  }
}
