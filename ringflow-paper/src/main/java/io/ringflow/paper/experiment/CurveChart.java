package io.ringflow.paper.experiment;

import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
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
    List<Series> lines =
        finished.stream()
            .filter(one -> one.curve() != null && one.trial().seed() == seed)
            .filter(one -> one.trial().setting().equals(setting))
            .map(Finished::curve)
            .toList();
    List<Level> heights =
        levels.entrySet().stream()
            .map(level -> new Level(level.getKey(), level.getValue()))
            .toList();
    return new LineChart(name, title, "step", "nats", lines, heights);
  }
}
