package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Inverse;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Inverse layers, trained by straight-through gradients of a target. */
class PathwiseTest {
  private static final InferenceOptions OPTIONS = new InferenceOptions(256, 3e-2, 0.3, 1);

  private static Architecture inverse(Space space, int layers, boolean table) {
    Architecture architecture = Architecture.of(space, new FactorizedBase());
    for (int i = 0; i < layers; i++) {
      Order order = i % 2 == 0 ? Order.natural(space.size()) : Order.reversed(space.size());
      architecture =
          architecture.with(
              new Inverse(
                  new Autoregressive(
                      order, table ? new LookupTable() : new Made(64, 1), new Shift())));
    }
    return architecture;
  }

  /** Two symbols, equal in nine cases of ten: one shift makes them of independent ones. */
  @Test
  void oneLayerLearnsWhatItCanBe() throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      double same = Math.log(0.3);
      double other = Math.log(0.05);
      FactorGraph graph =
          new FactorGraph(
              Space.uniform(2, 2),
              List.of(new Factor(List.of(0, 1), new double[] {same, other, other, same})));
      try (InferredModel model =
          Inference.of(graph)
              .architecture(inverse(graph.space(), 1, true))
              .options(OPTIONS)
              .steps(400)
              .seed(seed)
              .train()) {
        WeightedSamples samples = model.draw(4000, 1);
        assertThat(model.flow().samplingPasses()).isEqualTo(1);
        assertThat(samples.logZ().value()).isCloseTo(Math.log(0.7), within(0.02));
        assertThat(samples.ess()).isGreaterThan(0.98);
      }
    }
  }

  /** The densities of its own samples, which cost nothing, are those that scoring finds. */
  @Test
  void densitiesOfOwnSamplesAreExact() {
    Space space = Space.of(2, 3, 3, 2, 4);
    try (InferredModel model =
        new InferredModel(
            FlowModel.create(inverse(space, 2, false), 3),
            rows -> new double[rows.length],
            Symmetry.NONE)) {
      var draws = model.draws(500, 7, Precision.FLOAT64, ProgressListener.IGNORED);
      assertThat(draws.rows()).isDeepEqualTo(model.sample(500, 7));
      assertThat(model.flow().encode(draws.rows())).isDeepEqualTo(draws.baseRows());
      assertThat(draws.logProbs()).containsExactly(model.logProb(draws.rows()), within(1e-10));
    }
  }

  /** What factors say of single changes is what weighing the changed rows says. */
  @Test
  void gradientsOfFactorsAreThoseOfRows() {
    for (int seed = 0; seed < 20; seed++) {
      FactorGraph graph = RandomGraphs.of(5, seed % 2 * 0.2, new SplittableRandom(seed));
      Space space = graph.space();
      int width = space.maxCardinality();
      int[][] rows = space.enumerate();
      double[] quick = TargetGradient.of(graph, space, rows, Device.CPU);
      double[] plain = TargetGradient.of(new CheckedTarget(graph), space, rows, Device.CPU);
      for (int i = 0; i < rows.length; i++) {
        for (int position = 0; position < space.size(); position++) {
          int from = (i * space.size() + position) * width;
          for (int k = 1; k < space.cardinality(position); k++) {
            double difference = plain[from + k] - plain[from];
            if (graph.logWeights(rows)[i] > Double.NEGATIVE_INFINITY) {
              assertThat(quick[from + k] - quick[from]).isCloseTo(difference, within(1e-9));
            }
          }
        }
      }
    }
  }

  @Test
  void symmetriesAreRefused() {
    FactorGraph graph = RandomGraphs.of(3, 0, new SplittableRandom(1));
    assertThatThrownBy(
            () ->
                Inference.of(graph)
                    .architecture(inverse(graph.space(), 1, false))
                    .symmetry(Symmetry.ofSymbols(2))
                    .train())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("inverse layers can't be trained with a symmetry");
  }
}
