package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The results of an experiment as tables: one row per setting and model, the mean over its seeds.
 *
 * <p>Where there are several seeds, half the range stands beside the mean: for three runs it says
 * more than a standard deviation would pretend to. The worst seed of a likelihood has a column of
 * its own, and so has its distance from the floor where each seed has data of its own.
 */
public final class OutcomeTables {
  private OutcomeTables() {}

  /** Returns one table per metric, in the order of the results. */
  public static List<TextTable> of(Outcome outcome) {
    return of(outcome, result -> "");
  }

  /**
   * As above, of results out of several runs.
   *
   * @param source names the run that a result comes from; empty where there is but one
   */
  static List<TextTable> of(Outcome outcome, Function<Result, String> source) {
    var byMetric = new LinkedHashMap<List<String>, Map<List<String>, List<Result>>>();
    for (Result result : outcome.results()) {
      byMetric
          .computeIfAbsent(List.of(result.metric(), result.unit()), key -> new LinkedHashMap<>())
          .computeIfAbsent(List.of(result.setting(), result.model()), key -> new ArrayList<>())
          .add(result);
    }
    var tables = new ArrayList<TextTable>();
    byMetric.forEach(
        (metric, rows) ->
            tables.add(
                ofMetric(
                    metric.get(0),
                    metric.get(1),
                    rows.values().stream().map(runs -> Row.of(runs, outcome)).toList(),
                    source)));
    return tables;
  }

  private static TextTable ofMetric(
      String metric, String unit, List<Row> rows, Function<Result, String> source) {
    // Short names such as nll are abbreviations; longer ones are words.
    String name = metric.length() <= 4 ? metric.toUpperCase(Locale.ROOT) : metric;
    var table = new Builder(rows);
    table.always("setting", false, row -> row.first().setting());
    table.always("model", false, row -> row.first().model());
    boolean saysUnit = metric.endsWith(unit); // as "bpc" does, and any name where there is none
    table.always(saysUnit ? name : name + " (" + unit + ")", true, Row::value);
    table.ifAny("worst", true, Row::worst);
    table.ifAny("s.e.", true, Row::standardError);
    table.ifAny("floor", true, row -> row.model().shown(row.model().floor()));
    table.ifAny("above floor", true, row -> row.model().shown(row.model().aboveFloor()));
    table.ifAny("worst above", true, Row::worstAboveFloor);
    table.ifAny("factorised", true, row -> row.shown(row.reference().factorised()));
    table.ifAny("family optimum", true, row -> row.shown(row.reference().familyOptimum()));
    table.ifAny("paper", true, row -> row.shown(row.first().paper()));
    table.ifAny("peers", false, row -> row.reference().peers());
    table.always("seconds", true, Row::seconds);
    if (rows.stream().anyMatch(row -> row.model().hasSeveralSeeds())) {
      table.always("seeds", true, row -> row.model().seeds());
    }
    table.ifAny("run", false, row -> source.apply(row.first()));
    return table.build();
  }

  /** The runs of one setting and model, and what to compare them with. */
  private record Row(ModelRuns model, Outcome.Reference reference) {
    static Row of(List<Result> runs, Outcome outcome) {
      Result first = runs.get(0);
      var none = new Outcome.Reference(first.setting(), first.model(), null, null, "");
      return new Row(
          new ModelRuns(runs),
          isModelsFirst(first, outcome)
              ? outcome.references().stream()
                  .filter(
                      r -> r.setting().equals(first.setting()) && r.model().equals(first.model()))
                  .findFirst()
                  .orElse(none)
              : none);
    }

    /** References are nats or bits; a model's milliseconds can't be compared with them. */
    private static boolean isModelsFirst(Result result, Outcome outcome) {
      return outcome.results().stream()
          .filter(r -> r.setting().equals(result.setting()) && r.model().equals(result.model()))
          .findFirst()
          .map(r -> r.metric().equals(result.metric()) && r.unit().equals(result.unit()))
          .orElseThrow();
    }

    Result first() {
      return model.first();
    }

    String value() {
      int decimals = Numbers.decimals(model.mean(), first().unit());
      String mean = Numbers.fixed(model.mean(), decimals);
      double half = (model.highest() - model.lowest()) / 2;
      return model.hasSeveralSeeds() && Double.isFinite(half)
          ? mean + " ± " + Numbers.fixed(half, decimals)
          : mean;
    }

    String worst() {
      return model.hasSeveralSeeds() && model.isLikelihood() ? model.shown(model.highest()) : "";
    }

    /** Says more than the worst value only where seeds have floors of their own. */
    String worstAboveFloor() {
      return model.isLikelihood() && model.hasFloorsOfItsSeeds()
          ? model.shown(model.worstAboveFloor())
          : "";
    }

    /** A number in this row's unit; empty where there is none. */
    String shown(Double value) {
      return value == null ? "" : model.shown(value);
    }

    String standardError() {
      return model.standardError().isPresent()
          ? String.format(Locale.ROOT, "%.1g", model.standardError().getAsDouble())
          : "";
    }

    String seconds() {
      return Numbers.fixed(model.seconds(), 1);
    }
  }

  private static final class Builder {
    private final List<Row> source;
    private final List<TextTable.Column> columns = new ArrayList<>();
    private final List<List<String>> cells = new ArrayList<>(); // [column][row]

    Builder(List<Row> source) {
      this.source = source;
    }

    void always(String heading, boolean numeric, Function<Row, String> cell) {
      columns.add(new TextTable.Column(heading, numeric));
      cells.add(
          source.stream().map(cell).map(text -> text.isEmpty() ? TextTable.NONE : text).toList());
    }

    /** A column that would be empty throughout only takes room. */
    void ifAny(String heading, boolean numeric, Function<Row, String> cell) {
      if (source.stream().anyMatch(row -> !cell.apply(row).isEmpty())) {
        always(heading, numeric, cell);
      }
    }

    TextTable build() {
      return new TextTable(
          columns,
          IntStream.range(0, source.size())
              .mapToObj(row -> cells.stream().map(column -> column.get(row)).toList())
              .toList());
    }
  }
}
