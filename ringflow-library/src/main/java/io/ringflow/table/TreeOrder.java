package io.ringflow.table;

import io.ringflow.core.Order;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * The order of a table's columns by a walk of their {@link ChowLiu} tree, depth first from its
 * centroid: the column whose largest branch is smallest.
 *
 * <p>The order of columns in a file means nothing. Depth first keeps columns that depend on each
 * other together, so that neighbours can be packed into one symbol.
 */
public final class TreeOrder {
  private static final int NONE = -1;

  private final List<List<Integer>> neighbours = new ArrayList<>();

  private TreeOrder(int[] parents) {
    for (int i = 0; i < parents.length; i++) {
      neighbours.add(new ArrayList<>());
    }
    for (int i = 0; i < parents.length; i++) {
      if (parents[i] != NONE) {
        neighbours.get(i).add(parents[i]);
        neighbours.get(parents[i]).add(i);
      }
    }
  }

  /**
   * Branch by branch, the smaller ones first.
   *
   * @param parents in the form of {@link ChowLiu#parents}
   */
  public static Order depthFirst(int[] parents) {
    return new TreeOrder(parents).depthFirst();
  }

  private Order depthFirst() {
    int centroid = centroid();
    int[] branch = branchSizes(centroid);
    List<Integer> order = new ArrayList<>();
    boolean[] seen = new boolean[neighbours.size()];
    Deque<Integer> open = new ArrayDeque<>(List.of(centroid));
    while (!open.isEmpty()) {
      int column = open.pop();
      seen[column] = true;
      order.add(column);
      neighbours.get(column).stream()
          .filter(next -> !seen[next])
          .sorted(Comparator.comparingInt((Integer next) -> branch[next]).reversed())
          .forEach(open::push); // the last one pushed is the next one walked
    }
    return new Order(order);
  }

  private int centroid() {
    int[] branch = branchSizes(0);
    int centroid = 0;
    int smallest = Integer.MAX_VALUE;
    for (int column = 0; column < branch.length; column++) {
      int above = branch.length - branch[column];
      int own = branch[column];
      int largest =
          neighbours.get(column).stream()
              .mapToInt(next -> branch[next] < own ? branch[next] : above)
              .max()
              .orElse(0);
      if (largest < smallest) {
        smallest = largest;
        centroid = column;
      }
    }
    return centroid;
  }

  /** The number of columns in the subtree of each, seen from a root. */
  private int[] branchSizes(int root) {
    int[] parent = new int[neighbours.size()];
    List<Integer> walk = new ArrayList<>(List.of(root));
    parent[root] = NONE;
    for (int i = 0; i < walk.size(); i++) { // the list grows on the way
      int column = walk.get(i);
      for (int next : neighbours.get(column)) {
        if (next != parent[column]) {
          parent[next] = column;
          walk.add(next);
        }
      }
    }
    int[] sizes = new int[parent.length];
    for (int i = walk.size() - 1; i >= 0; i--) {
      int column = walk.get(i);
      sizes[column]++;
      if (parent[column] != NONE) {
        sizes[parent[column]] += sizes[column];
      }
    }
    return sizes;
  }
}
