package io.ringflow.paper;

import io.ringflow.paper.Outcome.LineChart;
import io.ringflow.paper.Outcome.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Learning curves between the levels they should be held against. */
final class CurveChart {
  private CurveChart() {}

  /**
   * The curves of one seed and setting.
   *
   * @param name file name without ending
   * @param title above the picture
   * @param finished all trials; those with a curve, of this seed and setting, are shown
   * @param levels horizontal lines, such as the entropy, by name
   */
  static LineChart of(
      String name,
      String title,
      List<Finished> finished,
      long seed,
      String setting,
      Map<String, Double> levels) {
    List<Series> lines = new ArrayList<>();
    double first = Double.POSITIVE_INFINITY;
    double last = 0;
    for (Finished one : finished) {
      Series curve = one.curve();
      Trial trial = one.trial();
      if (curve == null || trial.seed() != seed || !trial.setting().equals(setting)) {
        continue;
      }
      lines.add(curve);
      first = Math.min(first, curve.x()[0]);
      last = Math.max(last, curve.x()[curve.x().length - 1]);
    }
    if (!lines.isEmpty()) {
      double[] ends = {first, last};
      levels.forEach(
          (level, height) -> lines.add(new Series(level, ends, new double[] {height, height})));
    }
    return new LineChart(name, title, "step", "nats", lines);
  }
}
