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
    double paper = runs.get(0).paper();
    double floor = runs.stream().mapToDouble(Result::floor).average().orElseThrow();
    return isBelow(paper, runs)
        ? Optional.of(String.format(Locale.ROOT, "%s: %s < %.3f", name, paper, floor))
        : Optional.empty();
  }

  /**
   * Whether a figure lies below the floor by more than can be explained: rounding to one decimal is
   * no contradiction, nor is what another sample of the data might give, where each seed has data
   * of its own.
   *
   * @param runs of one model, one for each seed; without a floor nothing is below it
   */
  public static boolean isBelow(double paper, List<Result> runs) {
    if (runs.stream().anyMatch(run -> run.floor() == null)) {
      return false;
    }
    DoubleSummaryStatistics floors = runs.stream().mapToDouble(Result::floor).summaryStatistics();
    double scatter = floors.getMax() - floors.getMin();
    return paper < floors.getMin() - scatter - ROUNDING;
  }
}
