package io.ringflow.train;

import java.util.OptionalDouble;

/**
 * Hears what a {@link Trainer} does: progress bars, metric logs and tests are listeners.
 *
 * <p>Calls come from the training thread, in order; a listener that throws ends the training with
 * its exception. The last checkpoint then still stands, and training can resume from it.
 */
public interface TrainingListener {
  /**
   * Training begins, or resumes from a checkpoint.
   *
   * @param fromStep steps already done; 0 for a fresh start
   * @param totalSteps steps planned in all
   */
  default void started(long fromStep, long totalSteps) {}

  /**
   * Some steps were done; called every {@link TrainingOptions#logEvery()} steps and after the last
   * one.
   *
   * @param progress where training stands
   */
  default void progressed(Progress progress) {}

  /**
   * The validation rows were scored. With {@link TrainingOptions#averageWeights}, called twice: for
   * the last weights, then for their average, which the model has during the second call.
   *
   * @param evaluation the outcome
   */
  default void evaluated(Evaluation evaluation) {}

  /**
   * The contexts of a text are counted: the n-grams beside a network before it is trained, and
   * after that what the model compresses by, see {@link FitOptions#counts}.
   *
   * @param symbols counted so far
   * @param total symbols to count
   */
  default void counting(long symbols, long total) {}

  /**
   * Training ended.
   *
   * @param report how and why
   */
  default void finished(TrainingReport report) {}

  /**
   * Where training stands.
   *
   * @param step steps done so far
   * @param totalSteps steps planned in all
   * @param loss mean nats per row since the last call
   * @param learningRate of the networks, at this step
   * @param temperature of the straight-through gradient, at this step
   * @param gradientNorm before clipping, at this step
   * @param rowsPerSecond since the last call
   * @param seconds spent in training so far, earlier runs of a resumed training included
   */
  record Progress(
      long step,
      long totalSteps,
      double loss,
      double learningRate,
      double temperature,
      double gradientNorm,
      double rowsPerSecond,
      double seconds) {}

  /**
   * The validation rows were scored.
   *
   * @param step steps done so far
   * @param loss mean nats per validation row
   * @param best whether no earlier loss was as low, so that these weights are kept for now
   * @param averaged whether it is that of the average of the weights
   */
  record Evaluation(long step, double loss, boolean best, boolean averaged) {}

  /** Why training ended. */
  enum StopReason {
    /** All planned steps were done. */
    COMPLETED,
    /** Validation had not improved for the chosen number of evaluations. */
    EARLY_STOPPED,
    /** The time budget was spent. */
    TIME_BUDGET,
    /** Somebody interrupted the training thread. */
    INTERRUPTED
  }

  /**
   * How training ended.
   *
   * @param steps steps done in all
   * @param seconds spent in training, earlier runs of a resumed training included
   * @param loss mean nats per row at the last {@link Progress}
   * @param bestValidation the lowest validation loss, if there was an evaluation
   * @param reason why it ended
   */
  record TrainingReport(
      long steps, double seconds, double loss, OptionalDouble bestValidation, StopReason reason) {}
}
