package io.ringflow.paper.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** N-gram entropies of rows whose distributions are known. */
final class NgramEntropyTest {
  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }

  @Test
  void ofSingleSymbolsItIsTheEntropyOfTheirFrequencies() {
    int[][] rows = {{0, 0, 0, 0}, {1, 1, 2, 3}};
    assertThat(NgramEntropy.bits(rows, 1, 4)).isCloseTo(0.5 + 0.5 + 2 * 0.375, within(1e-12));
    assertThat(NgramEntropy.bits(new int[][] {{5, 5, 5}}, 1, 6)).isZero();
  }

  /** Each of all rows once: every symbol is independent of those before it. */
  @Test
  void ofAllRowsItIsTheLogarithmOfTheSymbols() {
    int[][] all = IntStream.range(0, 243).mapToObj(i -> digits(i, 5)).toArray(int[][]::new);
    for (int n = 1; n <= 5; n++) {
      assertThat(NgramEntropy.bits(all, n, 3)).isCloseTo(log2(3), within(1e-12));
    }
  }

  private static int[] digits(int number, int length) {
    int[] digits = new int[length];
    for (int i = 0, rest = number; i < length; i++, rest /= 3) {
      digits[i] = rest % 3;
    }
    return digits;
  }

  /** Every fourth symbol is the sum of the three before it: known to who sees three. */
  @Test
  void whatFollowsFromTheSymbolsBeforeItHasNone() {
    int[][] rows =
        IntStream.range(0, 27)
            .mapToObj(
                i -> {
                  int[] row = Arrays.copyOf(digits(i, 3), 4);
                  row[3] = (row[0] + row[1] + row[2]) % 3;
                  return row;
                })
            .toArray(int[][]::new);
    assertThat(NgramEntropy.bits(rows, 3, 3)).isCloseTo(log2(3), within(1e-12));
    assertThat(NgramEntropy.bits(rows, 4, 3)).isCloseTo(0, within(1e-12));
  }

  /** Against the definition, by counts in maps. */
  @Test
  void itIsTheConditionalEntropyOfCounts() {
    var random = new SplittableRandom(3);
    int[][] rows = new int[40][30];
    for (int[] row : rows) {
      Arrays.setAll(row, i -> random.nextInt(1 + random.nextInt(27)));
    }
    for (int n : new int[] {1, 2, 4}) {
      Map<List<Integer>, Map<Integer, Integer>> counts = new HashMap<>();
      int all = 0;
      for (int[] row : rows) {
        List<Integer> symbols = Arrays.stream(row).boxed().toList();
        for (int to = n; to <= row.length; to++) {
          counts
              .computeIfAbsent(symbols.subList(to - n, to - 1), key -> new HashMap<>())
              .merge(row[to - 1], 1, Integer::sum);
          all++;
        }
      }
      double bits = 0;
      for (Map<Integer, Integer> next : counts.values()) {
        double sum = next.values().stream().mapToInt(count -> count).sum();
        for (int count : next.values()) {
          bits -= count * log2(count / sum) / all;
        }
      }
      assertThat(NgramEntropy.bits(rows, n, 27)).isCloseTo(bits, within(1e-10));
    }
  }

  @Test
  void saysWhatCanNotBeCounted() {
    int[][] rows = {{0, 1, 2}};
    assertThatThrownBy(() -> NgramEntropy.bits(rows, 4, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no row has 4 symbols");
    assertThatThrownBy(() -> NgramEntropy.bits(rows, 0, 3)).hasMessageContaining("n is 0");
    assertThatThrownBy(() -> NgramEntropy.bits(rows, 4, 1 << 16))
        .hasMessage("n must be at least 1 and 65536^n below 2^63, but n is 4");
  }
}
