package io.ringflow.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What a program wrote to its output, with the tables' rows as cells. */
record Printed(String text) {
  /** Something that prints results, and progress. */
  @FunctionalInterface
  interface Program {
    void print(PrintStream out, PrintStream err) throws IOException;
  }

  static Printed by(Program program) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var results = new PrintStream(out, true, StandardCharsets.UTF_8);
        var progress =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)) {
      program.print(results, progress);
    }
    return new Printed(out.toString(StandardCharsets.UTF_8));
  }

  /** The only row that begins with some words. */
  List<String> row(String beginning) {
    List<String> rows = text.lines().filter(line -> line.startsWith("| " + beginning)).toList();
    if (rows.size() != 1) {
      throw new AssertionError(rows.size() + " rows begin with '" + beginning + "' in\n" + text);
    }
    return Arrays.stream(rows.get(0).substring(1).split("\\|", -1)).map(String::strip).toList();
  }

  /** A cell of that row, as a number. */
  double number(String beginning, int column) {
    return Double.parseDouble(
        row(beginning).get(column).replace(",", "").replaceAll("[^-+.0-9].*", ""));
  }
}
