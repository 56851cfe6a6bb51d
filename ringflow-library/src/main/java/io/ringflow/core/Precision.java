package io.ringflow.core;

import java.util.Arrays;
import java.util.Locale;

/**
 * In which floating-point numbers the networks compute. Symbols are integers whatever the
 * precision.
 */
public enum Precision {
  /**
   * bfloat16, which has the range of float32: training and sampling on a GPU, whose matrix units
   * are many times faster in it. Weights are trained in float32 all the same, and likelihoods leave
   * the networks in float32.
   */
  BFLOAT16,
  /** float32: training, and scoring and sampling where speed matters more than the last symbol. */
  FLOAT32,
  /**
   * float64: whatever must come back. Step-by-step and all-at-once evaluation of a network differ
   * by rounding. In float32 some choices fall between the two: {@code ringflow roundtrip} counts
   * one in millions on CPUs, and one in ten thousand on a GPU, whose matrix units round more
   * coarsely. In float64 it finds none in ten million symbols.
   */
  FLOAT64;

  /**
   * The precision a user names.
   *
   * @param name {@code float64}, {@code float32} or {@code bfloat16}
   * @throws IllegalArgumentException if there is no such precision
   */
  public static Precision of(String name) {
    return Arrays.stream(values())
        .filter(precision -> precision.toString().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "precision must be float64, float32 or bfloat16, but is '" + name + "'"));
  }

  /** The name {@link #of} takes. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
