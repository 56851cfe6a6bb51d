package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Permute;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HalfPrecisionTest {
  private static final String ALLOWED = "ringflow.bfloat16OnCpu";
  private static final Space SPACE = Space.uniform(6, 5);
  private static final int[][] ROWS = {
    {0, 1, 2, 3, 4, 0}, {1, 2, 3, 4, 0, 1}, {2, 3, 4, 0, 1, 2}, {4, 0, 1, 2, 3, 4}
  };

  @AfterEach
  void forbid() {
    System.clearProperty(ALLOWED);
  }

  @Test
  void needsGpu() {
    try (FlowModel model = FlowModel.create(autoregressive(new Transformer(8, 1, 2, 16)), 1)) {
      assertThatThrownBy(() -> train(model, Precision.BFLOAT16, Objective.STRAIGHT_THROUGH, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs a GPU");
    }
  }

  @Test
  void learnsAsWellAsInSingle() throws IOException {
    System.setProperty(ALLOWED, "true");
    Network network = new Transformer(16, 1, 2, 32);
    double[] losses = new double[2];
    for (int i = 0; i < 2; i++) {
      try (FlowModel model = FlowModel.create(autoregressive(network), 1)) {
        train(model, i == 0 ? Precision.FLOAT32 : Precision.BFLOAT16, Objective.MIXTURE, 150);
        losses[i] = loss(model);
      }
    }
    // The rows follow from their first symbol: ln 4 is the floor.
    assertThat(losses[0]).isBetween(Math.log(4), Math.log(4) + 0.1);
    assertThat(losses[1]).isBetween(Math.log(4), Math.log(4) + 0.1);
    assertThat(losses[1]).isNotEqualTo(losses[0]);
  }

  @ParameterizedTest
  @EnumSource(value = Objective.class, mode = EXCLUDE, names = "PATHWISE")
  void trainsLayers(Objective objective) throws IOException {
    System.setProperty(ALLOWED, "true");
    // A scale has nothing to classify.
    SymbolMap map =
        objective == Objective.LAYERWISE_CROSS_ENTROPY ? new Permute() : new ShiftScale(1);
    for (Network network : new Network[] {new Transformer(8, 2, 2, 16), new Made(16, 1)}) {
      Architecture architecture =
          Architecture.of(SPACE, new FactorizedBase(null, 2))
              .with(new Bipartite(Mask.even(6), network, map))
              .with(new Bipartite(Mask.odd(6), network, map));
      try (FlowModel model = FlowModel.create(architecture, 1)) {
        double before = loss(model);
        train(model, Precision.BFLOAT16, objective, 60);
        assertThat(loss(model)).isLessThan(before);
      }
    }
  }

  private static Architecture autoregressive(Network network) {
    return Architecture.of(SPACE, new AutoregressiveBase(Order.natural(6), network));
  }

  private static void train(FlowModel model, Precision precision, Objective objective, int steps)
      throws IOException {
    boolean layers = !model.architecture().layers().isEmpty();
    TrainingOptions options =
        TrainingOptions.builder(steps)
            .learningRate(0.02)
            .temperature(Temperature.constant(1))
            .precision(precision)
            .objective(layers ? objective : Objective.STRAIGHT_THROUGH)
            .build();
    new Trainer(model, options).train(Batches.shuffled(ROWS, 4, 1));
  }

  private static double loss(FlowModel model) {
    return -Arrays.stream(model.logProb(ROWS)).average().orElseThrow();
  }
}
