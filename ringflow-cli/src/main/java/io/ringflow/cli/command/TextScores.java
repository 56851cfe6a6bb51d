package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.core.ProgressListener;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The scores of texts, a file each. */
final class TextScores implements ScoreCommand.Listing {
  private static final List<Column> COLUMNS =
      List.of(
          Column.text("document"),
          Column.number("symbols"),
          Column.number("unknown_bytes"),
          Column.number("bits"),
          Column.number("bits_per_symbol"));

  private final Scorer model;
  private final List<Path> files;
  private final PrintWriter err;

  /** A model of texts, whatever kind it is. */
  @FunctionalInterface
  interface Scorer {
    TextModel.Score score(byte[] text, ProgressListener progress);
  }

  TextScores(Scorer model, List<Path> files, PrintWriter err) {
    this.model = model;
    this.files = files;
    this.err = err;
  }

  private record Scored(Path file, TextModel.Score score) {
    List<String> cells(String bits, String bitsPerSymbol) {
      return List.of(
          file.toString(),
          Long.toString(score.symbols()),
          Long.toString(score.unknownBytes()),
          bits,
          score.symbols() == 0 ? "" : bitsPerSymbol);
    }

    List<String> cells() {
      return cells(Double.toString(score.bits()), Double.toString(score.bitsPerSymbol()));
    }

    List<String> rounded() {
      return cells(Numbers.fixed(score.bits(), 1), Numbers.fixed(score.bitsPerSymbol()));
    }
  }

  private List<Scored> scored() throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.exists(file) ? Files.size(file) : 0;
    }
    List<Scored> scored = new ArrayList<>();
    try (var progress = CountProgress.of(err, "bytes", bytes)) {
      for (Path file : files) {
        byte[] text = FileBytes.read(file);
        scored.add(new Scored(file, model.score(text, ProgressListener.IGNORED)));
        progress.add(text.length);
      }
    }
    return scored;
  }

  @Override
  public void all(Writer out) throws IOException {
    Csv.write(new TextTable(COLUMNS, scored().stream().map(Scored::cells).toList()), out);
  }

  /** By bits per symbol: of a long text, all of it takes more bits. */
  @Override
  public TextTable least(int count) throws IOException {
    return new TextTable(
        COLUMNS,
        scored().stream()
            .filter(one -> one.score.symbols() > 0)
            .sorted(
                Comparator.comparingDouble((Scored one) -> one.score.bitsPerSymbol()).reversed())
            .limit(count)
            .map(Scored::rounded)
            .toList());
  }
}
