package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.table.DataTable;
import io.ringflow.table.NewValues;
import io.ringflow.table.NumberDetail;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableFormat;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scores of tables' rows. */
final class TableScores implements ScoreCommand.Listing {
  private final TableModel model;
  private final List<Path> files;
  private final boolean several;
  private final TableFormat format;
  private final NewValues newValues;
  private final NumberDetail numbers;
  private final PrintWriter err;

  /**
   * Of some files.
   *
   * @param several whether rows need telling by file
   */
  TableScores(
      TableModel model,
      List<Path> files,
      boolean several,
      TableFormat format,
      NewValues newValues,
      NumberDetail numbers,
      PrintWriter err) {
    this.model = model;
    this.files = files;
    this.several = several;
    this.format = format;
    this.newValues = newValues;
    this.numbers = numbers;
    this.err = err;
  }

  /** A file's rows and their log-likelihoods. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scored(Path file, DataTable table, TableCodec.Encoded encoded, double[] nats) {}

  private Scored scored(Path file) throws IOException {
    DataTable table = DataTable.read(file, format);
    TableCodec.Encoded encoded = encoded(file, table);
    try (var progress = CountProgress.of(err, "rows", table.size())) {
      double[] nats = model.score(encoded, newValues, progress);
      if (numbers == NumberDetail.LAST_DIGIT) {
        double[] digits = model.codec().logProbGivenBins(table, newValues);
        Arrays.setAll(nats, row -> nats[row] + digits[row]);
      }
      return new Scored(file, table, encoded, nats);
    }
  }

  private TableCodec.Encoded encoded(Path file, DataTable table) {
    try {
      return model.codec().encode(table);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /** Which file a row is of needs telling only where there are several. */
  private Stream<String> of(String file) {
    return several ? Stream.of(file) : Stream.empty();
  }

  @Override
  public void all(Writer out) throws IOException {
    List<String> header =
        Stream.concat(of("file"), Stream.of("row", "log_likelihood", "unseen")).toList();
    var csv = new Csv(out, header);
    for (Path file : files) {
      Scored scored = scored(file);
      for (int row = 0; row < scored.nats.length; row++) {
        Stream<String> cells =
            Stream.of(
                Integer.toString(row + 1),
                Double.toString(scored.nats[row]),
                unseen(scored.encoded, row));
        csv.row(Stream.concat(of(file.toString()), cells).toList());
      }
    }
    csv.flush();
  }

  private String unseen(TableCodec.Encoded encoded, int row) {
    return encoded.unseen(row).stream()
        .map(column -> model.codec().columns().get(column).name())
        .collect(Collectors.joining(";"));
  }

  /** An unlikely row of a file, as it is listed. */
  private record Listed(UnlikelyRow row, List<String> cells) {}

  @Override
  public TextTable least(int count) throws IOException {
    List<Listed> odd = new ArrayList<>();
    for (Path file : files) {
      odd.addAll(least(scored(file), count));
      odd.sort(Comparator.comparing(Listed::row, UnlikelyRow.BY_LIKELIHOOD));
      odd = new ArrayList<>(odd.subList(0, Math.min(count, odd.size())));
    }
    List<Column> columns =
        Stream.concat(
                of("file").map(name -> new Column(name, false)),
                Stream.of(
                    Column.number("row"),
                    Column.number("log_likelihood"),
                    Column.text("what costs most")))
            .toList();
    return new TextTable(columns, odd.stream().map(Listed::cells).toList());
  }

  private List<Listed> least(Scored scored, int count) {
    return UnlikelyRow.of(model, scored.table, scored.encoded, scored.nats, count).stream()
        .map(
            row ->
                new Listed(
                    row,
                    Stream.concat(
                            of(scored.file.toString()),
                            Stream.of(
                                Integer.toString(row.row() + 1), nats(row.nats()), row.reasons()))
                        .toList()))
        .toList();
  }

  private static String nats(double value) {
    return Double.isInfinite(value) ? "-Infinity" : Numbers.fixed(value);
  }
}
