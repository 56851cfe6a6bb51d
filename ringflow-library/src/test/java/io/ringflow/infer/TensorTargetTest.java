package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Space;
import io.ringflow.spi.TensorTarget;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Test;

/** Targets on tensors weigh as their plain forms do. */
final class TensorTargetTest {
  private static double[] onTensors(FactorGraph graph, int[][] rows) {
    return new CheckedTarget(graph, graph.onTensors(), Device.CPU).logWeights(rows);
  }

  @Test
  void graphsWeighAlikeOnTensors() {
    int impossible = 0;
    for (int seed = 0; seed < 50; seed++) {
      FactorGraph graph = RandomGraphs.of(5, seed % 2 * 0.2, new SplittableRandom(seed));
      int[][] rows = graph.space().enumerate();
      double[] plain = graph.logWeights(rows);
      assertThat(onTensors(graph, rows)).containsExactly(plain, within(1e-9));
      impossible += (int) Arrays.stream(plain).filter(Double::isInfinite).count();
    }
    assertThat(impossible).isGreaterThan(100);
  }

  @Test
  void factorsWithoutPositionsAndGraphsWithoutFactorsCount() {
    Space space = Space.of(2, 3);
    int[][] rows = space.enumerate();
    assertThat(onTensors(new FactorGraph(space, List.of()), rows)).containsOnly(0);
    FactorGraph graph =
        new FactorGraph(
            space,
            List.of(
                new Factor(List.of(), new double[] {3}),
                new Factor(List.of(), new double[] {0.5}),
                new Factor(List.of(1), new double[] {0, 1, Double.NEGATIVE_INFINITY})));
    assertThat(onTensors(graph, rows)).containsExactly(graph.logWeights(rows), within(1e-12));
    assertThat(onTensors(graph, new int[0][])).isEmpty();
  }

  /** More lookups than are done at a time: the rows of both blocks are weighed. */
  @Test
  void manyRowsAreWeighedInBlocks() {
    FactorGraph lattice = SpinModels.ising(Lattice.torus(16), 0.44, 1, 0.1);
    SplittableRandom random = new SplittableRandom(3);
    int[][] rows = new int[17_000][];
    Arrays.setAll(rows, i -> random.ints(256, 0, 2).toArray());
    assertThat(onTensors(lattice, rows)).containsExactly(lattice.logWeights(rows), within(1e-9));
  }

  @Test
  void gradientsAreThoseOfPlainArrays() {
    for (int seed = 0; seed < 20; seed++) {
      FactorGraph graph = RandomGraphs.of(5, seed % 2 * 0.2, new SplittableRandom(seed));
      int[][] rows = graph.space().enumerate();
      int width = graph.space().maxCardinality();
      int size = graph.space().size();
      double[] plain = new double[rows.length * size * width];
      for (int i = 0; i < rows.length; i++) {
        graph.addGradient(rows[i], plain, i * size * width, width);
      }
      assertThat(graph.tables().gradient(rows, Device.CPU)).containsExactly(plain, within(1e-9));
    }
  }

  /** A target of one's own: a row weighs as much as it has ones. */
  private static final class Ones implements Target, TensorTarget {
    @Override
    public double[] logWeights(int[][] rows) {
      return Arrays.stream(rows).mapToDouble(row -> Arrays.stream(row).sum()).toArray();
    }

    @Override
    public Tensor logWeights(Tensor rows) {
      return rows.sum(1).to(ScalarType.Double);
    }
  }

  @Test
  void targetsOfOnesOwnAreAskedByTensors() {
    Ones ones = new Ones();
    assertThat(CheckedTarget.onTensors(ones)).isSameAs(ones);
    assertThat(CheckedTarget.onTensors(rows -> new double[rows.length])).isNull();
    int[][] rows = Space.uniform(4, 2).enumerate();
    assertThat(new CheckedTarget(ones, ones, Device.CPU).logWeights(rows))
        .containsExactly(ones.logWeights(rows));
    TensorTarget wrong = tensor -> tensor.to(ScalarType.Double);
    assertThatThrownBy(() -> new CheckedTarget(ones, wrong, Device.CPU).logWeights(rows))
        .hasMessage(
            "the target must return a log-weight for each row, but returned 64 for 16 rows");
  }
}
