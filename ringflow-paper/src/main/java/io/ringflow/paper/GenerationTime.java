package io.ringflow.paper;

import io.ringflow.FlowModel;
import io.ringflow.paper.Trial.Measure;
import java.util.Arrays;
import java.util.List;

/** How long a model takes to draw sequences, at once or side by side. */
final class GenerationTime {
  private static final int MANY = 256;

  private GenerationTime() {}

  /**
   * Times one sequence and 256 of them, the median after one to warm up.
   *
   * @param repetitions an odd number
   * @param paperMillis what the paper says of one; null where it says nothing
   */
  static List<Measure> of(FlowModel model, int repetitions, Double paperMillis) {
    return List.of(
        Measure.exact(
            "generation, batch 1", "ms", millis(model, 1, repetitions), null, paperMillis),
        Measure.exact(
            "generation, batch " + MANY, "ms", millis(model, MANY, repetitions), null, null));
  }

  private static double millis(FlowModel model, int count, int repetitions) {
    double[] times = new double[repetitions];
    for (int i = -1; i < repetitions; i++) {
      long started = System.nanoTime();
      int drawn = model.sample(count, i + 1L).length;
      if (i >= 0) {
        times[i] = (System.nanoTime() - started) * 1e-6 * count / drawn;
      }
    }
    Arrays.sort(times);
    return times[repetitions / 2];
  }
}
