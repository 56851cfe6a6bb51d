package io.ringflow.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.testing.LeakCheck;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
final class TensorsTest {
  private static final int COUNT = 30_000;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 0x9E3779B97F4A7C15L, Long.MIN_VALUE, Long.MAX_VALUE - 5})
  void uniformNumbersAreThoseOfTheHashInJava(long seed) {
    double[] wanted = new double[COUNT];
    Arrays.setAll(wanted, i -> uniform(seed + i));
    double[] found;
    try (Scope scope = Scope.inference()) {
      Tensor like = Tensors.zeros(Precision.FLOAT32, Device.CPU, 1);
      Tensor uniforms = Tensors.uniforms(seed, like, 100, 3, COUNT / 300);
      assertThat(uniforms.shape()).containsExactly(100, 3, COUNT / 300);
      found = Tensors.toDoubles(uniforms);
    }
    assertThat(found).containsExactly(wanted);
    assertThat(Arrays.stream(found).allMatch(value -> value >= 0 && value < 1)).isTrue();
    // Four standard deviations of the mean, and of the share below a tenth.
    double deviation = Math.sqrt(1 / 12.0 / COUNT);
    assertThat(Arrays.stream(found).average().orElseThrow()).isCloseTo(0.5, within(4 * deviation));
    double low = (double) Arrays.stream(found).filter(value -> value < 0.1).count() / COUNT;
    assertThat(low).isCloseTo(0.1, within(4 * Math.sqrt(0.09 / COUNT)));
  }

  private static double uniform(long counter) {
    long x = counter * 0xFF51AFD7ED558CCDL;
    x = (x ^ (x >>> 33)) * 0xC4CEB9FE1A85EC53L;
    x ^= x >>> 33;
    return (x >>> 40) * 0x1p-24;
  }

  @Test
  void halfTensorsArePaddedToMultiplesOfEight() {
    try (Scope scope = Scope.inference()) {
      Tensor half = counting(Precision.BFLOAT16, 3, 5);
      Tensor wider = Tensors.paddedForMatrixUnits(half, 0);
      assertThat(wider.shape()).containsExactly(3, 8);
      assertThat(wider.narrow(1, 0, 5).equal(half)).isTrue();
      assertThat(Tensors.toDoubles(wider.narrow(1, 5, 3))).containsOnly(0);
      Tensor longer = Tensors.paddedForMatrixUnits(half, 1);
      assertThat(longer.shape()).containsExactly(8, 5);
      assertThat(longer.narrow(0, 0, 3).equal(half)).isTrue();
      assertThat(Tensors.toDoubles(longer.narrow(0, 3, 5))).containsOnly(0);
      Tensor fits = counting(Precision.BFLOAT16, 16, 8);
      assertThat(Tensors.paddedForMatrixUnits(fits, 0)).isSameAs(fits);
      assertThat(Tensors.paddedForMatrixUnits(fits, 1)).isSameAs(fits);
    }
  }

  @Test
  void wholeTensorsAreNot() {
    try (Scope scope = Scope.inference()) {
      for (Precision precision : new Precision[] {Precision.FLOAT32, Precision.FLOAT64}) {
        Tensor whole = counting(precision, 3, 5);
        assertThat(Tensors.paddedForMatrixUnits(whole, 0)).isSameAs(whole);
        assertThat(Tensors.paddedForMatrixUnits(whole, 1)).isSameAs(whole);
        assertThat(Tensors.widened(whole)).isSameAs(whole);
      }
    }
  }

  private static Tensor counting(Precision precision, int rows, int columns) {
    double[] values = new double[rows * columns];
    Arrays.setAll(values, i -> i + 1);
    return Tensors.reals(values, precision, Device.CPU, rows, columns);
  }

  @Test
  void aSeedOnTheDeviceGivesTheNumbersOfOneOnTheHost() {
    try (Scope scope = Scope.inference()) {
      for (long seed : new long[] {0, 7, Long.MAX_VALUE, -3}) {
        Tensor onDevice = Tensors.longs(new long[] {seed}, Device.CPU, 1);
        for (long offset : new long[] {0, 5, Long.MAX_VALUE}) {
          Tensor expected = Tensors.uniforms(seed + offset, onDevice, 3, 4);
          assertThat(Tensors.uniforms(onDevice, offset, 3, 4).equal(expected)).isTrue();
        }
      }
    }
  }
}
