package io.ringflow.infer;

import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
  private final Set<Integer> independent;

  GraphOrder(List<List<Integer>> neighbours) {
    this.neighbours = neighbours;
    this.positions = neighbours.size();
    this.independent = independent();
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
    int before = before();
    if (passes == 1 || before == 0) {
      return Groups.cut(new Order(order), growing(positions, passes));
    }
    // Fewer groups than asked for would waste passes where all but a few positions are independent.
    before = Math.max(before, passes - 1);
    int[] sizes = Arrays.copyOf(growing(before, passes - 1), passes);
    sizes[passes - 1] = positions - before;
    return Groups.cut(new Order(order), sizes);
  }

  /** How many positions come before those of the last pass, at least. */
  int before() {
    return positions - independent.size();
  }

  /**
   * Positions in the order of their distance from all before them, the farthest first; those that
   * are independent of each other at the end.
   */
  private List<Integer> farthestFirst() {
    int[] distance = new int[positions]; // from the nearest that is chosen
    Arrays.fill(distance, Integer.MAX_VALUE);
    double[] crowd = new double[positions]; // how many are chosen nearby: decides between equals
    Set<Integer> order = new LinkedHashSet<>();
    while (order.size() < positions) {
      boolean others = order.size() < before();
      int best = -1;
      for (int i = 0; i < positions; i++) {
        if (!order.contains(i)
            && others != independent.contains(i)
            && (best < 0
                || distance[i] > distance[best]
                || (distance[i] == distance[best] && crowd[i] < crowd[best] - 1e-9))) {
          best = i;
        }
      }
      order.add(best);
      int[] fromIt = distances(best);
      for (int i = 0; i < positions; i++) {
        distance[i] = Math.min(distance[i], fromIt[i]);
        crowd[i] += fromIt[i] == Integer.MAX_VALUE ? 0 : Math.exp(-fromIt[i]);
      }
    }
    return List.copyOf(order);
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

  /**
   * Positions of which no two are neighbours, as many as are found: of parts with two colours the
   * more frequent one, of others those with the fewest neighbours first.
   */
  private Set<Integer> independent() {
    Set<Integer> found = new HashSet<>();
    boolean[] seen = new boolean[positions];
    for (int first = 0; first < positions; first++) {
      if (!seen[first]) {
        int[] distance = distances(first);
        List<Integer> part =
            IntStream.range(0, positions)
                .filter(i -> distance[i] < Integer.MAX_VALUE)
                .boxed()
                .toList();
        part.forEach(i -> seen[i] = true);
        found.addAll(independent(part, distance));
      }
    }
    return found;
  }

  private List<Integer> independent(List<Integer> part, int[] distance) {
    boolean twoColours =
        part.stream()
            .allMatch(
                i ->
                    neighbours.get(i).stream().allMatch(j -> (distance[i] + distance[j]) % 2 == 1));
    if (twoColours) {
      Map<Boolean, List<Integer>> odd =
          part.stream().collect(Collectors.partitioningBy(i -> distance[i] % 2 == 1));
      return odd.get(true).size() >= odd.get(false).size() ? odd.get(true) : odd.get(false);
    }
    Set<Integer> chosen = new LinkedHashSet<>();
    part.stream()
        .sorted(Comparator.comparingInt(i -> neighbours.get(i).size()))
        .filter(i -> neighbours.get(i).stream().noneMatch(chosen::contains))
        .forEach(chosen::add);
    return List.copyOf(chosen);
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
