package io.ringflow.core;

/**
 * In which floating-point numbers the networks compute. Symbols are integers whatever the
 * precision.
 */
public enum Precision {
  /**
   * 16 bits with the range of 32: training on a GPU, whose matrix units are many times faster in
   * it. Weights are trained in 32 bits all the same, and likelihoods leave the networks in 32.
   */
  BFLOAT16,
  /** 32 bits: training, and scoring where speed matters more than the last symbol. */
  FLOAT32,
  /**
   * 64 bits: whatever must come back. Step-by-step and all-at-once evaluation of a network differ
   * by rounding. In 32 bits some choices fall between the two: {@code ringflow roundtrip} counts
   * one in millions on processors, and one in ten thousand on a GPU, whose matrix units round more
   * coarsely. In 64 bits it finds none in ten million symbols.
   */
  FLOAT64;
}
