package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The best sizes against all there are. */
final class GroupSizesTest {
  private static final int ROUNDS = 40;

  private static double cost(double[] lossWhenKnown, int[] sizes) {
    double total = 0;
    int known = 0;
    for (int size : sizes) {
      total += size * lossWhenKnown[known];
      known += size;
    }
    return total;
  }

  @Test
  void noOtherSizesCostLess() {
    var random = new SplittableRandom(3);
    for (int positions = 1; positions <= 9; positions++) {
      for (int round = 0; round < ROUNDS; round++) {
        // Of any sign and in any order: nothing is said of losses but that they are finite.
        double[] losses = random.doubles(positions, -1, 3).toArray();
        for (int passes = 1; passes <= positions; passes++) {
          int[] best = GroupSizes.best(losses, passes);
          int count = passes;
          assertThat(best).hasSize(passes);
          assertThat(Arrays.stream(best).allMatch(size -> size >= 1)).isTrue();
          assertThat(Arrays.stream(best).sum()).isEqualTo(positions);
          double least =
              GroupsTest.compositions(positions)
                  .filter(sizes -> sizes.length == count)
                  .mapToDouble(sizes -> cost(losses, sizes))
                  .min()
                  .orElseThrow();
          assertThat(cost(losses, best)).isCloseTo(least, within(1e-12));
        }
      }
    }
  }

  /** Where more knowledge never hurts, neither do more passes; all of them cost no delay at all. */
  @Test
  void morePassesNeverCostMore() {
    var random = new SplittableRandom(4);
    for (int round = 0; round < ROUNDS; round++) {
      int positions = 1 + random.nextInt(60);
      double[] rising = random.doubles(positions, 0, 3).sorted().toArray();
      double[] losses = new double[positions];
      Arrays.setAll(losses, known -> rising[positions - 1 - known]);
      double before = Double.POSITIVE_INFINITY;
      for (int passes = 1; passes <= positions; passes++) {
        double cost = cost(losses, GroupSizes.best(losses, passes));
        assertThat(cost).isLessThanOrEqualTo(before + 1e-12);
        before = cost;
      }
      assertThat(before).isCloseTo(Arrays.stream(losses).sum(), within(1e-9));
      assertThat(GroupSizes.best(losses, 1)).containsExactly(positions);
    }
  }

  /** As the class says: a few go first and many last. */
  @Test
  void whatIsKnownPaysFirst() {
    double[] losses = {3, 1, 0.5, 0.25, 0.25, 0.25, 0.25, 0.25};
    assertThat(GroupSizes.best(losses, 1)).containsExactly(8);
    assertThat(GroupSizes.best(losses, 2)).containsExactly(2, 6);
    assertThat(GroupSizes.best(losses, 3)).containsExactly(1, 2, 5);
    assertThat(Groups.cut(Order.spread(8), GroupSizes.best(losses, 3)).groups())
        .containsExactly(List.of(0), List.of(2, 4), List.of(1, 3, 5, 6, 7));
  }

  @Test
  void whatCanNotBeCutIsRefused() {
    for (int passes : new int[] {-1, 0, 3}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GroupSizes.best(new double[] {2, 1}, passes))
          .withMessage("passes must be between 1 and 2, but is " + passes);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GroupSizes.best(new double[0], 1))
        .withMessage("passes must be between 1 and 0, but is 1");
    for (double loss :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GroupSizes.best(new double[] {2, loss, 1}, 2))
          .withMessage("lossWhenKnown must be finite, but with 1 known it is " + loss);
    }
  }
}
