package io.ringflow.train;

import java.time.Duration;
import java.util.Optional;

/**
 * How to train.
 *
 * <pre>{@code
 * TrainingOptions options =
 *     TrainingOptions.steps(6000).learningRate(0.03).temperature(Temperature.annealed(5, 0.1));
 * }</pre>
 *
 * <p>Immutable: each method returns a changed copy.
 *
 * @param steps to do in all
 * @param learningRate of the layers, at its highest
 * @param baseLearningRate of the base, at its highest
 * @param warmupSteps over which the rates rise from zero
 * @param finalRate what the rates fall to at the end along half a cosine, as a share of their highest
 * @param clipNorm the gradient is scaled down to at most this length
 * @param weightDecay of AdamW
 * @param temperature of the straight-through gradient
 * @param evaluateEvery steps between two looks at the validation rows
 * @param patience evaluations without improvement after which training stops; 0 never stops it
 * @param logEvery steps between two reports to listeners
 * @param checkpointEvery steps between two checkpoints
 * @param timeBudget training stops when it is spent, and the schedules end there
 */
public record TrainingOptions(
    long steps,
    double learningRate,
    double baseLearningRate,
    long warmupSteps,
    double finalRate,
    double clipNorm,
    double weightDecay,
    Temperature temperature,
    long evaluateEvery,
    int patience,
    long logEvery,
    long checkpointEvery,
    Optional<Duration> timeBudget) {
  /** Checks every option. */
  public TrainingOptions {
    require(steps >= 1, "steps", steps, "at least 1");
    require(learningRate >= 0, "learningRate", learningRate, "at least 0");
    require(baseLearningRate >= 0, "baseLearningRate", baseLearningRate, "at least 0");
    require(warmupSteps >= 0, "warmupSteps", warmupSteps, "at least 0");
    require(finalRate >= 0 && finalRate <= 1, "finalRate", finalRate, "between 0 and 1");
    require(clipNorm > 0, "clipNorm", clipNorm, "above 0");
    require(weightDecay >= 0, "weightDecay", weightDecay, "at least 0");
    require(evaluateEvery >= 1, "evaluateEvery", evaluateEvery, "at least 1");
    require(patience >= 0, "patience", patience, "at least 0");
    require(logEvery >= 1, "logEvery", logEvery, "at least 1");
    require(checkpointEvery >= 1, "checkpointEvery", checkpointEvery, "at least 1");
  }

  private static void require(boolean holds, String name, Object value, String bound) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + bound + ", but is " + value);
    }
  }

  /** Sensible defaults for a number of steps; the temperature is the paper's 0.1. */
  public static TrainingOptions steps(long steps) {
    return new TrainingOptions(
        steps,
        1e-3,
        1e-3,
        Math.min(steps / 20, 1000),
        0.0,
        1.0,
        0.0,
        Temperature.constant(0.1),
        Math.max(1, steps / 20),
        0,
        50,
        1000,
        Optional.empty());
  }

  /** Sets the rate of layers and base alike. */
  public TrainingOptions learningRate(double rate) {
    return new TrainingOptions(steps, rate, rate, warmupSteps, finalRate, clipNorm, weightDecay,
        temperature, evaluateEvery, patience, logEvery, checkpointEvery, timeBudget);
  }

  /** Sets the rate of the base alone; call after {@link #learningRate(double)}. */
  public TrainingOptions baseLearningRate(double rate) {
    return new TrainingOptions(steps, learningRate, rate, warmupSteps, finalRate, clipNorm, weightDecay,
        temperature, evaluateEvery, patience, logEvery, checkpointEvery, timeBudget);
  }

  /** Sets the warm-up and what the rates fall to. */
  public TrainingOptions schedule(long warmup, double last) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmup, last, clipNorm, weightDecay,
        temperature, evaluateEvery, patience, logEvery, checkpointEvery, timeBudget);
  }

  /** Sets the longest gradient. */
  public TrainingOptions clipNorm(double norm) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmupSteps, finalRate, norm, weightDecay,
        temperature, evaluateEvery, patience, logEvery, checkpointEvery, timeBudget);
  }

  /** Sets the weight decay. */
  public TrainingOptions weightDecay(double decay) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmupSteps, finalRate, clipNorm, decay,
        temperature, evaluateEvery, patience, logEvery, checkpointEvery, timeBudget);
  }

  /** Sets the temperature. */
  public TrainingOptions temperature(Temperature tau) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmupSteps, finalRate, clipNorm, weightDecay,
        tau, evaluateEvery, patience, logEvery, checkpointEvery, timeBudget);
  }

  /** Sets when to look at the validation rows and when to give up. */
  public TrainingOptions earlyStopping(long every, int evaluations) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmupSteps, finalRate, clipNorm, weightDecay,
        temperature, every, evaluations, logEvery, checkpointEvery, timeBudget);
  }

  /** Sets how often listeners hear of progress. */
  public TrainingOptions logEvery(long every) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmupSteps, finalRate, clipNorm, weightDecay,
        temperature, evaluateEvery, patience, every, checkpointEvery, timeBudget);
  }

  /** Sets how often a checkpoint is written. */
  public TrainingOptions checkpointEvery(long every) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmupSteps, finalRate, clipNorm, weightDecay,
        temperature, evaluateEvery, patience, logEvery, every, timeBudget);
  }

  /** Sets the time budget. */
  public TrainingOptions timeBudget(Duration budget) {
    return new TrainingOptions(steps, learningRate, baseLearningRate, warmupSteps, finalRate, clipNorm, weightDecay,
        temperature, evaluateEvery, patience, logEvery, checkpointEvery, Optional.of(budget));
  }

  /** What the rates are multiplied with, after a number of steps and at a share of the training. */
  double rateFactor(long step, double share) {
    double warmth = warmupSteps == 0 ? 1 : Math.min(1, (step + 1.0) / warmupSteps);
    double cosine = (1 + Math.cos(Math.PI * Math.min(1, share))) / 2;
    return warmth * (finalRate + (1 - finalRate) * cosine);
  }
}
