package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Space;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

final class SpinModelsTest {
  private static void assertLogWeights(FactorGraph graph, ToDoubleFunction<int[]> expected) {
    int[][] rows = graph.space().enumerate();
    double[] actual = graph.logWeights(rows);
    for (int i = 0; i < rows.length; i++) {
      assertThat(actual[i])
          .as("%s", Arrays.toString(rows[i]))
          .isCloseTo(expected.applyAsDouble(rows[i]), within(1e-12));
    }
  }

  private static int spin(int symbol) {
    return 2 * symbol - 1;
  }

  @Test
  void isingOnATorus() {
    FactorGraph graph = SpinModels.ising(new Lattice(3, 4, true), 0.4, 1.5, -0.3);
    assertThat(graph.space()).isEqualTo(Space.uniform(12, 2));
    assertLogWeights(
        graph,
        row -> {
          double sum = 0;
          for (int y = 0; y < 3; y++) {
            for (int x = 0; x < 4; x++) {
              int here = spin(row[4 * y + x]);
              sum += 1.5 * here * spin(row[4 * y + (x + 1) % 4]);
              sum += 1.5 * here * spin(row[4 * ((y + 1) % 3) + x]);
              sum += -0.3 * here;
            }
          }
          return 0.4 * sum;
        });
  }

  @Test
  void isingOnAnyGraph() {
    List<Edge> edges = List.of(new Edge(0, 2), new Edge(2, 1), new Edge(0, 2));
    assertLogWeights(
        SpinModels.ising(edges, 2, new double[] {1, -3, 0.5}, new double[] {0, 0.25, 0, 4}),
        row -> {
          int[] s = Arrays.stream(row).map(SpinModelsTest::spin).toArray();
          return 2 * (1.5 * s[0] * s[2] - 3 * s[1] * s[2] + 0.25 * s[1] + 4 * s[3]);
        });
  }

  @Test
  void pottsOnAnOpenLattice() {
    double[] fields = {0.5, 0, -2};
    assertLogWeights(
        SpinModels.potts(new Lattice(2, 3, false), 3, 1.1, fields),
        row -> {
          double sum = 0;
          for (int y = 0; y < 2; y++) {
            for (int x = 0; x < 3; x++) {
              int here = row[3 * y + x];
              sum += fields[here];
              sum += x < 2 && here == row[3 * y + x + 1] ? 1 : 0;
              sum += y < 1 && here == row[3 * (y + 1) + x] ? 1 : 0;
            }
          }
          return 1.1 * sum;
        });
    assertThat(SpinModels.potts(Lattice.torus(3), 4, 1).factors()).hasSize(18);
  }

  @Test
  void pottsOnAnyGraph() {
    double[][] fields = {{1, 2, 3}, {0, 0, 0}, {-1, 0, 7}};
    assertLogWeights(
        SpinModels.potts(
            List.of(new Edge(1, 0), new Edge(1, 2)), 3, 0.5, new double[] {2, -1}, fields),
        row ->
            0.5
                * ((row[0] == row[1] ? 2 : 0)
                    - (row[1] == row[2] ? 1 : 0)
                    + fields[0][row[0]]
                    + fields[2][row[2]]));
  }

  @Test
  void sherringtonKirkpatrickHasLibtorchsCouplings() {
    int n = 7;
    float[] couplings = new float[n * n];
    try (PointerScope scope = new PointerScope()) {
      torch.manual_seed(3);
      torch.randn(n, n).data_ptr_float().get(couplings);
    }
    FactorGraph graph = SpinModels.sherringtonKirkpatrick(n, 1.7, 3);
    int[][] rows = graph.space().enumerate();
    double[] actual = graph.logWeights(rows);
    for (int i = 0; i < rows.length; i++) {
      double energy = 0;
      for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) {
          energy -= couplings[a * n + b] / Math.sqrt(n) * spin(rows[i][a]) * spin(rows[i][b]);
        }
      }
      assertThat(actual[i]).isCloseTo(-1.7 * energy, within(1e-5));
    }
  }

  @Test
  void sherringtonKirkpatrickOfAMatrix() {
    SplittableRandom random = new SplittableRandom(1);
    double[][] couplings = new double[5][5];
    for (int a = 0; a < 5; a++) {
      for (int b = 0; b <= a; b++) {
        couplings[a][b] = random.nextDouble(-1, 1);
        couplings[b][a] = couplings[a][b];
      }
    }
    assertLogWeights(
        SpinModels.sherringtonKirkpatrick(couplings, 0.8),
        row -> {
          double twice = 0;
          for (int a = 0; a < 5; a++) {
            for (int b = 0; b < 5; b++) {
              twice += a == b ? 0 : couplings[a][b] * spin(row[a]) * spin(row[b]);
            }
          }
          return 0.8 * twice / 2;
        });
  }

  @Test
  void mistakesAreNamed() {
    List<Edge> edges = List.of(new Edge(0, 1));
    assertRejected(
        () -> SpinModels.ising(Lattice.torus(3), Double.NaN, 1, 0),
        "beta must be a number, but is NaN");
    assertRejected(
        () -> SpinModels.ising(edges, 1, new double[2], new double[2]),
        "each edge needs a coupling, but there are 1 edges and 2 couplings");
    assertRejected(
        () -> SpinModels.ising(edges, 1, new double[] {1 / 0.0}, new double[2]),
        "the coupling of edge 0 must be a number, but is Infinity");
    assertRejected(
        () -> SpinModels.ising(edges, 1, new double[1], new double[] {0, Double.NaN}),
        "the field of site 1 must be a number, but is NaN");
    assertRejected(
        () -> SpinModels.ising(List.of(new Edge(0, 9)), 1, new double[1], new double[2]),
        "factor 0 names position 9, but there are 2 positions");
    assertRejected(
        () -> SpinModels.potts(Lattice.torus(2), 3, 1, new double[2]),
        "each state needs a field, but site 0 has 2 fields for 3 states");
    assertRejected(
        () -> SpinModels.potts(Lattice.torus(2), 0, 1), "states must be at least 1, but is 0");
    assertRejected(
        () -> SpinModels.sherringtonKirkpatrick(3, 1, 1), "sites must be in 4..10000, but is 3");
    assertRejected(
        () -> SpinModels.sherringtonKirkpatrick(new double[][] {{0, 1}, {2, 0}}, 1),
        "couplings must be symmetric, but [1][0] is 2.0 and [0][1] is 1.0");
    assertRejected(
        () -> SpinModels.sherringtonKirkpatrick(new double[][] {{0, 1}, {1}}, 1),
        "couplings must be a square matrix, but row 1 of 2 has 1 values");
  }

  private static void assertRejected(Runnable call, String message) {
    assertThatIllegalArgumentException().isThrownBy(call::run).withMessage(message);
  }
}
