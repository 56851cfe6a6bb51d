package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * One line for each lattice and model, over all seeds: mean and worst gap of the bound and
 * effective sample size, and the free energy that is farthest off.
 */
final class LatticeSummary {
  static final String HEAD = "lattice";

  /** What one training came to; not a number where it was not measured. */
  private record Training(double gap, double ess, double logZ, double seconds, long seed) {}

  private LatticeSummary() {}

  /**
   * The lines.
   *
   * @param exact log Z of a lattice, by its setting
   * @param sites of a lattice times its inverse temperature, by its setting
   */
  static List<String> lines(
      List<Result> results, Map<String, Double> exact, Map<String, Double> sites) {
    Map<List<String>, List<Training>> rows = new LinkedHashMap<>();
    for (Map.Entry<List<Object>, Map<String, Result>> run : byTraining(results).entrySet()) {
      Map<String, Result> metrics = run.getValue();
      Result any = metrics.values().iterator().next();
      rows.computeIfAbsent(List.of(any.setting(), any.model()), key -> new ArrayList<>())
          .add(
              new Training(
                  value(metrics, InferenceTask.GAP),
                  value(metrics, InferenceTask.ESS),
                  value(metrics, InferenceTask.LOG_Z),
                  any.seconds(),
                  any.seed()));
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-28s%-24s%9s%9s%9s%9s%14s%9s%10s",
            HEAD, "model", "gap", "worst", "ESS/M", "worst", "F/N off by", "seconds", "seeds"));
    rows.forEach(
        (row, trainings) -> {
          String setting = row.get(0);
          lines.add(line(row, trainings, exact.get(setting), sites.get(setting)));
        });
    return lines;
  }

  private static String line(
      List<String> row, List<Training> trainings, double exact, double sites) {
    var seeds = new TreeSet<Long>(trainings.stream().map(Training::seed).toList());
    return String.format(
        Locale.ROOT,
        "%-28s%-24s%9.4f%9.4f%9.4f%9.4f%14.1e%9.1f%10s",
        row.get(0),
        row.get(1),
        mean(trainings, Training::gap),
        trainings.stream().mapToDouble(Training::gap).max().orElseThrow(),
        mean(trainings, Training::ess),
        trainings.stream().mapToDouble(Training::ess).min().orElseThrow(),
        trainings.stream()
            .mapToDouble(training -> Math.abs(training.logZ() - exact) / sites)
            .max()
            .orElseThrow(),
        mean(trainings, Training::seconds),
        seeds.size() == 1 ? seeds.first().toString() : seeds.first() + "-" + seeds.last());
  }

  private static double mean(List<Training> trainings, ToDoubleFunction<Training> of) {
    return trainings.stream().mapToDouble(of).average().orElseThrow();
  }

  /** What was measured of each training, by the name of the metric. */
  private static Map<List<Object>, Map<String, Result>> byTraining(List<Result> results) {
    Map<List<Object>, Map<String, Result>> found = new LinkedHashMap<>();
    for (Result result : results) {
      found
          .computeIfAbsent(
              List.of(result.setting(), result.model(), result.seed()),
              key -> new LinkedHashMap<>())
          .put(result.metric(), result);
    }
    return found;
  }

  private static double value(Map<String, Result> metrics, String name) {
    Result found = metrics.get(name);
    return found == null ? Double.NaN : found.value();
  }
}
