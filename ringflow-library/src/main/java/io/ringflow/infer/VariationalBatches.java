package io.ringflow.infer;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.engine.Draws;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.util.Arrays;

/**
 * Batches of a model's own samples, weighted so that the gradient of their log-likelihood is that
 * of a divergence from the target.
 *
 * <p>First the reverse one, KL(q, p), by the score function: a sample's weight is how much its
 * {@code log w - log q} is above the mean of the others (leave-one-out), with the target's weights
 * tempered from flat to what they are. Then the forward one, KL(p, q), on self-normalised samples:
 * a sample's weight is its share of the sum of {@code w / q}, less what it would be if model and
 * target were the same; the part that is taken away has no gradient in expectation. Both weights
 * vanish as the model becomes the target, and so does the noise of the gradient.
 *
 * <p>Inverse layers have no likelihood to learn from: they learn by straight-through gradients of
 * the target's weight, all the way by the reverse divergence, and their base by the score function.
 */
final class VariationalBatches implements Batches {
  /** How far below the others an impossible row counts, in nats: it must still have a direction. */
  static final double IMPOSSIBLE = 10;

  private final InferredModel model;
  private final Target softened;
  private final Target softenedWeigher;
  private final InferenceOptions options;
  private final long seed;
  private final boolean pathwise;
  private double boundSum;
  private double boundVariance; // of the sum
  private double essSum;
  private int seen;

  /**
   * Samples of a model.
   *
   * @param softened the target with as few impossible rows as may be; the target itself where
   *     nothing better is known
   * @param pathwise whether the layers learn by straight-through gradients from base to data
   */
  VariationalBatches(
      InferredModel model, Target softened, InferenceOptions options, long seed, boolean pathwise) {
    this.pathwise = pathwise;
    this.model = model;
    this.softened = softened;
    this.softenedWeigher = CheckedTarget.on(model.flow().device(), softened);
    this.options = options;
    this.seed = seed;
  }

  @Override
  public Batch batch(long step) {
    return batch(step, 1);
  }

  @Override
  public Batch batch(long step, double share) {
    long drawn = Batches.random(seed, step).nextLong();
    return pathwise
        ? pathwise(step, drawn, options.temperedBy(share))
        : weighted(step, drawn, share);
  }

  /** The base's symbols, with a gradient through the layers. */
  private Batch pathwise(long step, long drawn, double power) {
    Draws draws = model.draws(options.batch(), drawn, Precision.FLOAT32, ProgressListener.IGNORED);
    double[] logWeights = model.target().logWeights(draws.rows());
    remember(logWeights, draws.logProbs());
    double[] gradient =
        TargetGradient.of(
            softened, model.flow().architecture().space(), draws.rows(), model.flow().device());
    double[] weights =
        reverse(softenedWeights(step, draws.rows(), logWeights), draws.logProbs(), power);
    return Batch.pathwise(
        draws.baseRows(), weights, Arrays.stream(gradient).map(slope -> power * slope).toArray());
  }

  private Batch weighted(long step, long drawn, double share) {
    int[][] rows = model.sample(options.batch(), drawn, Precision.FLOAT32);
    int[][] images = model.images(rows);
    double[] imageLogProbs = model.imageLogProbs(images, Precision.FLOAT32);
    double[] logProbs = model.mixed(imageLogProbs);
    double[] logWeights = model.target().logWeights(rows);
    remember(logWeights, logProbs);
    double[] weights =
        share < options.reverseShare()
            ? reverse(softenedWeights(step, rows, logWeights), logProbs, options.temperedBy(share))
            : forward(logWeights, logProbs);
    return Batch.weighted(images, spread(weights, imageLogProbs, logProbs));
  }

  private double[] softenedWeights(long step, int[][] rows, double[] logWeights) {
    if (Arrays.stream(logWeights).allMatch(Double::isFinite)) {
      return logWeights;
    }
    double[] softenedWeights = softenedWeigher.logWeights(rows);
    if (step == 0 && Arrays.stream(softenedWeights).noneMatch(Double::isFinite)) {
      throw new IllegalStateException(
          "none of the "
              + rows.length
              + " rows of the first step is possible under the target: nothing would be learned."
              + " Take a larger batch, or give impossible rows log-weights that are low, but finite");
    }
    return softenedWeights;
  }

  private static double[] reverse(double[] logWeights, double[] logProbs, double power) {
    double[] values = new double[logWeights.length];
    double lowest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < values.length; i++) {
      values[i] =
          logWeights[i] == Double.NEGATIVE_INFINITY
              ? Double.NEGATIVE_INFINITY
              : power * logWeights[i] - logProbs[i];
      lowest = Double.isFinite(values[i]) ? Math.min(lowest, values[i]) : lowest;
    }
    double floor = (Double.isFinite(lowest) ? lowest : 0) - IMPOSSIBLE;
    double[] possible = Arrays.stream(values).map(value -> Math.max(value, floor)).toArray();
    double mean = Arrays.stream(possible).average().orElseThrow();
    // The mean of the others is as far from the mean of all as 1 / (n - 1) of the own distance.
    double others = (double) possible.length / (possible.length - 1);
    return Arrays.stream(possible).map(value -> (value - mean) * others).toArray();
  }

  private static double[] forward(double[] logWeights, double[] logProbs) {
    double[] ratios = new double[logWeights.length];
    Arrays.setAll(ratios, i -> logWeights[i] - logProbs[i]);
    double total = LogSums.of(ratios);
    if (total == Double.NEGATIVE_INFINITY) {
      return new double[ratios.length];
    }
    return Arrays.stream(ratios)
        .map(ratio -> ratios.length * Math.exp(ratio - total) - 1)
        .toArray();
  }

  /** The gradient of a mixture goes to its components by their shares of the row's probability. */
  private double[] spread(double[] weights, double[] imageLogProbs, double[] logProbs) {
    int size = imageLogProbs.length / logProbs.length;
    if (size == 1) {
      return weights;
    }
    double[] result = new double[imageLogProbs.length];
    // A batch's objective is the mean over its rows, of which there are more now.
    Arrays.setAll(result, i -> weights[i / size] * Math.exp(imageLogProbs[i] - logProbs[i / size]));
    return result;
  }

  private synchronized void remember(double[] logWeights, double[] logProbs) {
    double[] ratios = new double[logWeights.length];
    Arrays.setAll(ratios, i -> logWeights[i] - logProbs[i]);
    double total = LogSums.of(ratios);
    double squares = LogSums.of(Arrays.stream(ratios).map(ratio -> 2 * ratio).toArray());
    double[] possible = Arrays.stream(ratios).filter(Double::isFinite).toArray();
    double bound = Arrays.stream(possible).average().orElse(Double.NaN);
    double spread = Arrays.stream(possible).map(ratio -> (ratio - bound) * (ratio - bound)).sum();
    boundSum += bound;
    boundVariance += spread / possible.length / possible.length;
    essSum += total == Double.NEGATIVE_INFINITY ? 0 : Math.exp(2 * total - squares) / ratios.length;
    seen++;
  }

  /**
   * What the last batches had on average.
   *
   * @param bound with its standard error; not a number where a batch had no possible row
   */
  record Means(Estimate bound, double ess) {}

  /** The means over the batches since the last call. */
  synchronized Means takeMeans() {
    Means means =
        new Means(new Estimate(boundSum / seen, Math.sqrt(boundVariance) / seen), essSum / seen);
    boundSum = 0;
    boundVariance = 0;
    essSum = 0;
    seen = 0;
    return means;
  }

  @Override
  public String description() {
    String of =
        model.plainTarget() instanceof FactorGraph graph ? graph.description() : "a plain target";
    return options.batch()
        + " samples of the model itself, weighted by "
        + of
        + ", annealed for "
        + options.annealedShare()
        + ", reverse for "
        + options.reverseShare()
        + ", seed "
        + seed;
  }
}
