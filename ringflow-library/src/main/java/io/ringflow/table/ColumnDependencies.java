package io.ringflow.table;

import io.ringflow.core.Space;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much every two columns of a table know of each other: their mutual information, counted in
 * rows, less what chance would give.
 *
 * <p>Cost: {@code D^2 N / 2} steps for N rows of D columns. Immutable.
 */
public final class ColumnDependencies {
  private static final int NONE = -1;

  private final List<String> columns;
  private final Dependencies dependencies;
  private final double[] entropies;

  private ColumnDependencies(List<String> columns, Dependencies dependencies, double[] entropies) {
    this.columns = columns;
    this.dependencies = dependencies;
    this.entropies = entropies;
  }

  /**
   * Counts pairs of symbols, neither of which is missing and summed out.
   *
   * @param rows of the codec, at least one
   * @param positions of the columns to look at, in their new order
   */
  public static ColumnDependencies of(
      TableCodec codec, TableCodec.Encoded rows, List<Integer> positions) {
    if (rows.size() == 0) {
      throw new IllegalArgumentException("at least 1 row is needed, but there are 0");
    }
    int[] which = positions.stream().mapToInt(position -> position).toArray();
    Space space = codec.space().select(positions);
    int[][] symbols =
        Arrays.stream(rows.observed())
            .map(row -> Arrays.stream(which).map(d -> row[d]).toArray())
            .toArray(int[][]::new);
    return new ColumnDependencies(
        positions.stream().map(d -> codec.columns().get(d).name()).toList(),
        Dependencies.of(space, symbols),
        IntStream.range(0, which.length)
            .mapToDouble(i -> entropy(symbols, i, space.cardinality(i)))
            .toArray());
  }

  private static double entropy(int[][] rows, int column, int symbols) {
    double[] shares = new double[symbols];
    long counted = Arrays.stream(rows).filter(row -> row[column] >= 0).count();
    for (int[] row : rows) {
      if (row[column] >= 0) {
        shares[row[column]] += 1.0 / counted;
      }
    }
    return -Arrays.stream(shares).filter(p -> p > 0).map(p -> p * Math.log(p)).sum();
  }

  /** The columns' names. */
  public List<String> columns() {
    return columns;
  }

  /** What two columns know of each other, in nats; by their indexes in {@link #columns}. */
  public double nats(int i, int j) {
    return i == j ? entropies[i] : Math.max(0, dependencies.nats(i, j));
  }

  /**
   * The same as a share, 0 to 1, of what is to be known of the one that is easier to know: 1 where
   * one of the columns follows from the other.
   */
  public double share(int i, int j) {
    double most = Math.min(entropies[i], entropies[j]);
    return most > 0 ? Math.min(1, nats(i, j) / most) : 0;
  }

  /**
   * A column in a tree.
   *
   * @param column index in {@link #columns}
   * @param depth 0 for the root
   * @param nats what it and its parent know of each other; 0 for the root
   */
  public record Node(int column, int depth, double nats) {}

  /**
   * The tree of the strongest dependencies (Chow and Liu), depth first from its middle, stronger
   * branches first.
   */
  public List<Node> tree() {
    int[] parents = dependencies.tree();
    List<List<Integer>> neighbours = new ArrayList<>();
    Arrays.stream(parents).forEach(parent -> neighbours.add(new ArrayList<>()));
    for (int i = 0; i < parents.length; i++) {
      if (parents[i] != NONE) {
        neighbours.get(i).add(parents[i]);
        neighbours.get(parents[i]).add(i);
      }
    }
    int root = TreeOrder.depthFirst(parents).positions().get(0);
    Deque<Edge> open = new ArrayDeque<>(List.of(new Edge(root, NONE, 0)));
    List<Node> nodes = new ArrayList<>();
    while (!open.isEmpty()) {
      Edge at = open.pop();
      int column = at.column;
      nodes.add(new Node(column, at.depth, at.parent == NONE ? 0 : nats(column, at.parent)));
      neighbours.get(column).stream()
          .filter(next -> next != at.parent)
          .sorted(Comparator.comparingDouble(next -> nats(column, next)))
          .forEach(next -> open.push(new Edge(next, column, at.depth + 1))); // last in, first out
    }
    return nodes;
  }

  private record Edge(int column, int parent, int depth) {}

  /** Two columns, by their indexes in {@link #columns}. */
  public record Pair(int first, int second) {}

  /** Pairs of columns that know most of each other, in nats, the most first. */
  public List<Pair> strongest(int count) {
    return IntStream.range(0, columns.size())
        .boxed()
        .flatMap(i -> IntStream.range(0, i).mapToObj(j -> new Pair(j, i)))
        .sorted(
            Comparator.comparingDouble((Pair pair) -> -nats(pair.first, pair.second))
                .thenComparing(Pair::second)
                .thenComparing(Pair::first))
        .limit(count)
        .toList();
  }
}
