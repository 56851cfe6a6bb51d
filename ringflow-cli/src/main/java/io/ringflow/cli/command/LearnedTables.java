package io.ringflow.cli.command;

import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ShownText;
import io.ringflow.cli.report.TextTable;
import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.model.Metrics;
import io.ringflow.table.MissingValues;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableColumn;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What a model has learned, as tables for the screen. */
final class LearnedTables {
  private static final int MAX_NAME = 40;

  private LearnedTables() {}

  /** The metrics of a model on data held out, beside those of simpler codes. */
  static TextTable metrics(Metrics metrics) {
    return new TextTable(
        List.of(
            new Column("on " + ShownText.of(metrics.heldOut(), MAX_NAME) + " held out", false),
            new Column(ShownText.of(metrics.unit(), MAX_NAME), true),
            Column.number("of factorised")),
        List.of(
            line("this model", metrics.model(), metrics),
            line("factorised: each by itself", metrics.factorised(), metrics),
            line("raw: all symbols alike", metrics.raw(), metrics),
            line("deflate: as in gzip", metrics.deflated(), metrics)));
  }

  private static List<String> line(String what, double value, Metrics metrics) {
    double share = 100 * value / metrics.factorised();
    return List.of(
        what,
        Double.isFinite(value) ? Numbers.fixed(value) : TextTable.NONE,
        Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", share) : TextTable.NONE);
  }

  /** How the first columns of a table are encoded, at most so many. */
  static TextTable columns(TableCodec codec, int max) {
    return new TextTable(
        List.of(
            Column.text("column"),
            Column.text("kind"),
            Column.number("symbols"),
            Column.number("missing"),
            Column.text("rare values")),
        IntStream.range(0, Math.min(max, codec.columns().size()))
            .mapToObj(d -> cells(codec, d))
            .toList());
  }

  private static List<String> cells(TableCodec codec, int position) {
    TableColumn column = codec.columns().get(position);
    double missing = codec.missingShare(position);
    String how = codec.missingValues() == MissingValues.SUMMED_OUT ? ", summed out" : "";
    return List.of(
        ShownText.of(column.name(), MAX_NAME),
        column instanceof TableColumn.Bins bins
            ? "numbers " + bins.range() + ", in bins"
            : "categories",
        Integer.toString(column.cardinality()),
        missing > 0 ? percent(missing) + how : TextTable.NONE,
        column instanceof TableColumn.Categories categories && categories.rare().size() > 0
            ? categories.rare().size() + " in " + percent(categories.rareShare()) + " of rows"
            : TextTable.NONE);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
