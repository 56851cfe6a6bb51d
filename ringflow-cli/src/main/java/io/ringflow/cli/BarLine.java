package io.ringflow.cli;

import me.tongfei.progressbar.ProgressBarRenderer;
import me.tongfei.progressbar.ProgressState;

/**
 * One line of progress, made to tell the most in 80 columns: label, percent, bar, time left, and
 * the extra message.
 *
 * <p>The library's own line spends a third of such a terminal on step counts and two clocks.
 */
final class BarLine implements ProgressBarRenderer {
  private static final int WIDEST_BAR = 30;
  private static final int NARROWEST_BAR = 5;

  @Override
  public String render(ProgressState progress, int maxLength) {
    return line(
        progress.getTaskName(),
        progress.getStart(),
        progress.getCurrent(),
        progress.getMax(),
        progress.getElapsedAfterStart().toMillis() / 1e3,
        progress.getExtraMessage(),
        maxLength);
  }

  /**
   * Returns exactly {@code width} characters: what stays of an earlier, longer line is overwritten.
   */
  static String line(
      String label, long start, long done, long all, double seconds, String message, int width) {
    double fraction = all > 0 ? Math.min(1, (double) done / all) : 0;
    String left =
        done > start ? Numbers.time(seconds / (done - start) * (all - done)) + " left" : "";
    String head = label + " " + (int) (100 * fraction) + "% ";
    String tail = (left + "  " + message).strip();
    int room = Math.min(WIDEST_BAR, width - head.length() - tail.length() - 3);
    String line = head + (room < NARROWEST_BAR ? "" : bar(fraction, room)) + tail;
    return line.length() >= width
        ? line.substring(0, Math.max(0, width))
        : line + " ".repeat(width - line.length());
  }

  private static String bar(double fraction, int width) {
    int full = (int) (fraction * width);
    return "[" + "=".repeat(full) + " ".repeat(width - full) + "] ";
  }
}
