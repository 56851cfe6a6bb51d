package io.ringflow.internal.engine;

import io.ringflow.base.Base;
import io.ringflow.core.Space;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import java.util.List;
import java.util.Locale;
import org.bytedeco.javacpp.Pointer;

/** Says before any memory is taken whether a model is too large to be trained. */
public final class TrainingMemory {
  /** Of a weight, its gradient and its two moments in float32, and its float64 copy. */
  private static final int BYTES_A_WEIGHT = 4 * Float.BYTES + Double.BYTES;

  private TrainingMemory() {}

  /**
   * Refuses a model whose weights alone outgrow the memory of the machine. (A GPU's is smaller and
   * refuses by itself, in a line with numbers.)
   *
   * @throws IllegalArgumentException with both sizes
   */
  public static void check(Space space, List<Layer> layers, Base base) {
    check(weights(space, layers, base), Pointer.totalPhysicalBytes());
  }

  private static long weights(Space space, List<Layer> layers, Base base) {
    Space none = Space.of();
    Chain.Bound bound = new Chain(layers).on(space, none);
    return Layout.of(bound.bijections(), base.on(bound.baseSpace(), none)).elements();
  }

  static void check(long weights, long memoryBytes) {
    double needed = (double) weights * BYTES_A_WEIGHT;
    if (needed > memoryBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the model is too large to train: %,d weights take at least %.1f GiB, but the machine has"
                  + " %.1f GiB",
              weights,
              needed * 0x1p-30,
              memoryBytes * 0x1p-30));
    }
  }
}
