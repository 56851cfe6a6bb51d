package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class OrderTest {
  @Property
  void theInverseUndoes(@ForAll @IntRange(max = 20) int size, @ForAll Random random) {
    List<Integer> positions = new ArrayList<>(Order.natural(size).positions());
    Collections.shuffle(positions, random);
    Order order = new Order(positions);
    Order inverse = order.inverse();
    for (int i = 0; i < size; i++) {
      assertThat(inverse.positions().get(order.positions().get(i))).isEqualTo(i);
    }
    assertThat(inverse.inverse()).isEqualTo(order);
  }

  @Test
  void theNamedOrders() {
    assertThat(Order.natural(3)).isEqualTo(Order.of(0, 1, 2));
    assertThat(Order.reversed(3)).isEqualTo(Order.of(2, 1, 0));
    assertThat(Order.natural(3).isNatural()).isTrue();
    assertThat(Order.reversed(3).isNatural()).isFalse();
  }

  @Test
  void aSpreadOrderReadsNumbersBackwards() {
    assertThat(Order.spread(1)).isEqualTo(Order.of(0));
    assertThat(Order.spread(2)).isEqualTo(Order.of(0, 1));
    assertThat(Order.spread(8)).isEqualTo(Order.of(0, 4, 2, 6, 1, 5, 3, 7));
    assertThat(Order.spread(5)).isEqualTo(Order.of(0, 4, 2, 1, 3));
  }

  /**
   * The multiples of a power of two come before all others: the halves, the quarters, and so on.
   */
  @Test
  void theFirstOfASpreadOrderLieEvenly() {
    for (int size = 1; size <= 70; size++) {
      List<Integer> positions = Order.spread(size).positions();
      assertThat(positions).hasSize(size); // and a permutation, as every order
      for (int step = 1; step < 2 * size; step *= 2) {
        int count = (size + step - 1) / step;
        int apart = step;
        assertThat(positions.subList(0, count))
            .containsExactlyInAnyOrderElementsOf(
                IntStream.range(0, count).mapToObj(i -> i * apart).toList());
      }
    }
  }

  /** Between two of a first part lies one gap, or twice that. */
  @Test
  void anyFirstPartOfASpreadOrderLiesAboutEvenly() {
    for (int size = 2; size <= 70; size++) {
      for (int count = 2; count <= size; count++) {
        int[] sorted =
            Order.spread(size).positions().stream()
                .limit(count)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        int[] gaps = IntStream.range(1, count).map(i -> sorted[i] - sorted[i - 1]).toArray();
        int least = Arrays.stream(gaps).min().orElseThrow();
        assertThat(Arrays.stream(gaps).allMatch(gap -> gap == least || gap == 2 * least)).isTrue();
      }
    }
  }

  @Test
  void refusesWhatIsNoPermutation() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Order.of(0, 2, 2))
        .withMessage("order [0, 2, 2] is not a permutation of 0..2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Order.of(1, 2))
        .withMessage("order [1, 2] is not a permutation of 0..1");
  }
}
