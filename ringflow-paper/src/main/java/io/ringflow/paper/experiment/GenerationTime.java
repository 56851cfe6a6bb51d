package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Trial.Measure;
import java.util.Arrays;
import java.util.List;

/** How long a model takes to sample sequences, at once or side by side. */
final class GenerationTime {
  static final int MANY = 256;

  /** The metric of the time for one sequence. */
  static final String ONE_AT_A_TIME = "generation, batch 1";

  /** The metric of the time for many at once. */
  static final String SIDE_BY_SIDE = "generation, batch " + MANY;

  private GenerationTime() {}

  /**
   * Times one sequence and 256 of them, the median after one to warm up.
   *
   * @param repetitions an odd number
   * @param paperMillis what the paper says of one; null where it says nothing
   */
  static List<Measure> of(FlowModel model, int repetitions, Double paperMillis) {
    return List.of(
        Measure.exact(ONE_AT_A_TIME, "ms", millis(model, 1, repetitions), null, paperMillis),
        Measure.exact(SIDE_BY_SIDE, "ms", millis(model, MANY, repetitions), null, null));
  }

  private static double millis(FlowModel model, int count, int repetitions) {
    double[] times = new double[repetitions];
    for (int i = -1; i < repetitions; i++) {
      long started = System.nanoTime();
      int sampled = model.sample(count, i + 1L).length;
      if (i >= 0) {
        times[i] = (System.nanoTime() - started) * 1e-6 * count / sampled;
      }
    }
    Arrays.sort(times);
    return times[repetitions / 2];
  }
}
