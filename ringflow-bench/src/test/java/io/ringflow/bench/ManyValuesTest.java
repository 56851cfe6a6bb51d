package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class ManyValuesTest {
  /** What is known of a rare name's city is lost where it is one of the rare. */
  @Test
  void printsCostsSideBySide() throws IOException {
    Printed found = Printed.by(new ManyValues(600, 12_000, Duration.ofSeconds(1))::print);
    double floor = found.number("the distribution itself |", 1);
    double inParts = found.number("names in two parts", 1);
    assertThat(inParts).isBetween(floor, found.number("all but 255 names rare", 1));
    double exact = found.number("the distribution itself, ", 1);
    assertThat(exact).isBetween(1.0, Math.log(600));
    assertThat(found.number("the model, ", 1)).isBetween(exact - 0.2, Math.log(600));
  }
}
