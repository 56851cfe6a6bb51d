package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The walk of a tree, compared with its definition. */
final class TreeOrderTest {
  /** A tree whose root is column 0, the other columns in no order. */
  private static int[] tree(int columns, long seed) {
    var random = new SplittableRandom(seed);
    List<Integer> names = new ArrayList<>(IntStream.range(1, columns).boxed().toList());
    for (int i = names.size() - 1; i > 0; i--) {
      Collections.swap(names, i, random.nextInt(i + 1));
    }
    names.add(0, 0);
    int[] parents = new int[columns];
    parents[0] = -1;
    for (int i = 1; i < columns; i++) {
      parents[names.get(i)] = names.get(random.nextInt(i));
    }
    return parents;
  }

  /** Edges between any two columns, by Floyd and Warshall. */
  private static int[][] distances(int[] parents) {
    int d = parents.length;
    int[][] distance = new int[d][d];
    for (int i = 0; i < d; i++) {
      Arrays.fill(distance[i], 2 * d);
      distance[i][i] = 0;
    }
    for (int i = 1; i < d; i++) {
      distance[i][parents[i]] = 1;
      distance[parents[i]][i] = 1;
    }
    for (int k = 0; k < d; k++) {
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          distance[i][j] = Math.min(distance[i][j], distance[i][k] + distance[k][j]);
        }
      }
    }
    return distance;
  }

  /** The columns that a neighbour leads to, away from a column. */
  private static List<Integer> branch(int[][] distance, int column, int neighbour) {
    return IntStream.range(0, distance.length)
        .filter(other -> distance[neighbour][other] < distance[column][other])
        .boxed()
        .toList();
  }

  private static List<Integer> neighbours(int[][] distance, int column) {
    return IntStream.range(0, distance.length)
        .filter(other -> distance[column][other] == 1)
        .boxed()
        .toList();
  }

  private static int largestBranch(int[][] distance, int column) {
    return neighbours(distance, column).stream()
        .mapToInt(next -> branch(distance, column, next).size())
        .max()
        .orElse(0);
  }

  @Property(tries = 200)
  void beginsAtTheCentroid(@ForAll @IntRange(min = 1, max = 12) int columns, @ForAll long seed) {
    int[] parents = tree(columns, seed);
    int[][] distance = distances(parents);
    int smallest =
        IntStream.range(0, columns).map(i -> largestBranch(distance, i)).min().orElseThrow();
    Order order = TreeOrder.depthFirst(parents);
    assertThat(order.size()).isEqualTo(columns);
    assertThat(largestBranch(distance, order.positions().get(0))).isEqualTo(smallest);
  }

  @Property(tries = 200)
  void depthFirstKeepsBranchesTogetherAndSmallerOnesFirst(
      @ForAll @IntRange(min = 1, max = 12) int columns, @ForAll long seed) {
    int[] parents = tree(columns, seed);
    int[][] distance = distances(parents);
    List<Integer> order = TreeOrder.depthFirst(parents).positions();
    int centroid = order.get(0);
    for (int column = 0; column < columns; column++) {
      int at = order.indexOf(column) + 1;
      int from = column;
      List<List<Integer>> branches =
          neighbours(distance, column).stream()
              .filter(next -> distance[centroid][next] > distance[centroid][from])
              .map(next -> branch(distance, from, next))
              .sorted(Comparator.comparingInt(branch -> order.indexOf(first(branch, order))))
              .toList();
      assertThat(branches.stream().map(List::size)).isSorted();
      for (List<Integer> branch : branches) {
        assertThat(order.subList(at, at + branch.size()))
            .containsExactlyInAnyOrderElementsOf(branch);
        at += branch.size();
      }
    }
  }

  private static int first(List<Integer> branch, List<Integer> order) {
    return order.stream().filter(branch::contains).findFirst().orElseThrow();
  }

  @Test
  void aChainIsWalkedFromItsMiddleToBothEnds() {
    int[] parents = {-1, 0, 1, 2, 3}; // 0 - 1 - 2 - 3 - 4
    assertThat(TreeOrder.depthFirst(parents).positions()).containsExactly(2, 3, 4, 1, 0);
  }
}
