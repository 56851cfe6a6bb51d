package io.ringflow.infer;

/** Sums of numbers that are known by their logarithms. */
final class LogSums {
  private LogSums() {}

  /** The logarithm of the sum of some exponentials, which neither overflows nor vanishes. */
  static double of(double[] logs, int from, int count) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = from; i < from + count; i++) {
      largest = Math.max(largest, logs[i]);
    }
    if (largest == Double.NEGATIVE_INFINITY) {
      return largest;
    }
    double sum = 0;
    for (int i = from; i < from + count; i++) {
      sum += Math.exp(logs[i] - largest);
    }
    return largest + Math.log(sum);
  }

  static double of(double[] logs) {
    return of(logs, 0, logs.length);
  }
}
