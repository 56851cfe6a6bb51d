package io.ringflow.paper.experiment;

import io.ringflow.infer.WeightedSamples;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often samples of a model have which ratio of target and model: a peak at 0 where both are the
 * same, a tail to the right where the model misses something.
 */
final class WeightHistogram {
  private static final int BINS = 40;

  /** The share of samples at either end that are counted in the outermost bins. */
  private static final double ENDS = 0.002;

  private final Map<String, double[]> ratios = new LinkedHashMap<>();

  /**
   * Adds a model.
   *
   * @param exact log Z of the target
   */
  void add(String model, WeightedSamples samples, double exact) {
    ratios.put(
        model,
        Arrays.stream(samples.logRatios())
            .filter(Double::isFinite)
            .map(ratio -> ratio - exact)
            .sorted()
            .toArray());
  }

  /** Nothing was added. */
  boolean isEmpty() {
    return ratios.isEmpty();
  }

  LineChart chart(String name, String setting) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double[] sorted : ratios.values()) {
      int end = (int) (ENDS * sorted.length);
      low = Math.min(low, sorted[end]);
      high = Math.max(high, sorted[sorted.length - 1 - end]);
    }
    double width = Math.max(high - low, 1e-6) / BINS;
    List<Series> series = new ArrayList<>();
    for (Map.Entry<String, double[]> one : ratios.entrySet()) {
      series.add(series(one.getKey(), one.getValue(), low, width));
    }
    return new LineChart(
        name,
        setting + ": log-ratios of target and model",
        "log p - log q, nats",
        "share of samples",
        series,
        List.of());
  }

  private static Series series(String name, double[] sorted, double low, double width) {
    double[] x = new double[BINS];
    double[] y = new double[BINS];
    Arrays.setAll(x, bin -> low + (bin + 0.5) * width);
    for (double ratio : sorted) {
      int bin = (int) Math.floor((ratio - low) / width);
      y[Math.max(0, Math.min(BINS - 1, bin))] += 1.0 / sorted.length;
    }
    return new Series(name, x, y);
  }
}
