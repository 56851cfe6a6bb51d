package io.ringflow.paper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Says which of the paper's figures no model can have reached on the data as we read it. */
final class PaperBelowFloor {
  private PaperBelowFloor() {}

  /** One sentence, where there is such a figure. */
  static Optional<String> sentence(List<Result> results, String metric) {
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
            "These figures of the paper lie below the floor, so they can't be the likelihood of fresh data: "
                + cases
                + ".");
  }

  private static Optional<String> describe(String name, List<Result> runs) {
    OptionalDouble floor = runs.stream().mapToDouble(Result::floor).average();
    double paper = runs.get(0).paper();
    // The paper rounds to at least one decimal: what rounding explains is no contradiction.
    return paper < floor.orElseThrow() - 0.05
        ? Optional.of(String.format(Locale.ROOT, "%s: %s < %.3f", name, paper, floor.getAsDouble()))
        : Optional.empty();
  }
}
