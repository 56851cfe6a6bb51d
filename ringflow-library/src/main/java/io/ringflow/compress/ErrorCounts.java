package io.ringflow.compress;

/**
 * How far numbers were from what was expected, counted in buckets: says how likely a number is to
 * lie above a bound.
 *
 * <p>Sums are kept in a Fenwick tree. An error counts in its own bucket most, and the less in
 * others the further they are, so that few errors are enough. Plain arithmetic, the same
 * everywhere.
 */
final class ErrorCounts {
  private static final int SIZE = 1 << 12;
  private static final int HALF = SIZE / 2;
  private static final int OWN = 48;
  private static final int[] DISTANCES = {1, 2, 4, 8, 16, 32, 64};
  private static final int[] WEIGHTS = {8, 4, 3, 2, 2, 1, 1};
  private static final int ONE = 1 << 16;

  private final int[] weights = new int[SIZE];
  private final int[] sums = new int[SIZE + 1];
  private final int maxTotal;
  private int total;

  /** Counts from nothing. */
  ErrorCounts() {
    maxTotal = 1 << 28;
    for (int i = 0; i < SIZE; i += 64) {
      add(i, 1);
    }
  }

  private void add(int bucket, int weight) {
    total += weight;
    weights[bucket] += weight;
    for (int i = bucket + 1; i <= SIZE; i += i & -i) {
      sums[i] += weight;
    }
  }

  private int below(int bucket) {
    int sum = 0;
    for (int i = bucket; i > 0; i -= i & -i) {
      sum += sums[i];
    }
    return sum;
  }

  /** The weight of all errors below one, in buckets; between bounds of a bucket in proportion. */
  double below(double error) {
    double place = error + HALF;
    if (!(place > 0)) {
      return place < 0 ? -1e-3 / (1 - place) : 0;
    }
    if (place >= SIZE) {
      return total + 1e-3 * (1 - 1 / (1 + place - SIZE));
    }
    int bucket = (int) place;
    double part = place - bucket;
    // The uniform part is there so that nothing is impossible.
    return below(bucket) + part * weights[bucket] + 1e-3 * place;
  }

  /** The probability of the upper part of an interval, of 16 bits, from the weights below. */
  static int upper(double begin, double middle, double end) {
    double all = end - begin;
    double share = all > 0 ? (end - middle) / all : 0.5;
    return (int) Math.max(16, Math.min(ONE - 16, share * ONE));
  }

  /** Counts an error. */
  void count(double error) {
    if (total > maxTotal) {
      return;
    }
    int bucket = (int) Math.max(0, Math.min(SIZE - 1, Math.floor(error + HALF)));
    add(bucket, OWN);
    for (int i = 0; i < DISTANCES.length; i++) {
      if (bucket + DISTANCES[i] < SIZE) {
        add(bucket + DISTANCES[i], WEIGHTS[i]);
      }
      if (bucket - DISTANCES[i] >= 0) {
        add(bucket - DISTANCES[i], WEIGHTS[i]);
      }
    }
  }
}
