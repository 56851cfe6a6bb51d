package io.ringflow.paper.oracle;

import io.ringflow.train.Batches;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Samples cells of a table by the hundred million, and counts them (Walker's alias method in the
 * form of Vose): one random number and one look-up a cell.
 *
 * <p>A cell's probability is met to within 2<sup>-32</sup> of the mean of all cells, and a cell of
 * probability 0 is never sampled. Memory: 8 bytes a cell, and 4 for every thread that counts.
 */
final class AliasSampler {
  private static final int CHUNK = 1 << 22;
  private static final double ONE = 0x1p32;

  /** How often a column gives itself, out of 2^32, in the upper half; its alias in the lower. */
  private final long[] columns;

  /**
   * A sampler.
   *
   * @param p of each cell; sums to 1
   */
  AliasSampler(double[] p) {
    int n = p.length;
    double[] rest = new double[n];
    int[] order = new int[n]; // those below the mean from the left, the others from the right
    int low = 0;
    int high = n;
    for (int cell = 0; cell < n; cell++) {
      rest[cell] = p[cell] * n;
      if (rest[cell] < 1) {
        order[low++] = cell;
      } else {
        order[--high] = cell;
      }
    }
    columns = new long[n];
    int next = 0;
    while (next < low && high < n) {
      int small = order[next++];
      int large = order[high];
      columns[small] = column(rest[small], large);
      rest[large] -= 1 - rest[small];
      if (rest[large] < 1) {
        // It has given what it had above the mean: from now on it takes.
        high++;
        order[low++] = large;
      }
    }
    for (; high < n; high++) {
      columns[order[high]] = column(1, order[high]);
    }
    // Only rounding leaves a column here that is not full; an empty one must not give itself.
    int possible = largest(p);
    for (; next < low; next++) {
      int cell = order[next];
      columns[cell] = p[cell] > 0 ? column(1, cell) : column(0, possible);
    }
  }

  private static int largest(double[] p) {
    int largest = 0;
    for (int cell = 1; cell < p.length; cell++) {
      largest = p[cell] > p[largest] ? cell : largest;
    }
    return largest;
  }

  private static long column(double share, int alias) {
    long own = Math.min((long) (share * ONE), 0xFFFFFFFFL);
    // A full column is its own alias, so that the largest 32-bit number does not miss anything.
    return (own << 32) | alias;
  }

  /**
   * Samples rows and returns how often each cell came, the same on any number of threads.
   *
   * @param rows how many; chunks of four million have random numbers of their own
   */
  int[] counts(long rows, long seed) {
    int chunks = Math.toIntExact((rows + CHUNK - 1) / CHUNK);
    int threads = Math.max(1, Math.min(chunks, Runtime.getRuntime().availableProcessors()));
    return IntStream.range(0, threads)
        .parallel()
        .mapToObj(
            thread -> {
              int[] counts = new int[columns.length];
              for (int chunk = thread; chunk < chunks; chunk += threads) {
                long from = (long) chunk * CHUNK;
                count((int) Math.min(CHUNK, rows - from), Batches.random(seed, chunk), counts);
              }
              return counts;
            })
        .reduce(AliasSampler::sum)
        .orElseThrow();
  }

  private void count(int rows, RandomGenerator random, int[] counts) {
    long n = columns.length;
    for (int i = 0; i < rows; i++) {
      long point = random.nextLong();
      // The product of 64 bits and n: above the point the column, below it where in the column.
      int cell = (int) (Math.multiplyHigh(point, n) + ((point >> 63) & n)); // as if unsigned
      long within = (point * n) >>> 32;
      long column = columns[cell];
      counts[within < (column >>> 32) ? cell : (int) column]++;
    }
  }

  private static int[] sum(int[] a, int[] b) {
    Arrays.setAll(a, cell -> a[cell] + b[cell]);
    return a;
  }
}
