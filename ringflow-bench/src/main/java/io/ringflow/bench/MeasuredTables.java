package io.ringflow.bench;

import java.io.IOException;
import java.io.PrintStream;

/**
 * Tables on one stream, what is at work on another, and below them what it takes to measure again.
 */
final class MeasuredTables {
  private MeasuredTables() {}

  /** Measures something, and prints it. */
  @FunctionalInterface
  interface Work {
    void measure(ProgressLines progress) throws IOException;
  }

  /**
   * Prints what is measured.
   *
   * @param seeds of all that is random, in words
   */
  static void print(PrintStream out, PrintStream err, Work work, String seeds) throws IOException {
    Timed<Void> all =
        Timed.of(
            () -> {
              work.measure(new ProgressLines(err));
              return null;
            });
    out.println(ValueTable.provenance(seeds, all.seconds()));
  }
}
