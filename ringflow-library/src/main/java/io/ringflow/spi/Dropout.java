package io.ringflow.spi;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Leaves out a random share of a network's units during one training step, and scales up the rest
 * (Srivastava et al. 2014). A unit is left out at all positions of a row or at none, as recurrent
 * networks need it (Gal and Ghahramani 2016).
 *
 * <p>What is left out follows from the seed and the order of calls alone: a resumed training leaves
 * out the same, and so does one on another device. Use from one thread, once.
 */
public final class Dropout {
  /** Leaves out nothing. */
  public static final Dropout NONE = new Dropout(0, 0);

  /** Equal steps of the golden ratio, as SplittableRandom takes them. */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final double share;
  private final long seed;
  private final Tensor deviceSeed; // null where the seed is known on the host
  private final long firstRow;
  private long calls;

  /**
   * A dropout for one step.
   *
   * @param share of units to leave out, below 1
   * @param seed of the step
   */
  public Dropout(double share, long seed) {
    this(share, seed, 0);
  }

  /**
   * A dropout for some rows of a step's batch: they lose what they would within the whole of it.
   *
   * @param firstRow how many rows of the batch come before them
   */
  public Dropout(double share, long seed, long firstRow) {
    this(share, seed, null, firstRow);
  }

  /**
   * A dropout whose seed is an input of captured work: it leaves out the same as one whose seed is
   * known on the host.
   *
   * @param seed int64, a single element, on the device; borrowed
   */
  public Dropout(double share, Tensor seed, long firstRow) {
    this(share, 0, seed, firstRow);
  }

  private Dropout(double share, long seed, Tensor deviceSeed, long firstRow) {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException("share must be at least 0 and below 1, but is " + share);
    }
    this.share = share;
    this.seed = seed;
    this.deviceSeed = deviceSeed;
    this.firstRow = firstRow;
  }

  /** Whether anything is left out. */
  public boolean active() {
    return share > 0;
  }

  /** The share of units that is left out. */
  public double share() {
    return share;
  }

  /** Vectors {@code [B, T, H]} with some units set to zero. */
  public Tensor on(Tensor vectors) {
    return active() ? vectors.mul(factors(vectors)) : vectors;
  }

  /**
   * What {@link #on} multiplies vectors by, {@code [B, 1, H]}: 0 for units that are left out, and
   * the same number above 1 for all others.
   *
   * @param vectors {@code [B, T, H]}
   */
  public Tensor factors(Tensor vectors) {
    long[] shape = {vectors.size(0), 1, vectors.size(2)};
    Counter counter = next(vectors.size(2));
    Tensor uniform =
        counter.seed == null
            ? Tensors.uniforms(counter.first, vectors, shape)
            : Tensors.uniforms(counter.seed, counter.first, shape);
    return uniform.ge(new Scalar(share)).to(vectors.scalar_type()).mul(new Scalar(1 / (1 - share)));
  }

  /**
   * Where the random numbers of one call begin: that of unit u of row r is {@link
   * Tensors#uniforms}' of {@code first + r * units + u}.
   *
   * @param seed is added, int64, a single element, on the device; borrowed; null for none
   */
  public record Counter(Tensor seed, long first) {}

  /** Counts a call that finds its factors itself. */
  public Counter next(long units) {
    calls++;
    return new Counter(deviceSeed, seed + GOLDEN * calls + firstRow * units);
  }
}
