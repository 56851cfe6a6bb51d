package io.ringflow.cli.command;

import io.ringflow.cli.report.ShownText;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.table.TableModel.Explanation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A row of a table, and why it is unlikely.
 *
 * @param row from 0
 * @param nats its log-likelihood
 * @param unseen how many of its values training never saw
 * @param reasons the columns that cost most, such as {@code city=Rome (-9.3)}
 */
record UnlikelyRow(int row, double nats, int unseen, String reasons) {
  /** The least likely first; of equals the one with more new values. */
  static final Comparator<UnlikelyRow> BY_LIKELIHOOD =
      Comparator.comparingDouble(UnlikelyRow::nats)
          .thenComparing(Comparator.comparingInt(UnlikelyRow::unseen).reversed());

  private static final int REASONS = 3;
  private static final int MAX_VALUE_WIDTH = 30;

  /**
   * The least likely rows of a table, the least likely first.
   *
   * @param encoded the table's rows
   * @param nats their log-likelihoods
   */
  static List<UnlikelyRow> of(
      TableModel model, DataTable table, TableCodec.Encoded encoded, double[] nats, int count) {
    Comparator<Integer> order =
        Comparator.<Integer>comparingDouble(row -> nats[row])
            .thenComparing(row -> -encoded.unseen(row).size());
    int[] rows =
        IntStream.range(0, nats.length)
            .boxed()
            .sorted(order)
            .limit(count)
            .mapToInt(row -> row)
            .toArray();
    List<Explanation> why = model.explain(table.rows(rows));
    List<UnlikelyRow> result = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      Explanation reasons = why.get(i);
      result.add(
          new UnlikelyRow(
              rows[i],
              nats[rows[i]],
              reasons.unseen().size(),
              reasons(reasons, values(model.codec(), table, rows[i]))));
    }
    return result;
  }

  /** A row's cells by the model's names of the columns; those of a table without names by place. */
  private static Map<String, String> values(TableCodec codec, DataTable table, int row) {
    List<String> names =
        table.named()
            ? table.columns()
            : codec.columns().stream().map(column -> column.name()).toList();
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
