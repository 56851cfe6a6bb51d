package io.ringflow.infer;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.engine.Draws;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.model.FlowModel;
import java.util.SplittableRandom;

/**
 * A flow that was trained to be like a target, made symmetric where the target is.
 *
 * <p>Rows, densities and estimates are exact for the model that it is, however well it was trained;
 * how like the target it is, {@link WeightedSamples} tells.
 *
 * <p>Safe from several threads at once, if the target is.
 */
public final class InferredModel implements AutoCloseable {
  private static final int[][] UNCONDITIONAL = {};

  private final FlowModel flow;
  private final Target plain;
  private final Target target;
  private final Symmetry symmetry;

  /**
   * A model beside its target.
   *
   * @param flow unconditional; closed with this
   */
  public InferredModel(FlowModel flow, Target target, Symmetry symmetry) {
    this.flow = flow;
    this.plain = target;
    this.target = CheckedTarget.on(flow.device(), target);
    this.symmetry = symmetry;
  }

  /** The flow, before it is made symmetric: to be saved, or looked at. */
  public FlowModel flow() {
    return flow;
  }

  /** What it was made symmetric by. */
  Symmetry symmetry() {
    return symmetry;
  }

  /** What it is to be like; answers are looked at. */
  Target target() {
    return target;
  }

  /** What it is to be like, as it was given. */
  Target plainTarget() {
    return plain;
  }

  /** Samples rows of the model; more of them begin with the fewer. */
  public int[][] sample(int count, long seed) {
    return sample(count, seed, Precision.FLOAT64);
  }

  int[][] sample(int count, long seed, Precision precision) {
    return turned(flow.sample(count, seed, precision), seed);
  }

  /** Rows of the flow as rows of the mixture: each one's image under a random element. */
  private int[][] turned(int[][] rows, long seed) {
    if (symmetry.size() > 1) {
      SplittableRandom random = new SplittableRandom(~seed);
      for (int i = 0; i < rows.length; i++) {
        rows[i] = symmetry.image(random.nextInt(symmetry.size()), rows[i]);
      }
    }
    return rows;
  }

  /** Rows of the flow, before they are made symmetric, with what they were made from. */
  Draws draws(int count, long seed, Precision precision, ProgressListener progress) {
    return Draws.of(EngineAccess.of(flow), count, seed, precision, progress);
  }

  /** Natural log-probability of each row under the model. */
  public double[] logProb(int[][] rows) {
    return mixed(imageLogProbs(images(rows), Precision.FLOAT64));
  }

  /** The images of all rows, those of a row together. */
  int[][] images(int[][] rows) {
    int size = symmetry.size();
    if (size == 1) {
      return rows;
    }
    int[][] images = new int[rows.length * size][];
    for (int i = 0; i < images.length; i++) {
      images[i] = symmetry.image(i % size, rows[i / size]);
    }
    return images;
  }

  /**
   * What the flow gives to each image; an interrupt does not end it, but the step it is part of.
   */
  double[] imageLogProbs(int[][] images, Precision precision) {
    return flow.logProb(images, UNCONDITIONAL, precision);
  }

  /** The logarithm of the mean probability of each row's images. */
  double[] mixed(double[] imageLogProbs) {
    int size = symmetry.size();
    double[] result = new double[imageLogProbs.length / size];
    for (int row = 0; row < result.length; row++) {
      result[row] = LogSums.of(imageLogProbs, row * size, size) - Math.log(size);
    }
    return result;
  }

  /**
   * Draws samples and weighs them.
   *
   * @param count at least 2
   */
  public WeightedSamples draw(int count, long seed) {
    return draw(count, seed, ProgressListener.IGNORED);
  }

  /**
   * Draws samples and weighs them, for long work: it reports progress in rows and ends when the
   * thread is interrupted.
   *
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public WeightedSamples draw(int count, long seed, ProgressListener progress) {
    ProgressListener heard = progress.untilInterrupted();
    Draws draws = draws(count, seed, Precision.FLOAT64, heard);
    int[][] rows = turned(draws.rows(), seed);
    double[] logProbs =
        symmetry.size() == 1
            ? draws.logProbs()
            : mixed(
                flow.logProb(
                    images(rows), UNCONDITIONAL, Precision.FLOAT64, ProgressListener.IGNORED));
    return new WeightedSamples(rows, target.logWeights(rows), logProbs);
  }

  /** Frees the flow. */
  @Override
  public void close() {
    flow.close();
  }
}
