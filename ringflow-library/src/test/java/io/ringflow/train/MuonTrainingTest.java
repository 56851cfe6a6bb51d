package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.NativeCount;
import io.ringflow.testing.Toys;
import io.ringflow.train.TrainingListener.Progress;
import io.ringflow.train.TrainingListener.StopReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whole trainings by Muon: they learn, resume exactly, and leave nothing behind. */
@ExtendWith(LeakCheck.class)
final class MuonTrainingTest {
  private static final Space SPACE = Space.uniform(6, 4);
  private static final int[][] ROWS = Toys.rows(SPACE, 200, 1);
  private static final Batches DATA = Batches.shuffled(ROWS, 16, 2);

  @TempDir Path folder;

  private static FlowModel model(long seed) {
    return FlowModel.create(
        Architecture.of(SPACE, new GroupBase(Groups.blocks(6, 3), new Transformer(16, 2, 2, 32))),
        seed);
  }

  private static TrainingOptions.Builder options(long steps) {
    return TrainingOptions.builder(steps)
        .learningRate(0.003)
        .muon(0.02)
        .weightDecay(0.05)
        .linearDecay()
        .logEvery(10)
        .checkpointEvery(20);
  }

  private static double[] weights(FlowModel model) {
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(Models.weights(model).values());
    }
  }

  private static double loss(FlowModel model) {
    return -Arrays.stream(model.logProb(ROWS)).average().orElseThrow();
  }

  @Test
  void learnsMoreInAFewStepsThanTheRestAlone() throws IOException {
    double[] losses = new double[2];
    for (int i = 0; i < 2; i++) {
      // At a rate of next to nothing matrices stay as they are.
      double matrixRate = i == 0 ? 1e-12 : 0.02;
      try (FlowModel model = model(1)) {
        new Trainer(model, options(40).muon(matrixRate).build()).train(DATA);
        losses[i] = loss(model);
      }
    }
    assertThat(losses[1]).isLessThan(losses[0] - 0.1);
  }

  @Test
  void aStoppedTrainingResumesInTheSameBits() throws IOException {
    TrainingOptions options = options(40).build();
    double[] undisturbed;
    try (FlowModel model = model(1)) {
      new Trainer(model, options).train(DATA);
      undisturbed = weights(model);
    }
    Path checkpoint = folder.resolve("checkpoint");
    try (FlowModel model = model(1)) {
      TrainingListener stop =
          new TrainingListener() {
            @Override
            public void progressed(Progress progress) {
              if (progress.step() == 20) {
                Thread.currentThread().interrupt();
              }
            }
          };
      var report = new Trainer(model, options).checkpoints(checkpoint).listener(stop).train(DATA);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(report.reason()).isEqualTo(StopReason.INTERRUPTED);
    }
    try (FlowModel model = model(77)) {
      new Trainer(model, options).checkpoints(checkpoint).train(DATA);
      assertThat(weights(model)).isEqualTo(undisturbed);
      assertThat(model.provenance().orElseThrow().options())
          .containsEntry("optimizer", "MUON")
          .containsEntry("matrixLearningRate", 0.02)
          .containsEntry("rateDecay", "LINEAR");
    }
  }

  @Test
  void leavesNoNativeObjectsBehind() throws Exception {
    try (FlowModel model = model(1)) {
      NativeCount.assertFlat(3, () -> new Trainer(model, options(5).build()).train(DATA));
    }
  }

  @Test
  void networksWithoutMatricesAreRefused() {
    for (Network network : List.of(new Made(12, 1), new Lstm(4, 6, 1))) {
      Architecture architecture =
          Architecture.of(SPACE, new GroupBase(Groups.blocks(6, 6), network));
      try (FlowModel model = FlowModel.create(architecture, 1)) {
        assertThatThrownBy(() -> new Trainer(model, options(5).build()).train(DATA))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage(
                "optimizer MUON needs a network with matrices, a Transformer: this model has none");
      }
    }
  }
}
