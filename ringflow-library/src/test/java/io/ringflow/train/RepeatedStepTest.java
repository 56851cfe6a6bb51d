package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Precision;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Toys;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps that read rates, temperature and seeds on the device learn what others do. */
@ExtendWith(LeakCheck.class)
final class RepeatedStepTest {
  private static final int STEPS = 6;

  static Stream<String> names() {
    return Toys.architectures().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void learnsTheSame(String name) {
    Architecture architecture = Toys.architectures().get(name);
    double[] expected = trained(architecture, false);
    double[] repeated = trained(architecture, true);
    assertThat(repeated).containsExactly(expected, within(1e-5));
    assertThat(repeated).isNotEqualTo(trained(architecture, true, 1));
  }

  @Test
  void learnsTheSameByMuon() {
    Architecture architecture = Toys.architectures().get("transformer");
    TrainingOptions options = options(architecture).muon(0.02).linearDecay().build();
    double[] expected = trained(architecture, false, STEPS, options);
    double[] repeated = trained(architecture, true, STEPS, options);
    assertThat(repeated).containsExactly(expected, within(1e-5));
    assertThat(repeated).isNotEqualTo(trained(architecture, true));
  }

  private static double[] trained(Architecture architecture, boolean repeats) {
    return trained(architecture, repeats, STEPS);
  }

  private static double[] trained(Architecture architecture, boolean repeats, int steps) {
    return trained(architecture, repeats, steps, options(architecture).build());
  }

  private static TrainingOptions.Builder options(Architecture architecture) {
    return TrainingOptions.builder(STEPS)
        .learningRate(0.02)
        .temperature(Temperature.annealed(2, 0.5))
        .objective(architecture.defaultObjective())
        .dropout(0.1)
        .hiddenSymbols(0.1);
  }

  private static double[] trained(
      Architecture architecture, boolean repeats, int steps, TrainingOptions options) {
    int[][] rows = Toys.rows(architecture.space(), 40, 1);
    Batch all = new Batch(rows, Toys.condition(architecture, 40, 2));
    try (FlowModel model = FlowModel.create(architecture, 1);
        TensorOwner owner = new TensorOwner();
        WorkingWeights working =
            new WorkingWeights(EngineAccess.of(model).weights(), Precision.FLOAT32)) {
      Weights weights = EngineAccess.of(model).weights();
      WeightUpdate optimizer = new WeightUpdate(weights, options, owner);
      try (var step =
          new TrainingStep(
              model, options, ProcessGroup.single(), working, optimizer, owner, repeats)) {
        Batches batches = Batches.shuffled(all, 8, 3);
        for (int i = 0; i < steps; i++) {
          step.run(batches.batch(i), i, (double) i / STEPS);
        }
      }
      // Not the weights: AdamW makes steps of rounding where a gradient is zero but for it.
      return model.logProb(all.rows(), all.condition());
    }
  }
}
