package io.ringflow.torch;

import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * In which floating-point numbers the networks compute. Symbols are integers whatever the
 * precision.
 */
public enum Precision {
  /** 32 bits: training, and scoring where speed matters more than the last symbol in a million. */
  FLOAT32(ScalarType.Float),
  /**
   * 64 bits: whatever must come back. Step-by-step and all-at-once evaluation of a network differ
   * by rounding; in 32 bits about one argmax in a million falls between the two, in 64 bits about
   * one in 10<sup>13</sup>.
   */
  FLOAT64(ScalarType.Double);

  private final ScalarType type;

  Precision(ScalarType type) {
    this.type = type;
  }

  /** The element type as libtorch names it. */
  public ScalarType type() {
    return type;
  }
}
