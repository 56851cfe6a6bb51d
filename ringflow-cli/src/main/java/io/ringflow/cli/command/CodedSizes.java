package io.ringflow.cli.command;

import io.ringflow.cli.report.Numbers;
import java.util.Locale;

/**
 * How many bytes became how many, and how fast.
 *
 * @param original bytes that are not compressed, on whichever side
 * @param compressed those that are
 * @param seconds that it took
 */
record CodedSizes(long original, long compressed, double seconds) {
  static final CodedSizes NONE = new CodedSizes(0, 0, 0);

  CodedSizes plus(CodedSizes other) {
    return new CodedSizes(
        original + other.original, compressed + other.compressed, seconds + other.seconds);
  }

  /** The size in percent of the original; empty if that has none. */
  String percent() {
    return original == 0 ? "" : Numbers.fixed(100.0 * compressed / original, 1) + " %";
  }

  /**
   * Such as {@code 3005 -> 460 bytes, 15.3 %, 1.225 bits per byte, 0.1 s, 30.1kB/s}.
   *
   * @param compressing whether the original came first
   */
  String text(boolean compressing) {
    String sizes =
        String.format(
            Locale.ROOT,
            "%d -> %d bytes, ",
            compressing ? original : compressed,
            compressing ? compressed : original);
    String rates =
        original == 0
            ? ""
            : percent()
                + ", "
                + Numbers.fixed(compressed * (double) Byte.SIZE / original)
                + " bits per byte, ";
    String speed =
        original == 0 ? "" : ", " + Numbers.count(original / Math.max(1e-9, seconds)) + "B/s";
    return sizes + rates + Numbers.time(seconds) + speed;
  }

  /** What is said of a part of a file, whose rate nobody knows. */
  static String part(long bytes, double seconds) {
    return bytes + " bytes, " + Numbers.time(seconds);
  }
}
