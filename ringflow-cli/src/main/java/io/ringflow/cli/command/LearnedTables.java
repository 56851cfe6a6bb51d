package io.ringflow.cli.command;

import io.ringflow.cli.report.Numbers;
import io.ringflow.cli.report.ResultTable;
import io.ringflow.cli.report.ResultTable.Column;
import io.ringflow.model.Metrics;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableColumn;
import java.util.List;
import java.util.Locale;

/** What a model has learned, as tables for the screen. */
final class LearnedTables {
  private static final int WIDEST_NAME = 40;

  private LearnedTables() {}

  /** How well it does on data held out, beside what is easily had. */
  static ResultTable metrics(Metrics metrics) {
    return new ResultTable(
        List.of(
            new Column("on " + ShownText.of(metrics.heldOut(), WIDEST_NAME) + " held out", false),
            new Column(ShownText.of(metrics.unit(), WIDEST_NAME), true),
            new Column("of factorised", true)),
        List.of(
            line("this model", metrics.model(), metrics),
            line("factorised: each by itself", metrics.factorised(), metrics),
            line("raw: all symbols alike", metrics.raw(), metrics),
            line("deflate: as gzip has it", metrics.deflated(), metrics)));
  }

  private static List<String> line(String what, double value, Metrics metrics) {
    double share = 100 * value / metrics.factorised();
    return List.of(
        what,
        Double.isFinite(value) ? Numbers.figure(value) : ResultTable.NONE,
        Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", share) : ResultTable.NONE);
  }

  /** What became of a table's columns, the first ones at most. */
  static ResultTable columns(TableCodec codec, int most) {
    return new ResultTable(
        List.of(
            new Column("column", false),
            new Column("kind", false),
            new Column("symbols", true),
            new Column("missing", true),
            new Column("rare values", false)),
        codec.columns().stream().limit(most).map(LearnedTables::cells).toList());
  }

  private static List<String> cells(TableColumn column) {
    return List.of(
        ShownText.of(column.name(), WIDEST_NAME),
        column instanceof TableColumn.Bins bins
            ? "numbers " + bins.range() + ", in bins"
            : "categories",
        Integer.toString(column.cardinality()),
        column.missingShare() > 0 ? percent(column.missingShare()) : ResultTable.NONE,
        column instanceof TableColumn.Categories categories && categories.rare().size() > 0
            ? categories.rare().size() + " in " + percent(categories.rareShare()) + " of rows"
            : ResultTable.NONE);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
