package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChowLiuTest {
  private static final Space MIXED = Space.of(2, 3, 2, 1, 3);

  /** Each row's symbols follow their parents' three times in four. */
  private static int[][] sample(Space space, int[] order, int[] parent, int n, long seed) {
    var rng = new SplittableRandom(seed);
    int[][] rows = new int[n][space.size()];
    for (int[] row : rows) {
      for (int i : order) {
        boolean follows = parent[i] >= 0 && rng.nextInt(4) < 3;
        row[i] =
            follows ? row[parent[i]] % space.cardinality(i) : rng.nextInt(space.cardinality(i));
      }
    }
    return rows;
  }

  private static Set<Set<Integer>> edges(int[] parent) {
    Set<Set<Integer>> edges = new HashSet<>();
    for (int i = 0; i < parent.length; i++) {
      if (parent[i] >= 0) {
        edges.add(Set.of(i, parent[i]));
      }
    }
    return edges;
  }

  @Test
  void findsTheTreeThatRowsWereSampledFrom() {
    Space space = Space.of(2, 4, 3, 2, 4, 2, 3, 2);
    int[] order = {4, 1, 6, 0, 2, 7, 3, 5};
    int[] parent = {1, 4, 6, 2, -1, 2, 4, 1};
    int[] found = ChowLiu.fit(space, sample(space, order, parent, 20_000, 1), 1).parents();
    assertThat(edges(found)).hasSize(7).isEqualTo(edges(parent));
    assertThat(found[0]).isEqualTo(-1);
    int[] chain = IntStream.range(-1, 69).toArray();
    int[][] bits = sample(Space.uniform(70, 2), IntStream.range(0, 70).toArray(), chain, 2000, 2);
    assertThat(ChowLiu.fit(Space.uniform(70, 2), bits, 1).parents()).isEqualTo(chain);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-9, 0.5, 4, 1000})
  void probabilitiesSumToOne(double smoothing) {
    for (Space space : List.of(MIXED, Space.of(7), Space.uniform(10, 2), Space.of(1, 1))) {
      int[][] rows = uneven(space, 100, 3);
      double[] logs = ChowLiu.fit(space, rows, smoothing).logProb(space.enumerate());
      assertThat(DoubleStream.of(logs).map(Math::exp).sum()).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void theProbabilityOfWeightedSymbolsIsTheSumOverAllRows() {
    var rng = new SplittableRandom(4);
    for (Space space : List.of(MIXED, Space.of(7), Space.uniform(8, 2), Space.of(1, 1))) {
      ChowLiu tree = ChowLiu.fit(space, uneven(space, 100, 3), 1);
      int[][] rows = space.enumerate();
      double[] logs = tree.logProb(rows);
      for (int query = 0; query < 20; query++) {
        Map<Integer, double[]> weights = new HashMap<>();
        for (int d = 0; d < space.size(); d++) {
          if (rng.nextBoolean()) {
            weights.put(d, rng.doubles(space.cardinality(d)).toArray());
          }
        }
        double sum = 0;
        double most = 0;
        double ofLikeliest = 0;
        int[] likeliest = tree.likeliest(weights);
        for (int i = 0; i < rows.length; i++) {
          double product = Math.exp(logs[i]);
          for (Map.Entry<Integer, double[]> entry : weights.entrySet()) {
            product *= entry.getValue()[rows[i][entry.getKey()]];
          }
          sum += product;
          most = Math.max(most, product);
          ofLikeliest = Arrays.equals(rows[i], likeliest) ? product : ofLikeliest;
        }
        assertThat(tree.probability(weights)).isCloseTo(sum, within(1e-12));
        assertThat(ofLikeliest).isCloseTo(most, within(1e-12));
      }
    }
  }

  /** Rows of a table that the seed determines, with dependences of every order. */
  private static int[][] uneven(Space space, int n, long seed) {
    var rng = new SplittableRandom(seed);
    int[][] cells = space.enumerate();
    double[] upTo = new double[cells.length];
    double sum = 0;
    for (int cell = 0; cell < cells.length; cell++) {
      sum += Math.pow(rng.nextDouble(), 4);
      upTo[cell] = sum;
    }
    int[][] rows = new int[n][];
    for (int i = 0; i < n; i++) {
      double point = rng.nextDouble() * sum;
      int cell = 0;
      while (upTo[cell] <= point) {
        cell++;
      }
      rows[i] = cells[cell];
    }
    return rows;
  }

  /** All {@code d^(d - 2)} trees, by their Prüfer codes, as pairs of positions. */
  private static List<int[][]> allTrees(int d) {
    List<int[][]> trees = new ArrayList<>();
    for (int[] code : Space.uniform(d - 2, d).enumerate()) {
      int[] degree = new int[d];
      Arrays.fill(degree, 1);
      Arrays.stream(code).forEach(i -> degree[i]++);
      int[][] edges = new int[d - 1][];
      for (int e = 0; e < code.length; e++) {
        int leaf = leaf(degree);
        edges[e] = new int[] {leaf, code[e]};
        degree[leaf]--;
        degree[code[e]]--;
      }
      int first = leaf(degree);
      degree[first]--;
      edges[d - 2] = new int[] {first, leaf(degree)};
      trees.add(edges);
    }
    return trees;
  }

  private static int leaf(int[] degree) {
    return IntStream.range(0, degree.length).filter(i -> degree[i] == 1).findFirst().orElseThrow();
  }

  /** The probability of one cell's symbols at some positions, by summing over all cells. */
  private static double marginal(int[][] cells, double[] q, int[] cell, int... positions) {
    double sum = 0;
    for (int other = 0; other < cells.length; other++) {
      boolean same = true;
      for (int i : positions) {
        same &= cells[other][i] == cell[i];
      }
      sum += same ? q[other] : 0;
    }
    return sum;
  }

  /** {@code prod p(x_i, x_j) / prod p(x_i)^(degree - 1)} of every cell, as logarithms. */
  private static double[] treeLogProb(int[][] cells, double[] q, int[][] edges) {
    return Arrays.stream(cells)
        .mapToDouble(
            cell -> {
              double log = 0;
              for (int i = 0; i < cell.length; i++) {
                log += Math.log(marginal(cells, q, cell, i));
              }
              for (int[] edge : edges) {
                log += Math.log(marginal(cells, q, cell, edge));
                log -= Math.log(marginal(cells, q, cell, edge[0]));
                log -= Math.log(marginal(cells, q, cell, edge[1]));
              }
              return log;
            })
        .toArray();
  }

  private static double crossEntropy(double[] q, double[] logP) {
    return -IntStream.range(0, q.length).mapToDouble(cell -> q[cell] * logP[cell]).sum();
  }

  /** Numbers of rows around a word's 64 bits. */
  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 128, 1000})
  void noOtherTreeIsLikelier(int n) {
    double smoothing = 0.3;
    int[][] cells = MIXED.enumerate();
    int[][] rows = uneven(MIXED, n, n);
    double[] q = new double[cells.length]; // the smoothed data
    Arrays.fill(q, smoothing / cells.length / (n + smoothing));
    for (int[] row : rows) {
      q[Arrays.binarySearch(cells, row, Arrays::compare)] += 1 / (n + smoothing);
    }
    ChowLiu fitted = ChowLiu.fit(MIXED, rows, smoothing);
    double[] logP = fitted.logProb(cells);

    List<int[][]> trees = allTrees(MIXED.size());
    assertThat(trees.stream().map(ChowLiuTest::edges).distinct()).hasSize(125);
    double[] others =
        trees.stream().mapToDouble(tree -> crossEntropy(q, treeLogProb(cells, q, tree))).toArray();
    Arrays.sort(others);
    assertThat(crossEntropy(q, logP)).isCloseTo(others[0], within(1e-12));
    if (n > 1) {
      assertThat(others[others.length - 1] - others[0]).isGreaterThan(0.01);
    }

    int[][] found =
        edges(fitted.parents()).stream()
            .map(edge -> edge.stream().mapToInt(i -> i).toArray())
            .toArray(int[][]::new);
    assertThat(logP).containsExactly(treeLogProb(cells, q, found), within(1e-11));
  }

  private static Set<Set<Integer>> edges(int[][] tree) {
    Set<Set<Integer>> edges = new HashSet<>();
    for (int[] edge : tree) {
      edges.add(Set.of(edge[0], edge[1]));
    }
    return edges;
  }

  @Test
  void oneCountForEachPairOfBits() {
    Space bits = Space.of(2, 2);
    int[][] rows = {{0, 0}, {1, 1}, {0, 0}};
    double[] expected = DoubleStream.of(3, 1, 1, 2).map(count -> Math.log(count / 7)).toArray();
    assertThat(ChowLiu.fit(bits, rows, 4).logProb(bits.enumerate()))
        .containsExactly(expected, within(1e-15));
  }

  @Test
  void onePositionIsItsCounts() {
    ChowLiu fitted = ChowLiu.fit(Space.of(3), new int[][] {{2}, {0}, {2}}, 3);
    assertThat(fitted.parents()).containsExactly(-1);
    assertThat(fitted.logProb(new int[][] {{2}, {0}, {1}}))
        .containsExactly(
            new double[] {Math.log(3 / 6.0), Math.log(2 / 6.0), Math.log(1 / 6.0)}, within(1e-15));
  }

  @Test
  void refusesWhatIsNoTable() {
    Space bits = Space.of(2, 2);
    int[][] rows = {{0, 1}};
    for (double smoothing : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ChowLiu.fit(bits, rows, smoothing))
          .withMessage("smoothing must be above 0 and finite, but is " + smoothing);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChowLiu.fit(bits, new int[0][], 1))
        .withMessage("at least 1 row is needed, but there are 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChowLiu.fit(Space.NONE, rows, 1))
        .withMessage("space must have at least 1 position, but has 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChowLiu.fit(bits, new int[][] {{0, 2}}, 1))
        .withMessage("row 0, position 1: symbol 2 is not in 0..1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChowLiu.fit(bits, rows, 1).logProb(new int[][] {{0, 1}, {0}}))
        .withMessage("row 1 has 1 symbols, but the space has 2 positions");
  }
}
