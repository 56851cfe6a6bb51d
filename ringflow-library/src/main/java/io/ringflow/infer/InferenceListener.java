package io.ringflow.infer;

/** Hears how an inference goes. */
@FunctionalInterface
public interface InferenceListener {
  /**
   * Some steps are done.
   *
   * @param progress since the last call
   */
  void progressed(Progress progress);

  /**
   * How far an inference is.
   *
   * @param step how many steps are done
   * @param share of the training that is done, 0 to 1
   * @param seconds of training so far
   * @param bound on the logarithm of the sum of all weights, mean over the samples of the last
   *     steps; while the target is annealed, of the target as it is
   * @param ess effective sample size of a step's samples by their number, mean over the last steps
   */
  record Progress(long step, double share, double seconds, double bound, double ess) {}
}
