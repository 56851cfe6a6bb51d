package io.ringflow.table;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;

/** Detects the separator of a file's cells, by the rule of {@link TableFormat}. */
final class SeparatorDetection {
  private static final List<Character> CANDIDATES = List.of(',', '\t', ';', '|');
  private static final int MAX_LINES = 100;
  private static final int MAX_CHARACTERS = 1 << 16;

  private SeparatorDetection() {}

  static char detect(Path file) throws IOException {
    String start = start(file);
    char best = CANDIDATES.get(0);
    long bestScore = 0;
    for (char candidate : CANDIDATES) {
      long score = score(TableReader.Widths.of(new StringReader(start), candidate, MAX_LINES));
      if (score > bestScore) {
        best = candidate;
        bestScore = score;
      }
    }
    return best;
  }

  /** More cells score higher; lines of equal numbers of cells always beat others. */
  private static long score(List<Integer> widths) {
    if (widths.isEmpty() || widths.get(0) < 2) {
      return 0;
    }
    boolean equal = widths.stream().distinct().count() == 1;
    return equal ? (long) MAX_CHARACTERS + widths.get(0) : widths.get(0);
  }

  /** The file's first lines; the last, which may be cut, is left out unless it is the only one. */
  private static String start(Path file) throws IOException {
    char[] text = new char[MAX_CHARACTERS];
    int length = 0;
    try (TableText in = TableText.open(file)) {
      for (int n = 0; n >= 0 && length < text.length; ) {
        length += n;
        n = length == text.length ? -1 : in.read(text, length, text.length - length);
      }
    }
    String start = new String(text, 0, length);
    int end = Math.max(start.lastIndexOf('\n'), start.lastIndexOf('\r'));
    return length < text.length || end < 0 ? start : start.substring(0, end);
  }
}
