package io.ringflow.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * The outcome of one benchmark.
 *
 * @param name of class and method, such as {@code LayerBenchmark.forward}
 * @param parameters by name
 * @param millis of one call
 * @param error half the width of its 99.9 % confidence interval; NaN where there was one iteration
 */
record Measurement(String name, Map<String, String> parameters, double millis, double error) {
  Measurement {
    parameters = Map.copyOf(parameters);
  }

  static Measurement of(RunResult run) {
    BenchmarkParams described = run.getParams();
    Map<String, String> parameters =
        described.getParamsKeys().stream()
            .collect(Collectors.toMap(key -> key, described::getParam));
    Result<?> result = run.getPrimaryResult();
    String[] words = described.getBenchmark().split("\\.", -1);
    return new Measurement(
        words[words.length - 2] + "." + words[words.length - 1],
        parameters,
        result.getScore(),
        result.getScoreError());
  }

  /** Such as {@code transformer, autoregressive}. */
  String setting() {
    return String.join(", ", new TreeMap<>(parameters).values());
  }

  String time() {
    return Double.isNaN(error)
        ? String.format(Locale.ROOT, "%.3f", millis)
        : String.format(Locale.ROOT, "%.3f ± %.3f", millis, error);
  }

  /** How this compares with the one it should be compared with; empty where there is none. */
  String comparison(Collection<Measurement> all) {
    return switch (name) {
      case "LayerBenchmark.forward" ->
          against(all, "LayerBenchmark.inverse", parameters, "inverse");
      case "SamplingBenchmark.keptState" ->
          against(all, "SamplingBenchmark.wholePass", parameters, "whole pass, not 64");
      case "ScoringBenchmark.score" -> {
        Map<String, String> single = new TreeMap<>(parameters);
        single.put("precision", "FLOAT32");
        yield single.equals(parameters) ? "" : against(all, name, single, "float32");
      }
      case "MatrixBenchmark.product" ->
          String.format(Locale.ROOT, "%.0f GFLOP/s", MatrixBenchmark.OPERATIONS / millis / 1e6);
      default -> "";
    };
  }

  private String against(
      Collection<Measurement> all, String other, Map<String, String> with, String what) {
    return all.stream()
        .filter(m -> m.name.equals(other) && m.parameters.equals(with))
        .findFirst()
        .map(m -> String.format(Locale.ROOT, "%.1f x %s", millis / m.millis, what))
        .orElse("");
  }
}
