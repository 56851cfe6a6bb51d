package io.ringflow.cli.report;

import io.ringflow.cli.report.TextTable.Column;
import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of several experiments in one table: of each model its first metric. */
public final class SummaryTable {
  private SummaryTable() {}

  /** Returns a row for each experiment, setting and model, in their order. */
  public static TextTable of(List<Result> results) {
    Map<List<String>, List<Result>> models = new LinkedHashMap<>();
    for (Result result : results) {
      List<Result> own =
          models.computeIfAbsent(
              List.of(result.experiment(), result.setting(), result.model()),
              key -> new ArrayList<>());
      if (own.isEmpty() || own.get(0).metric().equals(result.metric())) {
        own.add(result);
      }
    }
    return new TextTable(
            List.of(
                Column.text("experiment"),
                Column.text("setting"),
                Column.text("model"),
                Column.text("metric"),
                Column.number("mean"),
                Column.number("worst"),
                Column.number("floor"),
                Column.number("paper"),
                Column.number("seconds"),
                Column.text("seeds")),
            models.values().stream().map(ModelRuns::new).map(SummaryTable::row).toList())
        .withoutEmptyColumns();
  }

  private static List<String> row(ModelRuns row) {
    Result first = row.first();
    return List.of(
        first.experiment(),
        first.setting(),
        first.model(),
        first.metric().endsWith(first.unit())
            ? first.metric()
            : first.metric() + " (" + first.unit() + ")",
        row.shown(row.mean()),
        row.hasSeveralSeeds() && row.isLikelihood() ? row.shown(row.highest()) : "",
        row.shown(row.floor()),
        first.paper() == null ? "" : row.shown(first.paper()),
        Numbers.fixed(row.seconds(), 1),
        row.seeds());
  }
}
