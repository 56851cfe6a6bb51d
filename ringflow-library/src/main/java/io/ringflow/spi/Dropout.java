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
  private final double hidden; // share of symbols
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
    this(share, 0, seed, null, firstRow);
  }

  /**
   * A dropout whose seed is an input of captured work: it leaves out the same as one whose seed is
   * known on the host.
   *
   * @param seed int64, a single element, on the device; borrowed
   */
  public Dropout(double share, Tensor seed, long firstRow) {
    this(share, 0, 0, seed, firstRow);
  }

  private Dropout(double share, double hidden, long seed, Tensor deviceSeed, long firstRow) {
    require(share, "share");
    require(hidden, "hidden");
    this.share = share;
    this.hidden = hidden;
    this.seed = seed;
    this.deviceSeed = deviceSeed;
    this.firstRow = firstRow;
  }

  private static void require(double share, String name) {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException(name + " must be at least 0 and below 1, but is " + share);
    }
  }

  /**
   * The same, which hides some symbols from the network as well.
   *
   * @param symbols share of symbols to hide, below 1
   */
  public Dropout hiding(double symbols) {
    return new Dropout(share, symbols, seed, deviceSeed, firstRow);
  }

  /** Whether any units are left out. */
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
    Tensor kept = kept(share, vectors, vectors.size(0), 1, vectors.size(2));
    return kept.mul(new Scalar(1 / (1 - share)));
  }

  /**
   * The vectors of symbols {@code [B, T, H]} with those of hidden symbols set to zero. The others
   * stay as they are: what a vector says does not depend on how many are hidden.
   */
  public Tensor onSymbols(Tensor vectors) {
    return hidden > 0
        ? vectors.mul(kept(hidden, vectors, vectors.size(0), vectors.size(1), 1))
        : vectors;
  }

  /** Ones, and zeros for a share of them: {@code [B, T, H]}. */
  private Tensor kept(double left, Tensor like, long... shape) {
    Counter counter = next(shape[1] * shape[2]);
    Tensor uniform =
        counter.seed == null
            ? Tensors.uniforms(counter.first, like, shape)
            : Tensors.uniforms(counter.seed, counter.first, shape);
    return uniform.ge(new Scalar(left)).to(like.scalar_type());
  }

  /**
   * Where the random numbers of one call begin: that of unit (or symbol) u of row r is {@link
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
