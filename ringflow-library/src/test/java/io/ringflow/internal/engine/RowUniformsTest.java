package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A row's numbers are its own, however rows are cut into chunks. */
final class RowUniformsTest {
  private static final int PER_ROW = 3;
  private static final int ROWS = 6;

  /** Those of rows {@code from <= i < to}, by the definition. */
  private static double[] expected(long seed, int from, int to) {
    var random = new SplittableRandom(seed);
    double[] all = new double[to * PER_ROW];
    Arrays.setAll(all, i -> random.nextDouble());
    return Arrays.copyOfRange(all, from * PER_ROW, all.length);
  }

  /** All 32 cuts of six rows into chunks that follow one another. */
  @Test
  void everyCutGivesTheSameNumbers() {
    for (int cuts = 0; cuts < 1 << (ROWS - 1); cuts++) {
      var numbers = new RowUniforms(cuts, PER_ROW);
      int from = 0;
      for (int to = 1; to <= ROWS; to++) {
        if (to == ROWS || (cuts >> (to - 1) & 1) == 1) {
          assertThat(numbers.rows(from, to, to - from)).containsExactly(expected(cuts, from, to));
          from = to;
        }
      }
    }
  }

  /**
   * All ways to ask for six rows where every chunk may have been asked for in one larger size
   * before, as when memory did not suffice.
   */
  @Test
  void retriesGiveTheSameNumbers() {
    for (int length = 1; length <= ROWS; length++) {
      for (int tried = length; tried <= ROWS; tried++) {
        var numbers = new RowUniforms(7, PER_ROW);
        for (int from = 0; from < ROWS; from += length) {
          for (int size = tried; size >= length; size--) {
            int to = Math.min(ROWS, from + size);
            assertThat(numbers.rows(from, to, to - from)).containsExactly(expected(7, from, to));
          }
        }
      }
    }
  }

  /** Every pair of ranges of which the second does not begin before the first. */
  @Test
  void rowsMayBeLeftOut() {
    for (int first = 0; first < ROWS; first++) {
      for (int firstEnd = first; firstEnd <= ROWS; firstEnd++) {
        for (int second = first; second < ROWS; second++) {
          var numbers = new RowUniforms(3, PER_ROW);
          assertThat(numbers.rows(first, firstEnd, firstEnd - first))
              .containsExactly(expected(3, first, firstEnd));
          assertThat(numbers.rows(second, ROWS, ROWS - second))
              .containsExactly(expected(3, second, ROWS));
        }
      }
    }
  }

  @Test
  void surplusRowsAreZeros() {
    double[] padded = new RowUniforms(5, PER_ROW).rows(0, 2, 4);
    assertThat(padded).hasSize(4 * PER_ROW).startsWith(expected(5, 0, 2)).endsWith(new double[6]);
  }
}
