package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every way to make groups, for every small number of positions and passes. */
final class GroupsTest {
  private static final int MAX = 40;

  /** The group of each position. */
  private static int[] groupOf(Groups groups) {
    int[] groupOf = new int[groups.positions()];
    for (int group = 0; group < groups.count(); group++) {
      for (int position : groups.groups().get(group)) {
        groupOf[position] = group;
      }
    }
    return groupOf;
  }

  /** What holds for all groups. */
  private static void assertPartition(Groups groups, int positions, int passes) {
    assertThat(groups.positions()).isEqualTo(positions);
    assertThat(groups.count()).isEqualTo(passes);
    List<Integer> all = groups.groups().stream().flatMap(List::stream).toList();
    assertThat(all).containsExactlyInAnyOrderElementsOf(Order.natural(positions).positions());
    assertThat(groups.groups()).allSatisfy(group -> assertThat(group).isNotEmpty().isSorted());
    assertThat(groups.order().positions()).isEqualTo(all);
    assertThat(groups.areSingles()).isEqualTo(passes == positions);
    int[] starts = groups.starts();
    int[] inOrder = groups.inOrder();
    assertThat(starts).hasSize(passes + 1).startsWith(0).endsWith(positions);
    assertThat(inOrder).hasSize(positions);
    for (int group = 0; group < passes; group++) {
      assertThat(all.subList(starts[group], starts[group + 1]))
          .isEqualTo(groups.groups().get(group));
      for (int place = starts[group]; place < starts[group + 1]; place++) {
        assertThat(inOrder[place]).isEqualTo(group);
      }
    }
  }

  @Test
  void singlesFollowTheOrder() {
    for (int positions = 1; positions <= MAX; positions++) {
      for (Order order : List.of(Order.natural(positions), Order.spread(positions))) {
        Groups groups = Groups.singles(order);
        assertPartition(groups, positions, positions);
        assertThat(groups.order()).isEqualTo(order);
      }
    }
  }

  @Test
  void blocksDrawOneOfEveryBlockAtATime() {
    for (int positions = 1; positions <= MAX; positions++) {
      for (int passes = 1; passes <= positions; passes++) {
        Groups groups = Groups.blocks(positions, passes);
        assertPartition(groups, positions, passes);
        int[] groupOf = groupOf(groups);
        for (int position = 0; position < positions; position++) {
          // The place within its block, and blocks begin where the first pass draws.
          assertThat(groupOf[position])
              .isEqualTo(position == 0 ? 0 : (groupOf[position - 1] + 1) % passes);
        }
      }
    }
    assertThat(Groups.blocks(7, 3))
        .isEqualTo(new Groups(List.of(List.of(0, 3, 6), List.of(1, 4), List.of(2, 5))));
  }

  /** Every pass but the first draws what lies halfway between two that are known, or the end. */
  @Test
  void midpointsHalveWhatIsLeft() {
    for (int positions = 1; positions <= 2 * MAX; positions++) {
      Groups groups = Groups.midpoints(positions);
      int passes = 1;
      for (int reached = 1; reached < positions; reached *= 2) {
        passes++;
      }
      assertPartition(groups, positions, passes);
      assertThat(groups.groups().get(0)).containsExactly(0);
      int[] groupOf = groupOf(groups);
      for (int context = 1; context < passes; context++) {
        int reach = 1 << (passes - 1 - context);
        for (int position : groups.groups().get(context)) {
          assertThat(groupOf[position - reach]).isLessThan(context);
          if (position + reach < positions) {
            assertThat(groupOf[position + reach]).isLessThan(context);
          }
          // No other that is known lies nearer.
          int from = position - reach + 1;
          int to = Math.min(positions, position + reach);
          assertThat(Arrays.stream(groupOf, from, to).min()).hasValue(context);
        }
      }
    }
    assertThat(Groups.midpoints(8))
        .isEqualTo(new Groups(List.of(List.of(0), List.of(4), List.of(2, 6), List.of(1, 3, 5, 7))));
  }

  @Test
  void growingRunsGrowByNeighboursAlone() {
    for (int positions = 1; positions <= MAX; positions++) {
      for (int passes = 1; passes <= positions; passes++) {
        Groups groups = Groups.growing(positions, passes);
        assertPartition(groups, positions, passes);
        int[] groupOf = groupOf(groups);
        for (int position = 0; position < positions; position++) {
          boolean earlierNeighbour =
              (position > 0 && groupOf[position - 1] < groupOf[position])
                  || (position + 1 < positions && groupOf[position + 1] < groupOf[position]);
          // Only a run's first has nothing to go by, and all of these are drawn at once.
          assertThat(earlierNeighbour).isEqualTo(groupOf[position] > 0);
        }
        // A run of n passes is at most 2n - 1 long: no fewer would do.
        int fewest = (positions + 2 * passes - 2) / (2 * passes - 1);
        assertThat(groups.groups().get(0)).hasSize(fewest);
      }
    }
  }

  /** First to the right, one a pass; the last passes on either side. */
  @Test
  void aGrowingRunGoesRightFirstAndThenBothWays() {
    assertThat(groupOf(Groups.growing(5, 5))).containsExactly(0, 1, 2, 3, 4);
    assertThat(groupOf(Groups.growing(6, 5))).containsExactly(4, 0, 1, 2, 3, 4);
    assertThat(groupOf(Groups.growing(7, 5))).containsExactly(4, 3, 0, 1, 2, 3, 4);
    assertThat(groupOf(Groups.growing(9, 5))).containsExactly(4, 3, 2, 1, 0, 1, 2, 3, 4);
    assertThat(groupOf(Groups.growing(10, 5))).containsExactly(0, 1, 2, 3, 4, 0, 1, 2, 3, 4);
    assertThat(groupOf(Groups.growing(4, 1))).containsExactly(0, 0, 0, 0);
    for (int positions = 1; positions <= MAX; positions++) {
      assertThat(Groups.growing(positions, positions))
          .isEqualTo(Groups.singles(Order.natural(positions)));
      // Half as many passes are still one run.
      assertThat(Groups.growing(positions, positions / 2 + 1).groups().get(0)).hasSize(1);
    }
  }

  /** Whatever is asked, with at most one more at either end in a pass. */
  @Test
  void thereAreAsManyGrowingRunsAsAsked() {
    for (int positions = 1; positions <= MAX; positions++) {
      for (int passes = 1; passes <= positions; passes++) {
        int fewest = (positions + 2 * passes - 2) / (2 * passes - 1);
        int most = passes == 1 ? positions : (positions - 1) / (passes - 1);
        for (int runs = fewest; runs <= most; runs++) {
          Groups groups = Groups.growing(positions, passes, runs, 0);
          assertPartition(groups, positions, passes);
          for (List<Integer> group : groups.groups()) {
            assertThat(group).hasSizeLessThanOrEqualTo(2 * runs);
          }
          assertThat(groups.groups().get(0)).hasSize(runs);
        }
      }
    }
    assertThat(groupOf(Groups.growing(9, 4, 2, 1))).containsExactly(0, 1, 2, 3, 3, 2, 0, 1, 2);
  }

  @Test
  void tooFewAndTooManyRunsAreErrors() {
    for (int runs : List.of(-1, 0, 1, 4)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Groups.growing(15, 5, runs, 0))
          .withMessage("runs must be from 2 to 3 for 15 positions in 5 passes, but are " + runs);
    }
  }

  /** All compositions of all small numbers. */
  @Test
  void anOrderIsCutWhereAsked() {
    for (int positions = 1; positions <= 8; positions++) {
      Order order = Order.spread(positions);
      for (int[] sizes : compositions(positions).toList()) {
        Groups groups = Groups.cut(order, sizes);
        assertPartition(groups, positions, sizes.length);
        int from = 0;
        for (int group = 0; group < sizes.length; group++) {
          assertThat(groups.groups().get(group))
              .containsExactlyInAnyOrderElementsOf(
                  order.positions().subList(from, from + sizes[group]));
          from += sizes[group];
        }
      }
    }
  }

  /** Every row of positive numbers with a sum. */
  static Stream<int[]> compositions(int sum) {
    return IntStream.range(0, 1 << (sum - 1)).mapToObj(cuts -> composition(sum, cuts));
  }

  private static int[] composition(int sum, int cuts) {
    List<Integer> sizes = new ArrayList<>();
    int size = 1;
    for (int place = 0; place < sum - 1; place++) {
      if ((cuts >> place & 1) == 1) {
        sizes.add(size);
        size = 0;
      }
      size++;
    }
    sizes.add(size);
    return sizes.stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void groupsAreSortedAndTheirNumbersAreNot() {
    Groups groups = new Groups(List.of(List.of(3, 1), List.of(2, 0)));
    assertThat(groups.groups()).containsExactly(List.of(1, 3), List.of(0, 2));
    assertThat(groups.order()).isEqualTo(Order.of(1, 3, 0, 2));
    assertThat(Groups.of(4, position -> 1 - position % 2)).isEqualTo(groups);
  }

  @Test
  void whatIsNoPartitionIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Groups(List.of(List.of(0, 1), List.of(), List.of(2))))
        .withMessage("group 1 has no positions");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Groups(List.of(List.of(0, 1), List.of(1))))
        .withMessage("order [0, 1, 1] is not a permutation of 0..2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Groups(List.of(List.of(2), List.of(3))))
        .withMessage("order [2, 3] is not a permutation of 0..1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Groups.of(3, position -> 2 * (position / 2)))
        .withMessage("group 1 has no positions");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Groups.of(3, position -> position - 1))
        .withMessage("the group of position 0 must be between 0 and 2, but is -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Groups.of(3, position -> Integer.MAX_VALUE * position))
        .withMessage("the group of position 1 must be between 0 and 2, but is 2147483647");
  }

  @Test
  void passesMustBePossible() {
    for (int passes : new int[] {-1, 0, 6}) {
      String message = "passes must be between 1 and 5, but is " + passes;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Groups.blocks(5, passes))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Groups.growing(5, passes))
          .withMessage(message);
    }
  }

  @Test
  void sizesMustCutTheWholeOrder() {
    Order order = Order.natural(3);
    for (int[] sizes :
        List.of(
            new int[] {},
            new int[] {1, 1},
            new int[] {2, 2},
            new int[] {3, 0},
            new int[] {4, -1},
            new int[] {-1, 4},
            new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, 5})) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Groups.cut(order, sizes))
          .withMessage("sizes must be at least 1 and sum to 3, but are " + Arrays.toString(sizes));
    }
  }

  @Test
  void patchesAreTakenSymbolBySymbol() {
    Groups groups = Groups.of(3, position -> position == 1 ? 0 : 1).inPatches(2);
    assertThat(groups.groups())
        .containsExactly(List.of(2), List.of(3), List.of(0, 4), List.of(1, 5));
    assertThat(Groups.growing(7, 3).inPatches(1)).isEqualTo(Groups.growing(7, 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> groups.inPatches(0))
        .withMessageContaining("patch must be at least 1");
  }

  /** A right end is complete so many passes before the last, or as many as there is room for. */
  @Test
  void rightEndsMayLead() {
    assertThat(groupOf(Groups.growing(7, 5, 1))).containsExactly(4, 3, 2, 0, 1, 2, 3);
    assertThat(groupOf(Groups.growing(7, 5, 2))).containsExactly(4, 3, 2, 1, 0, 1, 2);
    assertThat(groupOf(Groups.growing(7, 5, 4))).isEqualTo(groupOf(Groups.growing(7, 5, 2)));
    assertThat(groupOf(Groups.growing(9, 5, 1))).isEqualTo(groupOf(Groups.growing(9, 5)));
    assertThat(groupOf(Groups.growing(5, 5, 3))).containsExactly(0, 1, 2, 3, 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Groups.growing(5, 5, -1))
        .withMessageContaining("lead must be at least 0");
  }
}
