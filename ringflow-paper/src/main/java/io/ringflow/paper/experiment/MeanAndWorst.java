package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Results over many problems of a kind, where a mean alone would hide the one that failed. */
final class MeanAndWorst {
  /** Those of which the lowest value is the worst. */
  private static final Set<String> LOWEST = Set.of(InferenceTask.ESS, SkExperiment.MODES_FOUND);

  private MeanAndWorst() {}

  /**
   * Mean and worst of each metric.
   *
   * @param kinds what a kind of problems is called
   * @param kind of a result
   */
  static List<String> lines(String kinds, Function<Result, String> kind, List<Result> results) {
    Map<List<String>, DoubleSummaryStatistics> all = new LinkedHashMap<>();
    for (Result result : results) {
      all.computeIfAbsent(
              List.of(kind.apply(result), result.model(), result.metric()),
              key -> new DoubleSummaryStatistics())
          .accept(result.value());
    }
    List<String> lines = new ArrayList<>();
    lines.add(String.format("%-12s%-24s%-28s%12s%12s", kinds, "model", "metric", "mean", "worst"));
    all.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getKey().get(0))) // not all have all metrics
        .map(entry -> line(entry.getKey(), entry.getValue()))
        .forEach(lines::add);
    return lines;
  }

  private static String line(List<String> key, DoubleSummaryStatistics values) {
    String metric = key.get(2);
    return String.format(
        Locale.ROOT,
        "%-12s%-24s%-28s%12.5f%12.5f",
        key.get(0),
        key.get(1),
        metric,
        values.getAverage(),
        LOWEST.contains(metric) ? values.getMin() : values.getMax());
  }
}
