package io.ringflow.spi;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A trainable tensor by name alone: its shape and how it starts. {@link
 * io.ringflow.internal.engine.Weights} holds the numbers.
 *
 * <p>Compared by identity: the same object used twice is one shared tensor.
 */
public final class Parameter {
  /** Initial values, element by element. */
  @FunctionalInterface
  public interface Initializer {
    /** The element of an index; they are asked for in order. */
    double element(int index, RandomGenerator random);
  }

  private final long[] shape;
  private final Initializer initializer;

  private final int matrices;

  private Parameter(Initializer initializer, int matrices, long... shape) {
    this.shape = shape.clone();
    this.initializer = initializer;
    this.matrices = matrices;
  }

  /** Starts as the given function says. */
  public static Parameter of(Initializer initializer, long... shape) {
    return new Parameter(initializer, 0, shape);
  }

  /** Starts at zero. */
  public static Parameter zeros(long... shape) {
    return of((index, random) -> 0.0, shape);
  }

  /** Starts at one. */
  public static Parameter ones(long... shape) {
    return of((index, random) -> 1.0, shape);
  }

  /** Starts normally distributed around zero. */
  public static Parameter normal(double deviation, long... shape) {
    return of((index, random) -> deviation * random.nextGaussian(), shape);
  }

  /** Starts uniformly distributed in {@code [-bound, bound)}. */
  public static Parameter uniform(double bound, long... shape) {
    return of((index, random) -> bound * (2 * random.nextDouble() - 1), shape);
  }

  /**
   * Another parameter like this one, whose rows are those of matrices that map hidden vectors to
   * hidden vectors: {@code x W^T}, and nothing masked. Optimisers may treat such matrices as a
   * whole, where they treat others element by element.
   *
   * @param count how many, of equal size, one below the other
   * @throws IllegalArgumentException if the shape does not consist of so many
   */
  public Parameter asMatrices(int count) {
    if (count < 1 || shape.length != 2 || shape[0] % count != 0) {
      throw new IllegalArgumentException(
          this + " does not consist of " + count + " matrices one below the other");
    }
    return new Parameter(initializer, count, shape);
  }

  /** How many matrices of hidden layers this consists of, see {@link #asMatrices}; 0 for none. */
  public int matrices() {
    return matrices;
  }

  /** The shape; a copy. */
  public long[] shape() {
    return shape.clone();
  }

  /** The number of elements. */
  public long elements() {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  /** Initial values, in the order of the elements. */
  public float[] initialize(RandomGenerator random) {
    float[] values = new float[Math.toIntExact(elements())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) initializer.element(i, random);
    }
    return values;
  }

  @Override
  public String toString() {
    return "Parameter" + Arrays.toString(shape);
  }
}
