package io.ringflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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
  void refusesWhatIsNoPermutation() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Order.of(0, 2, 2))
        .withMessage("order [0, 2, 2] is not a permutation of 0..2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Order.of(1, 2))
        .withMessage("order [1, 2] is not a permutation of 0..1");
  }
}
