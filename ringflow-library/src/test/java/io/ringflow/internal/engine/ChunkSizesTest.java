package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Chain;
import io.ringflow.network.Made;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many rows are worked on at a time, whatever the device. */
final class ChunkSizesTest {
  private static ChunkSizes sizes(int positions, int symbols, Device device) {
    Space space = Space.uniform(positions, symbols);
    var base = new AutoregressiveBase(Order.natural(positions), new Made(4, 1));
    return new ChunkSizes(Chain.of().on(space, Space.NONE), base.on(space, Space.NONE), device);
  }

  @Test
  void rowsAreFilledUpByAQuarterAtMostToFewShapes() {
    for (int rows = 0; rows <= 5000; rows++) {
      int padded = ChunkSizes.padded(rows);
      assertThat(padded).isBetween(rows, rows + Math.min(64, rows / 4));
      assertThat(ChunkSizes.padded(padded)).isEqualTo(padded);
    }
    assertThat(IntStream.rangeClosed(1, 1024).map(ChunkSizes::padded).distinct().count())
        .isLessThan(45);
  }

  @Test
  void aGpuWorksOnMoreRowsStepByStepThanAtOnce() {
    ChunkSizes text = sizes(256, 27, Device.CUDA);
    assertThat(text.rows(Way.PARALLEL)).isEqualTo(256);
    assertThat(text.rows(Way.STEPWISE)).isEqualTo(1024);
    assertThat(sizes(256, 27, Device.CPU).rows(Way.STEPWISE)).isEqualTo(303);
    assertThat(sizes(2, 5, Device.CUDA).rows(Way.PARALLEL)).isEqualTo(8192);
  }

  @Test
  void whatWasTooMuchIsHalved() {
    ChunkSizes sizes = sizes(256, 27, Device.CUDA);
    sizes.makeSmallerThan(1000);
    assertThat(sizes.rows(Way.STEPWISE)).isEqualTo(512);
    sizes.makeSmallerThan(2);
    assertThat(sizes.rows(Way.PARALLEL)).isEqualTo(1);
  }

  @Test
  void whatKeepsAGpuBusyIsNotCaptured() {
    ChunkSizes sizes = sizes(256, 27, Device.CUDA);
    assertThat(sizes.areSmall(Way.STEPWISE, 1024, Precision.FLOAT64)).isTrue();
    assertThat(sizes.areSmall(Way.PARALLEL, 256, Precision.BFLOAT16)).isTrue();
    assertThat(sizes.areSmall(Way.PARALLEL, 256, Precision.FLOAT64)).isFalse();
  }
}
