package io.ringflow.infer;

import io.ringflow.internal.checks.Checks;

/**
 * How a model is trained to be like a target.
 *
 * @param batch samples of a step, at least 2
 * @param learningRate at its highest
 * @param annealedShare of the training, over which the target's weights are tempered from nearly
 *     flat to what they are; 0 for never
 * @param reverseShare of the training, from its beginning, in which the model is drawn to the
 *     target's modes by the score function (reverse divergence); in what is left, it is spread over
 *     them (forward divergence)
 */
public record InferenceOptions(
    int batch, double learningRate, double annealedShare, double reverseShare) {
  /** What suits most targets. */
  public static final InferenceOptions DEFAULT = new InferenceOptions(512, 1e-2, 0.4, 0.7);

  /** What suits tables of free logits: each is met by few samples, and disturbs no other. */
  public static final InferenceOptions FOR_TABLES = new InferenceOptions(512, 0.1, 0.4, 0.7);

  /** What suits blocks of positions, whose coefficients are zero at first. */
  public static final InferenceOptions FOR_BLOCKS = new InferenceOptions(512, 2e-2, 0.4, 0.7);

  /** What log-weights are multiplied with at first: nearly flat, but with a direction. */
  private static final double MIN_POWER = 0.1;

  /** Checks every option. */
  public InferenceOptions {
    Checks.atLeast("batch", batch, 2);
    require(learningRate > 0, "learningRate", learningRate, "above 0");
    require(
        reverseShare >= 0 && reverseShare <= 1, "reverseShare", reverseShare, "between 0 and 1");
    require(
        annealedShare >= 0 && annealedShare <= reverseShare,
        "annealedShare",
        annealedShare,
        "between 0 and reverseShare");
  }

  private static void require(boolean holds, String name, double value, String bound) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + bound + ", but is " + value);
    }
  }

  /** What the target's log-weights are multiplied with at a share of the training. */
  double temperedBy(double share) {
    return share >= annealedShare ? 1 : MIN_POWER + (1 - MIN_POWER) * share / annealedShare;
  }
}
