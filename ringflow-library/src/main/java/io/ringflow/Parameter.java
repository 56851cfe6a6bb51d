package io.ringflow;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A trainable tensor by name alone: its shape and how it starts. {@link Weights} holds the numbers.
 *
 * <p>Compared by identity: the same object used twice is one shared tensor.
 */
public final class Parameter {
  /** How a parameter starts, element by element. */
  @FunctionalInterface
  public interface Start {
    /** The element of an index; they are asked for in order. */
    double element(int index, RandomGenerator random);
  }

  private final long[] shape;
  private final Start start;

  private Parameter(Start start, long... shape) {
    this.shape = shape.clone();
    this.start = start;
  }

  /** Starts as the given function says. */
  public static Parameter of(Start start, long... shape) {
    return new Parameter(start, shape);
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
   * Starts as waves along the first dimension: a sine and a cosine of each of {@code width / 2}
   * wavelengths, from 2 pi to 10,000 times that (Vaswani et al. 2017, section 3.5). Vectors of
   * places that lie as far apart then differ by the same rotation, wherever they are.
   *
   * @param deviation root mean square of an element
   */
  public static Parameter waves(double deviation, int places, int width) {
    double amplitude = deviation * Math.sqrt(2);
    return of(
        (index, random) -> {
          int unit = index % width;
          double angle = index / width * Math.pow(10_000, -(unit / 2 * 2.0) / width);
          return amplitude * (unit % 2 == 0 ? Math.sin(angle) : Math.cos(angle));
        },
        places,
        width);
  }

  /** The shape; a copy. */
  public long[] shape() {
    return shape.clone();
  }

  /** The number of elements. */
  public long elements() {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  float[] start(RandomGenerator random) {
    float[] values = new float[Math.toIntExact(elements())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) start.element(i, random);
    }
    return values;
  }

  @Override
  public String toString() {
    return "Parameter" + Arrays.toString(shape);
  }
}
