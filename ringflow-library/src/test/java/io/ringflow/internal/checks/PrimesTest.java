package io.ringflow.internal.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The largest prime numbers up to others, by trial division. */
final class PrimesTest {
  @Test
  void theyAreTheLargestUpToANumber() {
    int last = 0;
    for (int number = -1; number < 1000; number++) {
      int candidate = number;
      if (number > 1 && IntStream.range(2, number).allMatch(factor -> candidate % factor != 0)) {
        last = number;
      }
      assertThat(Primes.atMost(number)).isEqualTo(Math.min(last, Math.max(0, number)));
    }
  }

  @Test
  void nothingIsLargerThanAnInt() {
    assertThat(Primes.atMost(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
