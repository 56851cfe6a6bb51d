package io.ringflow.compress;

import java.util.Arrays;
import java.util.SplittableRandom;

/** What may happen to a compressed file. */
final class Damage {
  private Damage() {}

  /** The file with bits flipped, cut short, made longer, or with a piece in the wrong place. */
  static byte[] of(byte[] whole, SplittableRandom random) {
    byte[] damaged = whole.clone();
    switch (random.nextInt(6)) {
      case 0 -> { // bits
        for (int flips = random.nextInt(3); flips >= 0; flips--) {
          damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 1 -> // numbers of the header
          damaged[random.nextInt(4, 60)] = (byte) random.nextInt(256);
      case 2 -> damaged = Arrays.copyOf(whole, random.nextInt(whole.length));
      case 3 -> damaged = Arrays.copyOf(whole, whole.length + 1 + random.nextInt(40));
      case 4 -> { // a piece over another
        int length = 1 + random.nextInt(20);
        System.arraycopy(
            whole,
            random.nextInt(whole.length - length),
            damaged,
            random.nextInt(whole.length - length),
            length);
      }
      default -> { // a piece left out
        int from = random.nextInt(whole.length - 8);
        int to = from + 1 + random.nextInt(7);
        damaged = Arrays.copyOf(whole, whole.length - (to - from));
        System.arraycopy(whole, to, damaged, from, whole.length - to);
      }
    }
    return damaged;
  }
}
