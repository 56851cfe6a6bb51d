package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Ranks;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.NgramMixture;
import io.ringflow.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Models that count before they train: what was counted stays, is one's own, and is left out. */
@ExtendWith(LeakCheck.class)
final class CountedTrainingTest {
  private static final Space SPACE = Space.uniform(6, 4);
  private static final Architecture MODEL =
      Architecture.of(
          SPACE,
          new AutoregressiveBase(Order.natural(6), new NgramMixture(new Lstm(4, 6, 1), 3, 500)));
  private static final int[][] ROWS = noise(1);
  private static final int[][] OTHERS = noise(2);
  private static final Batches DATA = Batches.shuffled(ROWS, 12, 3);

  @TempDir Path folder;

  private static int[][] noise(long seed) {
    var random = new SplittableRandom(seed);
    int[][] rows = new int[60][];
    Arrays.setAll(rows, i -> random.ints(6, 0, 4).toArray());
    return rows;
  }

  private static FlowModel counted(int[][] rows) {
    FlowModel model = FlowModel.create(MODEL, 1);
    WarmStart.fitBase(model, rows);
    return model;
  }

  private static TrainingOptions options(long steps) {
    return TrainingOptions.builder(steps)
        .learningRate(0.02)
        .logEvery(5)
        .checkpointEvery(10)
        .build();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /** Rows of noise that were counted look likely, and no less likely than new ones in training. */
  @Test
  void trainingIsNotDeceivedByItsOwnCounts() throws IOException {
    try (FlowModel model = counted(ROWS)) {
      double seen = -mean(model.logProb(ROWS));
      double unseen = -mean(model.logProb(OTHERS));
      assertThat(seen).isLessThan(unseen - 0.5);
      TrainingOptions still =
          TrainingOptions.builder(5).learningRate(1e-9).baseLearningRate(1e-9).logEvery(5).build();
      double training =
          new Trainer(model, still).train(Batches.shuffled(ROWS, ROWS.length, 1)).loss();
      assertThat(training).isCloseTo(unseen, within(0.5)).isGreaterThan(seen + 0.5);
    }
  }

  @Test
  void aTrainingResumesExactly() throws IOException {
    double[] undisturbed;
    try (FlowModel model = counted(ROWS)) {
      new Trainer(model, options(30)).train(DATA);
      undisturbed = model.logProb(OTHERS);
    }
    Path checkpoint = folder.resolve("checkpoint");
    Batches failing =
        new Batches() {
          @Override
          public Batch batch(long step) {
            if (step == 17) {
              throw new IllegalStateException("enough");
            }
            return DATA.batch(step);
          }

          @Override
          public String description() {
            return DATA.description();
          }
        };
    try (FlowModel model = counted(ROWS)) {
      Trainer trainer = new Trainer(model, options(30)).checkpoints(checkpoint);
      assertThatThrownBy(() -> trainer.train(failing)).hasMessage("enough");
    }
    try (FlowModel model = counted(ROWS)) {
      new Trainer(model, options(30)).checkpoints(checkpoint).train(DATA);
      assertThat(model.logProb(OTHERS)).containsExactly(undisturbed);
    }
    try (FlowModel model = counted(OTHERS)) {
      Trainer trainer = new Trainer(model, options(30)).checkpoints(checkpoint);
      assertThatThrownBy(() -> trainer.train(DATA))
          .isInstanceOf(ModelFormatException.class)
          .hasMessageContaining("is the checkpoint of a training with another set of data");
    }
  }

  @Test
  void allProcessesCountTheSame() throws Exception {
    double[] alone = trained(ProcessGroup.single(), ROWS);
    for (double[] rank : Ranks.run(2, group -> trained(group, ROWS))) {
      assertThat(rank).containsExactly(alone, within(1e-4));
    }
    assertThatThrownBy(
            () -> Ranks.run(2, group -> trained(group, group.isRankZero() ? ROWS : OTHERS)))
        .hasMessage("rank 1 has another set of counts than rank 0: all must be started alike");
  }

  private static double[] trained(ProcessGroup group, int[][] rows) throws IOException {
    try (FlowModel model = counted(rows)) {
      new Trainer(model, options(10)).group(group).train(DATA);
      return model.logProb(OTHERS);
    }
  }

  /** Steps as a GPU repeats them learn what others do. */
  @Test
  void repeatedStepsLearnTheSame() {
    assertThat(bySteps(true)).containsExactly(bySteps(false), within(1e-5));
  }

  private static double[] bySteps(boolean repeats) {
    try (FlowModel model = counted(ROWS);
        TensorOwner owner = new TensorOwner();
        WorkingWeights working =
            new WorkingWeights(EngineAccess.of(model).weights(), Precision.FLOAT32)) {
      Weights weights = EngineAccess.of(model).weights();
      WeightUpdate update = new WeightUpdate(weights, options(6), owner);
      try (var step =
          new TrainingStep(
              model, options(6), ProcessGroup.single(), working, update, owner, repeats)) {
        for (int i = 0; i < 6; i++) {
          step.run(DATA.batch(i), i, i / 6.0);
        }
      }
      return model.logProb(OTHERS);
    }
  }
}
