package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What likelihood costs in passes and in time: charts of text models, out of their results alone.
 */
public final class PassesFrontier {
  private static final Pattern PASSES = Pattern.compile("\\d+ pass(?:es)?, (.*)");
  private static final Pattern LAYERS = Pattern.compile("(\\d+) layers? (.*)");
  private static final Pattern LENGTH = Pattern.compile(".*length (\\d+)");

  private PassesFrontier() {}

  /** One model. */
  private record Point(String family, double passes, double bits, double one, double many) {}

  /**
   * Charts of bits against network calls, and against the time of a row.
   *
   * @param results of runs on texts, one seed each; models without network calls are left out
   */
  public static List<LineChart> of(List<Result> results) {
    Map<String, Map<String, Result>> models = new LinkedHashMap<>();
    for (Result result : results) {
      models
          .computeIfAbsent(result.setting() + ", " + result.model(), key -> new LinkedHashMap<>())
          .put(result.metric(), result);
    }
    Map<String, List<Point>> families = new TreeMap<>();
    for (Map<String, Result> model : models.values()) {
      OptionalDouble passes = passes(model);
      if (passes.isPresent() && model.containsKey("bpc")) {
        Point point = point(model, passes.getAsDouble());
        families.computeIfAbsent(point.family, key -> new ArrayList<>()).add(point);
      }
    }
    return families.isEmpty()
        ? List.of()
        : List.of(
            chart(
                "frontier-passes",
                "Test bits per character by the pass",
                "network calls for a row",
                families,
                Point::passes),
            chart(
                "frontier-time",
                "Test bits per character by the time of one row",
                "milliseconds for a row",
                families,
                Point::one),
            chart(
                "frontier-time-256",
                "Test bits per character by the time of 256 rows",
                "milliseconds for 256 rows",
                families,
                Point::many));
  }

  /** How many network calls a model makes; runs from before it was measured tell by their names. */
  private static OptionalDouble passes(Map<String, Result> model) {
    if (model.containsKey(TextTrials.PASSES)) {
      double passes = model.get(TextTrials.PASSES).value();
      return passes > 0 ? OptionalDouble.of(passes) : OptionalDouble.empty();
    }
    Result any = model.values().iterator().next();
    Matcher layers = LAYERS.matcher(any.model());
    if (layers.matches()) {
      return OptionalDouble.of(Double.parseDouble(layers.group(1)));
    }
    Matcher length = LENGTH.matcher(any.setting());
    return any.model().startsWith("autoregressive") && length.matches()
        ? OptionalDouble.of(Double.parseDouble(length.group(1)))
        : OptionalDouble.empty();
  }

  private static Point point(Map<String, Result> model, double passes) {
    return new Point(
        family(model.get("bpc").model()),
        passes,
        model.get("bpc").value(),
        model.get(GenerationTime.ONE_AT_A_TIME).value(),
        model.get(GenerationTime.SIDE_BY_SIDE).value());
  }

  private static String family(String model) {
    Matcher passes = PASSES.matcher(model);
    if (passes.matches()) {
      return "groups, " + passes.group(1);
    }
    Matcher layers = LAYERS.matcher(model);
    return layers.matches() ? "flows " + layers.group(2) : model;
  }

  private static LineChart chart(
      String name,
      String title,
      String xLabel,
      Map<String, List<Point>> families,
      ToDoubleFunction<Point> x) {
    List<Series> series = new ArrayList<>();
    families.forEach(
        (family, points) -> {
          List<Point> inOrder = points.stream().sorted(Comparator.comparingDouble(x)).toList();
          series.add(
              new Series(
                  family,
                  inOrder.stream().mapToDouble(x).toArray(),
                  inOrder.stream().mapToDouble(Point::bits).toArray()));
        });
    return new LineChart(name, title, xLabel, "bits per character", series, List.of(), true);
  }
}
