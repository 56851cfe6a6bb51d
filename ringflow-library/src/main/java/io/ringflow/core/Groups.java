package io.ringflow.core;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The positions in groups that come one after the other: those of a group are sampled in one pass,
 * given all groups before it.
 *
 * <p>What a model loses by sampling symbols together is what they still know of each other once the
 * earlier groups are known. So symbols that are far apart, or well determined, go together; {@code
 * docs/parallel.md} compares the orders below.
 *
 * @param groups the positions of each group, in ascending order
 */
public record Groups(@JsonValue List<List<Integer>> groups) {
  /** Checks that every position occurs once, and sorts each group. */
  @JsonCreator
  public Groups {
    groups = groups.stream().map(group -> group.stream().sorted().toList()).toList();
    int empty = groups.indexOf(List.<Integer>of());
    if (empty >= 0) {
      throw new IllegalArgumentException("group " + empty + " has no positions");
    }
    orderOf(groups); // is a permutation, or says why not
  }

  private static Order orderOf(List<List<Integer>> groups) {
    return new Order(groups.stream().flatMap(List::stream).toList());
  }

  /** One position after the other. */
  public static Groups singles(Order order) {
    return new Groups(order.positions().stream().map(List::of).toList());
  }

  /**
   * Each position in the group of a number.
   *
   * @param groupOf the group of each position, {@code 0 … S-1}, none left out
   */
  public static Groups of(int positions, IntUnaryOperator groupOf) {
    int[] group = IntStream.range(0, positions).map(groupOf).toArray();
    for (int position = 0; position < positions; position++) {
      if (group[position] < 0 || group[position] >= positions) {
        throw new IllegalArgumentException(
            "the group of position "
                + position
                + " must be between 0 and "
                + (positions - 1)
                + ", but is "
                + group[position]);
      }
    }
    int count = 1 + Arrays.stream(group).max().orElse(-1);
    List<List<Integer>> groups =
        Stream.generate(() -> new ArrayList<Integer>())
            .limit(count)
            .map(list -> (List<Integer>) list)
            .toList();
    for (int position = 0; position < positions; position++) {
      groups.get(group[position]).add(position);
    }
    return new Groups(groups);
  }

  /** Equal blocks of so many neighbours: pass j samples the j-th of every block. */
  public static Groups blocks(int positions, int passes) {
    requirePasses(positions, passes);
    return of(positions, position -> position % passes);
  }

  /** First the first, then the middle, then the middles of what is left, and so on. */
  public static Groups midpoints(int positions) {
    int levels = 32 - Integer.numberOfLeadingZeros(positions - 1);
    return of(
        positions,
        position -> position == 0 ? 0 : levels - Integer.numberOfTrailingZeros(position));
  }

  /**
   * Runs of neighbours that grow: first one symbol each, to the right of which pass after pass adds
   * one; the last passes add one at either end, until the runs meet.
   *
   * <p>A run's two ends know little of each other beyond the run itself, so that sampling both
   * together loses little; and as few runs as possible begin with nothing to go by. As many passes
   * as positions are one run from left to right; half as many still are.
   */
  public static Groups growing(int positions, int passes) {
    return growing(positions, passes, 0);
  }

  /**
   * Growing runs whose right ends are complete some passes before the last, where there are passes
   * enough: what the next run adds on its left then meets symbols that are known.
   *
   * @param lead by how many passes right ends come before left ones
   */
  public static Groups growing(int positions, int passes, int lead) {
    requirePasses(positions, passes);
    return growing(positions, passes, fewestRuns(positions, passes), lead);
  }

  /**
   * So many growing runs: more than the fewest grow less to the left.
   *
   * @param runs so many that passes suffice, and so few that every pass adds something
   * @param lead by how many passes right ends come before left ones
   */
  public static Groups growing(int positions, int passes, int runs, int lead) {
    requirePasses(positions, passes);
    int min = fewestRuns(positions, passes);
    int max = passes == 1 ? positions : (positions - 1) / (passes - 1); // the longest takes all
    if (runs < min || runs > max) {
      throw new IllegalArgumentException(
          "runs must be from "
              + min
              + " to "
              + max
              + " for "
              + positions
              + " positions in "
              + passes
              + " passes, but are "
              + runs);
    }
    if (lead < 0) {
      throw new IllegalArgumentException("lead must be at least 0, but is " + lead);
    }
    int[] groupOf = new int[positions];
    for (int run = 0; run < runs; run++) {
      int from = (int) ((long) positions * run / runs);
      int to = (int) ((long) positions * (run + 1) / runs);
      int length = to - from;
      // To the right passes can be left out, as long as the left has enough: all but the first.
      int rightwards = length <= passes ? length : Math.max(passes - lead, length - (passes - 1));
      int leftwards = length - rightwards;
      for (int i = from; i < to; i++) {
        int fromCore = i - from - leftwards;
        groupOf[i] = fromCore >= 0 ? fromCore : passes - leftwards - 1 - fromCore;
      }
    }
    return of(positions, position -> groupOf[position]);
  }

  /** How many growing runs there must be: one is as long as passes at either end make it. */
  private static int fewestRuns(int positions, int passes) {
    return (positions + 2 * passes - 2) / (2 * passes - 1);
  }

  /**
   * An order cut into groups.
   *
   * @param sizes of the groups
   */
  public static Groups cut(Order order, int... sizes) {
    boolean positive = Arrays.stream(sizes).allMatch(size -> size > 0);
    if (!positive || Arrays.stream(sizes).asLongStream().sum() != order.size()) {
      throw new IllegalArgumentException(
          "sizes must be at least 1 and sum to "
              + order.size()
              + ", but are "
              + Arrays.toString(sizes));
    }
    List<List<Integer>> groups = new ArrayList<>();
    int from = 0;
    for (int size : sizes) {
      groups.add(order.positions().subList(from, from + size));
      from += size;
    }
    return new Groups(groups);
  }

  /**
   * An order cut into as many groups as there are passes, of the sizes that cost least likelihood.
   *
   * @param lossWhenKnown of a symbol that comes later, once the first {@code n} of the order are
   *     known, for n from 0 to D - 1; finite
   */
  public static Groups cut(Order order, double[] lossWhenKnown, int passes) {
    return cut(order, GroupSizes.best(lossWhenKnown, passes));
  }

  /**
   * The groups of finer positions, where each position of these is a patch of so many neighbours:
   * the symbols of a patch come one after the other, the first of all patches of a group together,
   * then the second, and so on.
   *
   * @param patch symbols of a patch
   */
  public Groups inPatches(int patch) {
    if (patch < 1) {
      throw new IllegalArgumentException("patch must be at least 1, but is " + patch);
    }
    List<List<Integer>> finer = new ArrayList<>();
    for (List<Integer> group : groups) {
      for (int i = 0; i < patch; i++) {
        int place = i;
        finer.add(group.stream().map(position -> position * patch + place).toList());
      }
    }
    return new Groups(finer);
  }

  private static void requirePasses(int positions, int passes) {
    if (passes < 1 || passes > positions) {
      throw new IllegalArgumentException(
          "passes must be between 1 and " + positions + ", but is " + passes);
    }
  }

  /** The number of groups, S. */
  public int count() {
    return groups.size();
  }

  /** The number of positions, D. */
  public int positions() {
    return groups.stream().mapToInt(List::size).sum();
  }

  /** The positions, group after group. */
  public Order order() {
    return orderOf(groups);
  }

  /** Whether every group is of one position. */
  public boolean areSingles() {
    return groups.stream().allMatch(group -> group.size() == 1);
  }

  /** Where each group begins in the {@link #order}, and D at the end: {@code S + 1} numbers. */
  public int[] starts() {
    int[] starts = new int[count() + 1];
    for (int i = 0; i < count(); i++) {
      starts[i + 1] = starts[i] + groups.get(i).size();
    }
    return starts;
  }

  /** The group of each place in the {@link #order}: D numbers that do not fall. */
  public int[] inOrder() {
    return IntStream.range(0, count())
        .flatMap(group -> IntStream.generate(() -> group).limit(groups.get(group).size()))
        .toArray();
  }
}
