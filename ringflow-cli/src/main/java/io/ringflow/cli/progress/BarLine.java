package io.ringflow.cli.progress;

import me.tongfei.progressbar.ProgressBarRenderer;
import me.tongfei.progressbar.ProgressState;

/**
 * One line of progress, made to tell the most in 80 columns: label, percent, bar, and the extra
 * message.
 *
 * <p>The library's own line spends a third of such a terminal on step counts and two clocks.
 */
final class BarLine implements ProgressBarRenderer {
  private static final int MAX_BAR = 30;
  private static final int MIN_BAR = 5;

  @Override
  public String render(ProgressState progress, int maxLength) {
    return line(
        progress.getTaskName(),
        progress.getCurrent(),
        progress.getMax(),
        progress.getExtraMessage(),
        maxLength);
  }

  /**
   * Returns exactly {@code width} characters: what stays of an earlier, longer line is overwritten.
   *
   * @param all less than 0 if it is not known
   */
  static String line(String label, long done, long all, String message, int width) {
    if (all < 0) { // nobody knows
      return fit(label + " " + message, width);
    }
    double fraction = all > 0 ? Math.min(1, (double) done / all) : 0;
    String head = label + " " + (int) (100 * fraction) + "% ";
    int room = Math.min(MAX_BAR, width - head.length() - message.length() - 3);
    String line = head + (room < MIN_BAR ? "" : bar(fraction, room)) + message;
    return fit(line, width);
  }

  private static String fit(String line, int width) {
    return line.length() >= width
        ? line.substring(0, Math.max(0, width))
        : line + " ".repeat(width - line.length());
  }

  private static String bar(double fraction, int width) {
    int full = (int) (fraction * width);
    return "[" + "=".repeat(full) + " ".repeat(width - full) + "] ";
  }
}
