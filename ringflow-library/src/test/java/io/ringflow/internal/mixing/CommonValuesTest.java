package io.ringflow.internal.mixing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CommonValuesTest {
  private static byte[] written(int[] numbers) throws IOException {
    var bytes = new ByteArrayOutputStream();
    CommonValues.write(numbers, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static int[] read(byte[] bytes, int length) throws IOException {
    int[] numbers = new int[length];
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      CommonValues.read(numbers, in);
      assertThat(in.read()).isEqualTo(-1);
    }
    return numbers;
  }

  @Test
  void everyNumberComesBack() throws IOException {
    var random = new SplittableRandom(1);
    int[] few = random.ints(100_000, 0, 50).map(i -> i * 0x9E3779B1).toArray();
    int[] all = random.ints(700_000).toArray(); // more than the list has place for
    int[] most = IntStream.range(0, 50_000).map(i -> i % 7 == 0 ? all[i] : few[i]).toArray();
    for (int[] numbers : new int[][] {{}, {0}, {-1, Integer.MIN_VALUE, 0}, few, all, most}) {
      assertThat(read(written(numbers), numbers.length)).isEqualTo(numbers);
    }
    assertThat(written(few)).hasSize(4 + 50 * 4 + 200_000);
  }

  @Test
  void whatIsCutShortOrNoListIsRefused() throws IOException {
    byte[] bytes = written(new int[] {3, 1, 4, 1, 5});
    assertThatThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - 1), 5))
        .isInstanceOf(EOFException.class);
    bytes[0] = 1;
    assertThatThrownBy(() -> read(bytes, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65535 at most");
  }
}
