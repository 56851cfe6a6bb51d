package io.ringflow.train;

import io.ringflow.core.Objective;
import io.ringflow.core.Precision;
import java.time.Duration;

/**
 * How to train.
 *
 * <pre>{@code
 * TrainingOptions options =
 *     TrainingOptions.builder(6000)
 *         .learningRate(0.03)
 *         .temperature(Temperature.annealed(5, 0.1))
 *         .build();
 * }</pre>
 *
 * @param steps to do in all
 * @param learningRate of the layers, at its highest
 * @param baseLearningRate of the base, at its highest
 * @param objective what the gradient is taken of
 * @param precision in which the networks compute; the weights are trained in float32
 * @param dropout share of the units to leave out at random; a table leaves out nothing
 * @param hiddenSymbols share of the symbols to hide at random from the networks that predict others
 *     by them; Transformers and LSTMs, others are shown all
 * @param progressive whether layers learn one after the other, the one next to the data first, each
 *     for an equal part of their span
 * @param baseAveraging how far a factorised base moves in a step towards the marginals that the
 *     layers make of the batch, instead of learning by its gradient; 0 to learn
 * @param layerSchedule when the layers learn; outside it they stand still
 * @param baseSchedule when the base learns; outside it it stands still
 * @param warmupSteps over which the rates rise from zero
 * @param minimumRate what the rates fall to at the end, as a share of their highest
 * @param rateDecay the curve along which they fall
 * @param clipNorm the gradient is scaled down to at most this length
 * @param optimizer what makes an update of a gradient
 * @param matrixLearningRate of the matrices that {@link Optimizer#MUON} updates, at its highest,
 *     where others learn at {@code learningRate}; the base's are as much faster or slower as the
 *     rest of it. 0 without Muon
 * @param weightDecay the share of a weight that a step takes away, divided by its learning rate
 * @param averageWeights the share of an average of the weights that a step leaves of it; 0 for no
 *     average
 * @param temperature of the straight-through gradient
 * @param evaluateEvery steps between two looks at the validation rows
 * @param patience evaluations without improvement after which training stops; 0 never stops it
 * @param logEvery steps between two reports to listeners
 * @param checkpointEvery steps between two checkpoints
 * @param timeBudgetSeconds training stops when it is spent, and the schedules end there; infinite
 *     for none
 */
public record TrainingOptions(
    long steps,
    double learningRate,
    double baseLearningRate,
    Objective objective,
    Precision precision,
    double dropout,
    double hiddenSymbols,
    boolean progressive,
    double baseAveraging,
    Span layerSchedule,
    Span baseSchedule,
    long warmupSteps,
    double minimumRate,
    RateDecay rateDecay,
    double clipNorm,
    Optimizer optimizer,
    double matrixLearningRate,
    double weightDecay,
    double averageWeights,
    Temperature temperature,
    long evaluateEvery,
    int patience,
    long logEvery,
    long checkpointEvery,
    double timeBudgetSeconds) {
  /** Checks every option. */
  public TrainingOptions {
    require(steps >= 1, "steps", steps, "at least 1");
    require(learningRate >= 0, "learningRate", learningRate, "at least 0");
    require(baseLearningRate >= 0, "baseLearningRate", baseLearningRate, "at least 0");
    require(precision != Precision.FLOAT64, "precision", precision, "bfloat16 or float32");
    require(dropout >= 0 && dropout < 1, "dropout", dropout, "at least 0 and below 1");
    require(
        hiddenSymbols >= 0 && hiddenSymbols < 1,
        "hiddenSymbols",
        hiddenSymbols,
        "at least 0 and below 1");
    require(
        baseAveraging >= 0 && baseAveraging <= 1,
        "baseAveraging",
        baseAveraging,
        "between 0 and 1");
    require(warmupSteps >= 0, "warmupSteps", warmupSteps, "at least 0");
    require(minimumRate >= 0 && minimumRate <= 1, "finalRate", minimumRate, "between 0 and 1");
    require(clipNorm > 0, "clipNorm", clipNorm, "above 0");
    if (optimizer == Optimizer.MUON) {
      require(matrixLearningRate > 0, "matrixLearningRate", matrixLearningRate, "above 0");
      require(learningRate > 0, "learningRate", learningRate, "above 0 with Muon");
    } else {
      require(matrixLearningRate == 0, "matrixLearningRate", matrixLearningRate, "0 without Muon");
    }
    require(weightDecay >= 0, "weightDecay", weightDecay, "at least 0");
    require(
        averageWeights >= 0 && averageWeights < 1,
        "averageWeights",
        averageWeights,
        "at least 0 and below 1");
    require(evaluateEvery >= 1, "evaluateEvery", evaluateEvery, "at least 1");
    require(patience >= 0, "patience", patience, "at least 0");
    require(logEvery >= 1, "logEvery", logEvery, "at least 1");
    require(checkpointEvery >= 1, "checkpointEvery", checkpointEvery, "at least 1");
    require(timeBudgetSeconds > 0, "timeBudgetSeconds", timeBudgetSeconds, "above 0");
  }

  private static void require(boolean holds, String name, Object value, String bound) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + bound + ", but is " + value);
    }
  }

  /** Options for a number of steps; everything else has a default. */
  public static Builder builder(long steps) {
    return new Builder(steps);
  }

  /**
   * A part of the training.
   *
   * <p>Layers and base chase each other when both learn at once. Layers first: they learn to move
   * the data towards a base that stands still, which then fits what they made of it. Base first:
   * the layers then only learn what it could not.
   *
   * @param from its first moment, as a share of the training
   * @param to its last
   */
  public record Span(double from, double to) {
    /** The whole training. */
    public static final Span ALL = new Span(0, 1);

    /** Checks that it is one. */
    public Span {
      if (!(from >= 0 && from < to && to <= 1)) {
        throw new IllegalArgumentException(
            "a span must lie within 0 and 1, but is from " + from + " to " + to);
      }
    }
  }

  /** What the layers' rate is multiplied with, after a number of steps and at a share. */
  double layerFactor(long step, double share) {
    return RateSchedule.factor(this, layerSchedule, step, share);
  }

  /**
   * What the rate of one of several layers is multiplied with.
   *
   * @param layer counted from the base
   */
  double layerFactor(int layer, int layers, long step, double share) {
    if (!progressive) {
      return layerFactor(step, share);
    }
    Span own = RateSchedule.part(layerSchedule, layers - 1 - layer, layers);
    return RateSchedule.factor(this, own, step, share);
  }

  /** What the base's rate is multiplied with, after a number of steps and at a share. */
  double baseFactor(long step, double share) {
    return RateSchedule.factor(this, baseSchedule, step, share);
  }

  /** Collects options; what is not set keeps its default. */
  public static final class Builder {
    private final long steps;
    private double learningRate = 1e-3;
    private double baseLearningRate = Double.NaN;
    private Objective objective = Objective.STRAIGHT_THROUGH;
    private Precision precision = Precision.FLOAT32;
    private double dropout;
    private double hiddenSymbols;
    private boolean progressive;
    private double baseAveraging;
    private Span layerSchedule = Span.ALL;
    private Span baseSchedule = Span.ALL;
    private long warmupSteps;
    private double minimumRate;
    private RateDecay rateDecay = RateDecay.COSINE;
    private double clipNorm = 1;
    private Optimizer optimizer = Optimizer.ADAMW;
    private double matrixLearningRate;
    private double weightDecay;
    private double averageWeights;
    private Temperature temperature = Temperature.constant(0.1);
    private long evaluateEvery;
    private int patience;
    private long logEvery = 50;
    private long checkpointEvery = 1000;
    private double timeBudgetSeconds = Double.POSITIVE_INFINITY;

    private Builder(long steps) {
      this.steps = steps;
      this.warmupSteps = Math.min(steps / 20, 1000);
      this.evaluateEvery = Math.max(1, steps / 20);
    }

    /** Of layers and base; 0.001 unless set. */
    public Builder learningRate(double rate) {
      learningRate = rate;
      return this;
    }

    /** Of the base alone; the same as the layers' unless set. */
    public Builder baseLearningRate(double rate) {
      baseLearningRate = rate;
      return this;
    }

    /** What the gradient is taken of; the paper's straight-through estimate unless set. */
    public Builder objective(Objective choice) {
      objective = choice;
      return this;
    }

    /** In which the networks compute; float32 unless set. bfloat16 needs a GPU. */
    public Builder precision(Precision choice) {
      precision = choice;
      return this;
    }

    /** Share of the networks' units to leave out at random; none unless set. */
    public Builder dropout(double share) {
      dropout = share;
      return this;
    }

    /**
     * Share of the symbols to hide at random from the networks that predict others by them; none
     * unless set. A network that reads a short text often learns it by heart, and less of it where
     * it can't be sure to be shown what came before.
     */
    public Builder hiddenSymbols(double share) {
      hiddenSymbols = share;
      return this;
    }

    /** One layer after the other instead of all at once. */
    public Builder progressive() {
      progressive = true;
      return this;
    }

    /** How far the base moves towards the batch's marginals in a step; it learns unless set. */
    public Builder baseAveraging(double share) {
      baseAveraging = share;
      return this;
    }

    /** When the layers learn; always unless set. */
    public Builder layerSchedule(double from, double to) {
      layerSchedule = new Span(from, to);
      return this;
    }

    /** When the base learns; always unless set. */
    public Builder baseSchedule(double from, double to) {
      baseSchedule = new Span(from, to);
      return this;
    }

    /** Over which the rates rise from zero; a twentieth of all steps, at most 1000, unless set. */
    public Builder warmupSteps(long count) {
      warmupSteps = count;
      return this;
    }

    /** What the rates fall to, as a share of their highest; 0 unless set. */
    public Builder minimumRate(double share) {
      minimumRate = share;
      return this;
    }

    /** Lets the rates fall along a straight line; along half a cosine unless set. */
    public Builder linearDecay() {
      rateDecay = RateDecay.LINEAR;
      return this;
    }

    /**
     * Updates the matrices of hidden layers by Muon, at a rate of their own; 0.01 is a good one.
     * AdamW updates everything unless set.
     */
    public Builder muon(double rate) {
      optimizer = Optimizer.MUON;
      matrixLearningRate = rate;
      return this;
    }

    /** The longest gradient; 1 unless set. */
    public Builder clipNorm(double norm) {
      clipNorm = norm;
      return this;
    }

    /** Of AdamW and Muon; 0 unless set. */
    public Builder weightDecay(double decay) {
      weightDecay = decay;
      return this;
    }

    /**
     * Also keeps an exponential moving average of the weights. Step {@code t = 1, 2, …} makes it
     * {@code d} times what it was plus {@code 1 - d} times the new weights, where {@code d = min(
     * decay, (t - 1) / (t + 8))}: it begins with the weights of the first step, knows nothing of
     * those before, and is of about a ninth of the steps so far until the decay makes it shorter.
     *
     * <p>Every evaluation scores both the last weights and their average, and the best weights of
     * either kind are the result; without validation rows, the average is. Costs memory for one
     * more copy of the weights, two during an evaluation, which takes twice as long.
     *
     * @param decay such as 0.999, of about the last thousand steps; 0, no average, unless set
     */
    public Builder averageWeights(double decay) {
      averageWeights = decay;
      return this;
    }

    /** Of the straight-through gradient; the paper's constant 0.1 unless set. */
    public Builder temperature(Temperature tau) {
      temperature = tau;
      return this;
    }

    /** Steps between evaluations; a twentieth of all steps unless set. */
    public Builder evaluateEvery(long count) {
      evaluateEvery = count;
      return this;
    }

    /** Evaluations without improvement after which training stops; never unless set. */
    public Builder patience(int evaluations) {
      patience = evaluations;
      return this;
    }

    /** Steps between reports; 50 unless set. */
    public Builder logEvery(long count) {
      logEvery = count;
      return this;
    }

    /** Steps between checkpoints; 1000 unless set. */
    public Builder checkpointEvery(long count) {
      checkpointEvery = count;
      return this;
    }

    /**
     * When to stop at the latest; no limit unless set. A run with a time limit can't be repeated
     * bit by bit.
     */
    public Builder timeBudget(Duration budget) {
      timeBudgetSeconds = budget.toMillis() / 1000.0;
      return this;
    }

    /** The options, checked. */
    public TrainingOptions build() {
      return new TrainingOptions(
          steps,
          learningRate,
          Double.isNaN(baseLearningRate) ? learningRate : baseLearningRate,
          objective,
          precision,
          dropout,
          hiddenSymbols,
          progressive,
          baseAveraging,
          layerSchedule,
          baseSchedule,
          warmupSteps,
          minimumRate,
          rateDecay,
          clipNorm,
          optimizer,
          matrixLearningRate,
          weightDecay,
          averageWeights,
          temperature,
          evaluateEvery,
          patience,
          logEvery,
          checkpointEvery,
          timeBudgetSeconds);
    }
  }
}
