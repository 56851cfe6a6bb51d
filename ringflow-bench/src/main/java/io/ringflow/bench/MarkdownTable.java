package io.ringflow.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes measurements as a table of Markdown. */
final class MarkdownTable {
  private MarkdownTable() {}

  /** The lines, each ended. */
  static String of(List<Measurement> measurements) {
    double product =
        measurements.stream()
            .filter(m -> m.name().equals("MatrixBenchmark.product"))
            .mapToDouble(Measurement::millis)
            .findFirst()
            .orElse(Double.NaN);
    List<String> lines = new ArrayList<>();
    lines.add("| benchmark | setting | time (ms) | in matrix products | ratio |");
    lines.add("|---|---|--:|--:|--:|");
    for (Measurement m : measurements) {
      String products =
          Double.isNaN(product) ? "" : String.format(Locale.ROOT, "%.2f", m.millis() / product);
      List<String> cells =
          List.of(
              m.name().replace("Benchmark.", ": "),
              m.setting(),
              m.time(),
              products,
              m.comparison(measurements));
      lines.add("| " + String.join(" | ", cells) + " |");
    }
    return String.join("\n", lines) + "\n";
  }
}
