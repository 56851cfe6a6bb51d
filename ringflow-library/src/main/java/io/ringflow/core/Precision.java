package io.ringflow.core;

/**
 * In which floating-point numbers the networks compute. Symbols are integers whatever the
 * precision.
 */
public enum Precision {
  /**
   * bfloat16, which has the range of float32: training on a GPU, whose matrix units are many times
   * faster in it. Weights are trained in float32 all the same, and likelihoods leave the networks
   * in float32.
   */
  BFLOAT16,
  /** float32: training, and scoring where speed matters more than the last symbol. */
  FLOAT32,
  /**
   * float64: whatever must come back. Step-by-step and all-at-once evaluation of a network differ
   * by rounding. In float32 some choices fall between the two: {@code ringflow roundtrip} counts
   * one in millions on CPUs, and one in ten thousand on a GPU, whose matrix units round more
   * coarsely. In float64 it finds none in ten million symbols.
   */
  FLOAT64;
}
