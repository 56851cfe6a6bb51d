package io.ringflow.infer;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Rows in messages. */
final class Rows {
  private static final int SHOWN = 32;

  private Rows() {}

  /** The symbols of a row, or the first of them. */
  static String text(int[] row) {
    return Arrays.stream(row)
        .limit(SHOWN)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" ", "", row.length > SHOWN ? " ..." : ""));
  }
}
