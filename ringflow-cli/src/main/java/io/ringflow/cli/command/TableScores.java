package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.table.DataTable;
import io.ringflow.table.NewValues;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableFormat;
import io.ringflow.table.TableModel;
import io.ringflow.table.TableModel.Explanation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The scores of tables' rows. */
final class TableScores implements ScoreCommand.Listing {
  private static final int REASONS = 3;
  private static final int MAX_VALUE_WIDTH = 30;

  private final TableModel model;
  private final List<Path> files;
  private final boolean several;
  private final TableFormat format;
  private final NewValues newValues;
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
      PrintWriter err) {
    this.model = model;
    this.files = files;
    this.several = several;
    this.format = format;
    this.newValues = newValues;
    this.err = err;
  }

  /** A file's rows and their log-likelihoods. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scored(Path file, DataTable table, TableCodec.Encoded encoded, double[] nats) {}

  private Scored scored(Path file) throws IOException {
    DataTable table = DataTable.read(file, format);
    TableCodec.Encoded encoded = encoded(file, table);
    try (var progress = CountProgress.of(err, "rows", table.size())) {
      return new Scored(file, table, encoded, model.score(encoded, newValues, progress));
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

  /** An unlikely row, and how many of its values training never saw. */
  private record Odd(double nats, int unseen, List<String> cells) {
    static final Comparator<Odd> LEAST_FIRST =
        Comparator.comparingDouble(Odd::nats)
            .thenComparing(Comparator.comparingInt(Odd::unseen).reversed());
  }

  @Override
  public TextTable least(int count) throws IOException {
    List<Odd> odd = new ArrayList<>();
    for (Path file : files) {
      odd.addAll(least(scored(file), count));
      odd.sort(Odd.LEAST_FIRST);
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
    return new TextTable(columns, odd.stream().map(Odd::cells).toList());
  }

  private List<Odd> least(Scored scored, int count) {
    Comparator<Integer> order =
        Comparator.<Integer>comparingDouble(row -> scored.nats[row])
            .thenComparing(row -> -scored.encoded.unseen(row).size());
    int[] rows =
        IntStream.range(0, scored.nats.length)
            .boxed()
            .sorted(order)
            .limit(count)
            .mapToInt(row -> row)
            .toArray();
    List<Explanation> reasons = model.explain(scored.table.rows(rows));
    List<Odd> odd = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      Stream<String> cells =
          Stream.of(
              Integer.toString(rows[i] + 1),
              nats(scored.nats[rows[i]]),
              reasons(reasons.get(i), values(scored.table, rows[i])));
      odd.add(
          new Odd(
              scored.nats[rows[i]],
              reasons.get(i).unseen().size(),
              Stream.concat(of(scored.file.toString()), cells).toList()));
    }
    return odd;
  }

  private static String nats(double value) {
    return Double.isInfinite(value) ? "-Infinity" : Numbers.fixed(value);
  }

  /** A row's cells by the model's names of the columns; those of a table without names by place. */
  private Map<String, String> values(DataTable table, int row) {
    List<String> names =
        table.named()
            ? table.columns()
            : model.codec().columns().stream().map(column -> column.name()).toList();
    return IntStream.range(0, names.size())
        .boxed()
        .collect(Collectors.toMap(names::get, column -> table.cell(row, column)));
  }

  private static String reasons(Explanation row, Map<String, String> values) {
    Stream<String> unseen =
        row.unseen().stream().map(column -> named(List.of(column), values) + " (unseen)");
    Stream<String> costs =
        row.parts().stream()
            .filter(part -> !part.columns().isEmpty())
            .map(
                part ->
                    String.format(
                        Locale.ROOT, "%s (%.1f)", named(part.columns(), values), part.nats()));
    return Stream.concat(unseen, costs).limit(REASONS).collect(Collectors.joining("; "));
  }

  private static String named(List<String> columns, Map<String, String> values) {
    return columns.stream()
        .map(
            column ->
                ShownText.of(column, MAX_VALUE_WIDTH)
                    + "="
                    + ShownText.of(values.get(column), MAX_VALUE_WIDTH))
        .collect(Collectors.joining(", "));
  }
}
