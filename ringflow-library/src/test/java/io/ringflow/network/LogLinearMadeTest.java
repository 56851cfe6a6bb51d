package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogLinearMadeTest {
  private static final LogLinearMade BITS = new LogLinearMade(8, List.of(2, 2, 2), 2);

  @Test
  void sizesMustMakeSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogLinearMade(8, List.of(2, 2), 3))
        .withMessage("order must be from 1 to the 2 digits, but is 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogLinearMade(8, Collections.nCopies(13, 2), 1))
        .withMessageStartingWith("digits must make at most 4096 values, but make more: [2, ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogLinearMade(8, List.of(2, 1), 1))
        .withMessageContaining("digits must be at least 2, but is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogLinearMade(0, List.of(2), 1))
        .withMessageContaining("hidden must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogLinearMade(8, List.of(2), 1, List.of(List.of(), List.of(2))))
        .withMessage("direct must name positions from 0 to 1, but names 2");
  }

  @Test
  void onlySymbolsOfItsDigitsArePredicted() {
    Groups groups = Groups.singles(Order.natural(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BITS.causal(Space.uniform(2, 9), groups, Space.NONE, 9))
        .withMessageStartingWith("digits [2, 2, 2] make 8 values, but the space is ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BITS.causal(Space.uniform(2, 8), groups, Space.NONE, 16))
        .withMessageContaining("a logit for each of 8 symbols, but is asked for 16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BITS.bipartite(Space.uniform(2, 8), Mask.even(2), Space.NONE, 8))
        .withMessageContaining("use Made");
    LogLinearMade three =
        new LogLinearMade(8, List.of(2), 1, List.of(List.of(), List.of(), List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> three.causal(Space.uniform(2, 2), groups, Space.NONE, 2))
        .withMessage("direct is of 3 positions, but the space has 2");
  }
}
