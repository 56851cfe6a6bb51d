package io.ringflow.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a parameter says of itself. */
final class ParameterTest {
  @Test
  void matricesStartAsTheParameterDid() {
    Parameter plain = Parameter.normal(0.5, 6, 2);
    Parameter three = plain.asMatrices(3);
    assertThat(plain.matrices()).isZero();
    assertThat(three.matrices()).isEqualTo(3);
    assertThat(three.shape()).containsExactly(6, 2);
    assertThat(three.initialize(new SplittableRandom(1)))
        .containsExactly(plain.initialize(new SplittableRandom(1)));
  }

  @Test
  void whatDoesNotConsistOfMatricesIsNamed() {
    assertThatThrownBy(() -> Parameter.zeros(5, 2).asMatrices(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Parameter[5, 2] does not consist of 3 matrices one below the other");
    assertThatThrownBy(() -> Parameter.zeros(6).asMatrices(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Parameter[6] does not consist of 1 matrices");
    assertThatThrownBy(() -> Parameter.zeros(6, 2).asMatrices(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of 0 matrices");
  }
}
