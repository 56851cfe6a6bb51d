package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paper's chart of section 4.5, out of results alone: bits per character of a text against the
 * number of layers, ours and the paper's, and what the predictions of the best autoregressive model
 * would be worth to layers.
 */
public final class LayersChart {
  private static final Pattern LAYERS = Pattern.compile("(\\d+) layers?(,? .*)?");
  private static final String BITS = "bpc";

  private LayersChart() {}

  /** Returns the chart, if there is a model with layers among the results of one experiment. */
  public static Optional<LineChart> of(List<Result> results) {
    Map<String, Map<Double, Double>> lines = new TreeMap<>();
    for (Result result : results) {
      Matcher layers = LAYERS.matcher(result.model());
      if (result.metric().equals(BITS) && layers.matches()) {
        String kind = layers.group(2) == null ? "layers" : layers.group(2).replaceAll("^,? ", "");
        Double count = Double.valueOf(layers.group(1));
        point(lines, kind, count, result.value());
        if (result.paper() != null) {
          point(lines, kind.replaceFirst(",.*", "") + ", the paper", count, result.paper());
        }
      }
    }
    return lines.isEmpty() ? Optional.empty() : Optional.of(chart(lines, limits(results)));
  }

  private static void point(
      Map<String, Map<Double, Double>> lines, String line, Double x, double y) {
    lines.computeIfAbsent(line, key -> new TreeMap<>()).merge(x, y, Math::min);
  }

  private static LineChart chart(Map<String, Map<Double, Double>> lines, List<Level> limits) {
    List<Series> series = new ArrayList<>();
    lines.forEach(
        (kind, points) ->
            series.add(
                new Series(
                    kind,
                    points.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
                    points.values().stream().mapToDouble(Double::doubleValue).toArray())));
    return new LineChart(
        "text-layers",
        "Test bits per character and layers",
        "layers",
        "bits per character",
        series,
        limits);
  }

  /** What predictions are worth, by the model whose are worth most, and that model's own bits. */
  private static List<Level> limits(List<Result> results) {
    List<Level> limits = new ArrayList<>();
    limit(results, TextTrials.SHIFTED, "shifts by a model of %.2f bits").ifPresent(limits::add);
    limit(results, TextTrials.SCALED, "with scale, by one of %.2f").ifPresent(limits::add);
    return limits;
  }

  private static Optional<Level> limit(List<Result> results, String metric, String name) {
    Optional<Result> best =
        results.stream()
            .filter(result -> result.metric().equals(metric))
            .min(Comparator.comparingDouble(Result::value));
    return best.flatMap(
        worth ->
            results.stream()
                .filter(result -> result.metric().equals(BITS))
                .filter(result -> result.model().equals(worth.model()))
                .filter(result -> result.seed() == worth.seed())
                .findFirst()
                .map(
                    own ->
                        new Level(String.format(Locale.ROOT, name, own.value()), worth.value())));
  }
}
