package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.PeakMemory;
import io.ringflow.train.Estimators;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Location and scale of a large vocabulary: no K x K cube, which would be 200 GB. */
@ExtendWith(LeakCheck.class)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
final class MemoryTest {
  private static final int ROWS = 32;
  private static final Space SPACE = Space.uniform(64, 5000);

  static Stream<Architecture> architectures() {
    Architecture base = Architecture.of(SPACE, new FactorizedBase());
    Network lstm = new Lstm(8, 8, 1);
    return Stream.of(
        base.with(new Bipartite(Mask.even(64), new Made(8, 1), new ShiftScale())),
        base.with(new Bipartite(Mask.odd(64), lstm, new ShiftScale()))
            .with(new Bipartite(Mask.even(64), lstm, new ShiftScale())));
  }

  @ParameterizedTest
  @MethodSource("architectures")
  void aTrainingStepFitsIntoTwoGigabytes(Architecture architecture) throws IOException {
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      assertThat(PeakMemory.kilobytesOf(() -> step(model))).isBetween(100_000L, 2_000_000L);
    }
  }

  private static void step(FlowModel model) {
    var random = new SplittableRandom(1);
    int[][] rows = new int[ROWS][];
    for (int i = 0; i < ROWS; i++) {
      rows[i] = random.ints(SPACE.size(), 0, SPACE.maxCardinality()).toArray();
    }
    try (Scope scope = Scope.training()) {
      Models.weights(model).trackGradients();
      Tensor ids = Tensors.ids(rows, SPACE.size(), Device.CPU);
      EvaluationContext context =
          Estimators.straightThrough(Models.weights(model), Condition.NONE, 0.1);
      Models.logProb(model, Symbols.withOneHot(ids, SPACE.maxCardinality()), context)
          .mean()
          .backward();
    }
  }
}
