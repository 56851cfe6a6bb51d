package io.ringflow.paper.harness;

import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says which of the paper's results no model can have reached on the data as we read it. */
public final class PaperBelowFloor {
  private static final double ROUNDING = 0.05;

  private PaperBelowFloor() {}

  /**
   * One sentence, where there is such a result.
   *
   * @param results of one experiment
   * @param metric which of its metrics, such as {@code nll}
   */
  public static Optional<String> sentence(List<Result> results, String metric) {
    Map<String, List<Result>> rows =
        results.stream()
            .filter(r -> r.metric().equals(metric) && r.paper() != null && r.floor() != null)
            .collect(
                Collectors.groupingBy(
                    r -> r.setting() + ", " + r.model(), LinkedHashMap::new, Collectors.toList()));
    String cases =
        rows.entrySet().stream()
            .map(row -> describe(row.getKey(), row.getValue()))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return cases.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "These results of the paper lie below the floor, so they can't be the likelihood of fresh data: "
                + cases
                + ".");
  }

  private static Optional<String> describe(String name, List<Result> runs) {
    DoubleSummaryStatistics floors = runs.stream().mapToDouble(Result::floor).summaryStatistics();
    double paper = runs.get(0).paper();
    // What rounding to one decimal explains is no contradiction, nor is what another sample of
    // the data might, where each seed has data of its own.
    double scatter = floors.getMax() - floors.getMin();
    return paper < floors.getMin() - scatter - ROUNDING
        ? Optional.of(String.format(Locale.ROOT, "%s: %s < %.3f", name, paper, floors.getAverage()))
        : Optional.empty();
  }
}
