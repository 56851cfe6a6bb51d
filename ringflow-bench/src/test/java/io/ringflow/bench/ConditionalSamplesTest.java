package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ConditionalSamplesTest {
  @Test
  void everyConditionHasItsRows() throws IOException {
    Printed found =
        Printed.by(new ConditionalSamples(2, 300, Duration.ofMillis(500), 300, null)::print);
    assertThat(found.number("conditions under which all rows", 1)).isEqualTo(2);
    assertThat(found.number("rows that violate", 1)).isZero();
    assertThat(found.text()).contains("chi-square tests");
  }
}
