package io.ringflow.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.internal.store.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PrecisionTest {
  @ParameterizedTest
  @EnumSource(Precision.class)
  void namesAreNotPicky(Precision precision) {
    assertThat(Precision.of(precision.toString())).isEqualTo(precision);
    assertThat(Precision.of(precision.name())).isEqualTo(precision);
  }

  @Test
  void namesAreThoseOfTheField() {
    assertThat(Precision.values())
        .extracting(Precision::toString)
        .containsExactly("bfloat16", "float32", "float64");
  }

  @Test
  void otherNamesAreRefused() {
    for (String name : new String[] {"half", "", "float", "float16"}) {
      assertThatThrownBy(() -> Precision.of(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("precision must be float64, float32 or bfloat16, but is '" + name + "'");
    }
  }

  /** As models that are trained already have it. */
  @Test
  void filesHaveTheConstantsName() {
    assertThat(Json.plain(Map.of("precision", Precision.BFLOAT16)))
        .hasToString("{precision=BFLOAT16}");
  }
}
