package io.ringflow.internal.coding;

/**
 * Keeps the boundaries of coded symbols away from where rounding decides.
 *
 * <p>The encoder computes all positions in one pass, the decoder one group after the other, perhaps
 * in other batches or on another device. In float64 their log-probabilities agree to about 14
 * digits, but not to the last bit. So places ({@link Cumulative#place}) are moved by an offset u
 * before they are rounded. The encoder chooses u for every {@link #RUN} symbols such that no moved
 * place is within {@link #WIDTH} of an integer, and writes the choice before them. Offset 0 is a
 * half, because places of symbols that are all but certain or impossible are next to integers.
 *
 * <p>Only the two boundaries of symbols that occur need guarding. The decoder's boundaries ascend,
 * whatever the last bits; so if both boundaries of a symbol are where the encoder had them, a slot
 * between them belongs to no other symbol, wherever the other boundaries are.
 *
 * <p>The error that this covers: if log-probabilities differ by a relative e, then c<sub>k</sub>
 * differs by at most e times the entropy, and so by e ln K. With e = 10<sup>-12</sup> and K =
 * 2<sup>18</sup> a place moves by 2<sup>20</sup> 12.5 10<sup>-12</sup> = 1.3 10<sup>-5</sup>, which
 * is below 2<sup>-16</sup> = 1.5 10<sup>-5</sup>. Offsets lie further apart than the guarded band
 * is wide, so that a place rules out at most one of them.
 */
final class Guard {
  /** Symbols that share an offset: about one run in thirty then needs another than the first. */
  static final int RUN = 512;

  /** The minimum distance of a moved place from an integer. */
  static final double WIDTH = 0x1p-16;

  /** How many offsets there are. */
  static final int OFFSETS = 63;

  /** The frequency of each offset but the first. */
  private static final int RARE = 512;

  private Guard() {}

  /** The offset u of a number: multiples of 1/64 without 0, a half first. */
  static double offset(int number) {
    return (1 + (number + OFFSETS / 2) % OFFSETS) / 64.0;
  }

  /** Whether the rounding of a place moved by u does not depend on its last digits. */
  static boolean isSafe(double place, double u) {
    double moved = place + u;
    double beyond = moved - Math.floor(moved);
    return beyond >= WIDTH && beyond <= 1 - WIDTH;
  }

  /** The cumulative frequency at which an offset's number starts. */
  static int start(int number) {
    return number == 0 ? 0 : Cumulative.TOTAL - (OFFSETS - number) * RARE;
  }

  /** The frequency of an offset's number. */
  static int frequency(int number) {
    return number == 0 ? Cumulative.TOTAL - (OFFSETS - 1) * RARE : RARE;
  }

  /** The number of the offset that covers a slot. */
  static int find(int slot) {
    return Math.max(0, OFFSETS - 1 - (Cumulative.TOTAL - 1 - slot) / RARE);
  }
}
