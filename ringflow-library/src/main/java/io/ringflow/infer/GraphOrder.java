package io.ringflow.infer;

import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * Which positions of a graph to sample together, in a few passes: those far from each other first,
 * and what lies between them later.
 *
 * <p>What a pass loses is what its positions still know of each other once the passes before it are
 * known. Positions that are no neighbours, and all of whose neighbours are known, know nothing of
 * each other: the last pass takes as many of these as it can, on a lattice of even sides half of
 * all sites, and loses nothing.
 */
final class GraphOrder {
  private final List<List<Integer>> neighbours;
  private final int positions;

  GraphOrder(List<List<Integer>> neighbours) {
    this.neighbours = neighbours;
    this.positions = neighbours.size();
  }

  /**
   * Groups in passes.
   *
   * @param passes 1 to the number of positions
   */
  Groups groups(int passes) {
    if (passes == positions) {
      return Groups.singles(Order.natural(positions));
    }
    List<Integer> order = farthestFirst();
    int last = independentAtTheEnd(order);
    if (passes == 1 || last >= positions) {
      return Groups.cut(new Order(order), growing(positions, passes));
    }
    // Fewer groups than asked for would waste passes where all but a few positions are independent.
    int before = Math.max(positions - last, passes - 1);
    int[] sizes = Arrays.copyOf(growing(before, passes - 1), passes);
    sizes[passes - 1] = positions - before;
    return Groups.cut(new Order(order), sizes);
  }

  /** Positions in the order of their distance from all before them, the farthest first. */
  private List<Integer> farthestFirst() {
    int[] distance = new int[positions]; // from the nearest that is chosen
    Arrays.fill(distance, Integer.MAX_VALUE);
    double[] crowd = new double[positions]; // how many are chosen nearby: decides between equals
    boolean[] chosen = new boolean[positions];
    List<Integer> order = new ArrayList<>();
    while (order.size() < positions) {
      int best = -1;
      for (int i = 0; i < positions; i++) {
        if (!chosen[i]
            && (best < 0
                || distance[i] > distance[best]
                || (distance[i] == distance[best] && crowd[i] < crowd[best] - 1e-9))) {
          best = i;
        }
      }
      chosen[best] = true;
      order.add(best);
      int[] fromIt = distances(best);
      for (int i = 0; i < positions; i++) {
        distance[i] = Math.min(distance[i], fromIt[i]);
        crowd[i] += fromIt[i] == Integer.MAX_VALUE ? 0 : Math.exp(-fromIt[i]);
      }
    }
    return order;
  }

  private int[] distances(int from) {
    int[] result = new int[positions];
    Arrays.fill(result, Integer.MAX_VALUE);
    result[from] = 0;
    Queue<Integer> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      int one = next.remove();
      for (int other : neighbours.get(one)) {
        if (result[other] == Integer.MAX_VALUE) {
          result[other] = result[one] + 1;
          next.add(other);
        }
      }
    }
    return result;
  }

  /** How many at the end of an order are no neighbours of each other. */
  private int independentAtTheEnd(List<Integer> order) {
    boolean[] within = new boolean[positions];
    for (int count = 0; count < positions; count++) {
      int position = order.get(positions - 1 - count);
      if (neighbours.get(position).stream().anyMatch(other -> within[other])) {
        return count;
      }
      within[position] = true;
    }
    return positions;
  }

  /** So many sizes of at least 1 that grow by the same factor, and their sum. */
  static int[] growing(int sum, int count) {
    double low = 1;
    double high = sum;
    for (int i = 0; i < 100; i++) {
      double factor = Math.sqrt(low * high);
      if (Arrays.stream(powers(factor, count)).sum() < sum) {
        low = factor;
      } else {
        high = factor;
      }
    }
    double[] exact = powers(low, count);
    int[] sizes = new int[count];
    double due = 0;
    int given = 0;
    for (int i = 0; i < count; i++) {
      due += exact[i];
      sizes[i] = Math.max(1, (int) Math.round(Math.min(due, sum - (count - 1 - i))) - given);
      given += sizes[i];
    }
    sizes[count - 1] += sum - given;
    Arrays.sort(sizes); // rounding may have swapped neighbours
    return sizes;
  }

  private static double[] powers(double factor, int count) {
    double[] result = new double[count];
    Arrays.setAll(result, i -> Math.pow(factor, i));
    return result;
  }
}
