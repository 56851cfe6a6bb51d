package io.ringflow.cli.command;

import io.ringflow.cli.external.OtherCompressor;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** What others make of files that were compressed, each of them on its own. */
final class Comparison {
  private final List<OtherCompressor> others;

  Comparison(List<OtherCompressor> others) {
    this.others = List.copyOf(others);
  }

  /**
   * Compresses the files again, by all others.
   *
   * @param own what became of them here
   */
  TextTable of(List<Path> files, CodedSizes own) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("ringflow", own));
    for (OtherCompressor other : others) {
      long started = System.nanoTime();
      long bytes = 0;
      boolean installed = true;
      for (Path file : files) {
        OptionalLong size = other.bytes(file);
        installed &= size.isPresent();
        bytes += size.orElse(0);
      }
      double seconds = (System.nanoTime() - started) * 1e-9;
      rows.add(
          installed
              ? row(other.name(), new CodedSizes(own.original(), bytes, seconds))
              : List.of(other.name(), "not found", "", ""));
    }
    return new TextTable(
        List.of(
            Column.text("compressor"),
            Column.number("bytes"),
            Column.number("of original"),
            Column.number("seconds")),
        rows);
  }

  private static List<String> row(String name, CodedSizes sizes) {
    return List.of(
        name,
        String.format(Locale.ROOT, "%,d", sizes.compressed()),
        sizes.percent(),
        Numbers.fixed(sizes.seconds(), 2));
  }
}
