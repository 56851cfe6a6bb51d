package io.ringflow.bench;

import java.util.Arrays;

/** How a compressed file was made: what a model is no good for is not coded with it. */
enum CodedBy {
  /** The original itself. */
  STORING(0),
  /** By the usual compression. */
  DEFLATING(1),
  /** By the model. */
  THE_MODEL(2),
  /** By a model's network and what was counted in its training text, or that alone. */
  THE_MODEL_AND_COUNTS(6),
  /** By what was counted in it so far. */
  COUNTING(9),
  /** By what was counted in a training text. */
  COUNTS(10),
  /** By the model of a table. */
  A_TABLE(11);

  /** Where a compressed file says it. */
  private static final int METHOD_AT = 5;

  private final int code;

  CodedBy(int code) {
    this.code = code;
  }

  /** Whether it takes the model of a text to decompress. */
  boolean isByModel() {
    return this == THE_MODEL || this == THE_MODEL_AND_COUNTS;
  }

  static CodedBy of(byte[] compressed) {
    return Arrays.stream(values())
        .filter(method -> method.code == compressed[METHOD_AT])
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("method " + compressed[METHOD_AT]));
  }
}
