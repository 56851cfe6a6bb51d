package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Chain;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Distribution;

/**
 * How many rows a model works on at a time: enough that a device is busy, and no more than its
 * memory holds. Safe from several threads at once.
 */
final class ChunkSizes {
  /** Elements of one {@code [rows, D, K]} tensor on a CPU: 16 MiB. */
  private static final long CPU_ELEMENTS = 1L << 21;

  /** The same on a GPU, which needs more rows to be busy: 256 MiB. */
  private static final long GPU_ELEMENTS = 1L << 25;

  /** Positions of rows that a GPU has in memory with all that networks compute of them. */
  private static final long GPU_PARALLEL_POSITIONS = 1 << 16;

  /** Positions of rows of which a GPU keeps the networks' states. */
  private static final long GPU_STEPWISE_POSITIONS = 1 << 18;

  private static final int MAX_ROWS = 8192;

  private static final int MAX_PADDING = 64;

  /**
   * Positions times bytes of a weight that a pass works on: with more of them a GPU computes longer
   * than Java calls, and a graph would only take memory.
   */
  private static final long MAX_CAPTURED_BYTES = 1L << 18;

  private final int positions;
  private final long elements; // of a row
  private final int passes;
  private final boolean gpu;
  private volatile int limit = MAX_ROWS; // less where memory is short

  ChunkSizes(Bijection layers, Distribution base, Device device) {
    this.positions = layers.dataSpace().size();
    this.elements = Math.max(layerElements(layers), elements(layers.baseSpace()));
    this.passes = Math.max(1, base.passes() + layers.passes());
    this.gpu = device == Device.CUDA;
  }

  /** Of layers without networks there are only ids, however many symbols a position has. */
  private static long layerElements(Bijection layers) {
    if (layers instanceof Chain.Bound chain) {
      return chain.bijections().stream().mapToLong(ChunkSizes::layerElements).max().orElse(1);
    }
    return layers.passes() == 0 ? 1 : elements(layers.dataSpace());
  }

  private static long elements(Space space) {
    return (long) space.size() * space.maxCardinality();
  }

  /** How many rows are worked on at a time. */
  int rows(Way way) {
    long rows =
        gpu
            ? Math.min(gpuPositions(way) / positions, GPU_ELEMENTS / elements)
            : CPU_ELEMENTS / elements;
    int bounded = (int) Math.max(1, Math.min(MAX_ROWS, rows));
    return Math.min(limit, gpu ? Integer.highestOneBit(bounded) : bounded);
  }

  private static long gpuPositions(Way way) {
    return way == Way.PARALLEL ? GPU_PARALLEL_POSITIONS : GPU_STEPWISE_POSITIONS;
  }

  /** So many rows were too many for the memory. */
  void makeSmallerThan(int rows) {
    limit = Math.max(1, Integer.highestOneBit(rows - 1));
  }

  /**
   * How many rows to evaluate where so many are wanted: there should be few shapes to capture. Rows
   * are filled up by a quarter at most.
   */
  static int padded(int rows) {
    int step = Math.max(1, Math.min(MAX_PADDING, Integer.highestOneBit(Math.max(1, rows)) / 4));
    return (rows + step - 1) / step * step;
  }

  /** Whether calls from Java take longer than what they ask of a GPU. */
  boolean areSmall(Way way, long rows, Precision precision) {
    int bytes =
        switch (precision) {
          case BFLOAT16 -> 2;
          case FLOAT32 -> 8; // takes as much longer than bfloat16 as if it were
          case FLOAT64 -> 16;
        };
    return rows * positions / (way == Way.STEPWISE ? passes : 1) * bytes <= MAX_CAPTURED_BYTES;
  }
}
