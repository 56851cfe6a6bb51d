package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class MaskTest {
  @Test
  void theNamedMasks() {
    assertThat(Mask.even(5).bits()).isEqualTo("10101");
    assertThat(Mask.odd(5).bits()).isEqualTo("01010");
    assertThat(Mask.firstHalf(5).bits()).isEqualTo("11100");
    assertThat(Mask.firstHalf(4).bits()).isEqualTo("1100");
    assertThat(Mask.blocks(7, 2).bits()).isEqualTo("1100110");
  }

  @Property
  void keptAndMovedShareThePositions(
      @ForAll @IntRange(min = 2, max = 12) int size, @ForAll @IntRange(max = 1 << 12) int bits) {
    int inner = bits & ((1 << size) - 1);
    Assume.that(inner > 0 && inner < (1 << size) - 1);
    Mask mask = Mask.keep(size, d -> (inner >> d & 1) == 1);
    assertThat(IntStream.range(0, size).filter(mask::keeps).boxed().toList())
        .isEqualTo(mask.kept());
    assertThat(mask.complement().kept()).isEqualTo(mask.moved());
    assertThat(mask.complement().complement()).isEqualTo(mask);
    assertThat(mask.kept().size() + mask.moved().size()).isEqualTo(mask.size());
  }

  @Test
  void keepingNoneIsAllowed() {
    assertThat(new Mask("000").kept()).isEmpty();
  }

  @Test
  void hidesKeptPositionsAlone() {
    Mask mask = Mask.even(5).hiding(d -> d < 2);
    assertThat(mask.bits()).isEqualTo("-0101");
    assertThat(mask.kept()).containsExactly(0, 2, 4);
    assertThat(mask.seen()).containsExactly(2, 4);
    assertThat(mask.moved()).containsExactly(1, 3);
    assertThat(mask.complement().bits()).isEqualTo("01010");
    assertThat(mask.keeps(0)).isTrue();
    assertThat(mask.sees(0)).isFalse();
  }

  @Test
  void refusesWhatIsNoMask() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Mask("10x"))
        .withMessage("mask must be a row of 0, 1 and -, but is '10x'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Mask(""))
        .withMessage("mask must be a row of 0, 1 and -, but is ''");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Mask("111"))
        .withMessage("mask 111 keeps every position, so the layer would do nothing");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Mask.blocks(4, 0))
        .withMessage("block length must be at least 1, but is 0");
  }
}
