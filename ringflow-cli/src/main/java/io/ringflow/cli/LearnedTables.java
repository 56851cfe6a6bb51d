package io.ringflow.cli;

import io.ringflow.cli.Table.Column;
import io.ringflow.data.ColumnSummary;
import io.ringflow.data.ColumnSummary.Kind;
import io.ringflow.data.TableCodec;
import io.ringflow.fit.Figures;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What a model has learned, as tables for the screen. */
final class LearnedTables {
  private static final int WIDEST_NAME = 40;

  private LearnedTables() {}

  /** How well it does on data held out, beside what is easily had. */
  static Table figures(Figures figures) {
    return new Table(
        List.of(
            new Column("on " + ShownText.of(figures.heldOut(), WIDEST_NAME) + " held out", false),
            new Column(ShownText.of(figures.unit(), WIDEST_NAME), true),
            new Column("of factorised", true)),
        List.of(
            line("this model", figures.model(), figures),
            line("factorised: each by itself", figures.factorised(), figures),
            line("raw: all symbols alike", figures.raw(), figures),
            line("deflate: as gzip has it", figures.deflated(), figures)));
  }

  private static List<String> line(String what, double value, Figures figures) {
    double share = 100 * value / figures.factorised();
    return List.of(
        what,
        Double.isFinite(value) ? Numbers.figure(value) : Table.NONE,
        Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f %%", share) : Table.NONE);
  }

  /** What became of a table's columns, the first ones at most. */
  static Table columns(TableCodec codec, int most) {
    return new Table(
        List.of(
            new Column("column", false),
            new Column("kind", false),
            new Column("symbols", true),
            new Column("missing", true),
            new Column("rare values", false)),
        IntStream.range(0, Math.min(most, codec.columns().size()))
            .mapToObj(column -> cells(codec.summary(column)))
            .toList());
  }

  private static List<String> cells(ColumnSummary column) {
    return List.of(
        ShownText.of(column.name(), WIDEST_NAME),
        column.kind() == Kind.BINS ? "numbers " + column.range() + ", in bins" : "categories",
        Integer.toString(column.cardinality()),
        column.missingShare() > 0 ? percent(column.missingShare()) : Table.NONE,
        column.rareValues() > 0
            ? column.rareValues() + " in " + percent(column.rareShare()) + " of rows"
            : Table.NONE);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
