package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** Which of several short trainings a model begins with. */
final class BestStartTest {
  private static final int[][] ROWS = {{0, 1}, {0, 1}, {1, 2}, {2, 0}, {3, 3}};

  private final Architecture architecture =
      Architecture.of(Space.uniform(2, 4), new FactorizedBase())
          .with(new Bipartite(Mask.even(2), new LookupTable(), new Shift()));
  private final TrainingOptions options = TrainingOptions.builder(3).learningRate(0.1).build();

  private BestStart starts(int count) {
    return new BestStart(
        count, options, seed -> Batches.shuffled(ROWS, 5, seed), () -> Batch.of(ROWS), 7);
  }

  private double[] prepared(int count) throws IOException {
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      starts(count).prepare(model);
      return model.logProb(ROWS);
    }
  }

  @Test
  void theModelBeginsAsTheLowestOfThemEnded() throws IOException {
    var seeds = new SplittableRandom(7);
    double[] best = null;
    for (int start = 0; start < 4; start++) {
      long seed = seeds.nextLong();
      try (FlowModel model = FlowModel.create(architecture, seed)) {
        new Trainer(model, options).train(Batches.shuffled(ROWS, 5, seed));
        double[] scores = model.logProb(ROWS);
        if (start == 0) {
          assertThat(prepared(1)).isEqualTo(scores);
        }
        if (best == null || Arrays.stream(scores).sum() > Arrays.stream(best).sum()) {
          best = scores;
        }
      }
    }
    assertThat(prepared(4)).isEqualTo(best).isNotEqualTo(prepared(1));
  }

  @Test
  void anInterruptEndsIt() {
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> starts(2).prepare(model)).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).as("still set").isTrue();
    }
  }

  @Test
  void oneStartAtLeast() {
    assertThatThrownBy(() -> starts(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("starts must be at least 1, but is 0");
  }
}
