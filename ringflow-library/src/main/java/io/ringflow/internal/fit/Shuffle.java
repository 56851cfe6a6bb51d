package io.ringflow.internal.fit;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Fisher and Yates' shuffle, for generators that {@link java.util.Collections} does not take. */
public final class Shuffle {
  private Shuffle() {}

  /** The numbers from 0 on, in any order as likely as any other. */
  public static int[] order(int count, RandomGenerator random) {
    int[] order = IntStream.range(0, count).toArray();
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[i];
      order[i] = order[j];
      order[j] = other;
    }
    return order;
  }
}
