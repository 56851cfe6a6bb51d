package io.ringflow.bench;

/** How a compressed file was made: what a model is no good for is not coded with it. */
enum CodedBy {
  /** The original itself. */
  STORING,
  /** By the usual compression. */
  DEFLATING,
  /** By the model. */
  THE_MODEL,
  /** By what was counted in it so far. */
  COUNTING,
  /** By what was counted in a training text. */
  COUNTS,
  /** By the model of a table, as earlier snapshots did. */
  AN_OLD_TABLE,
  /** By a model's network and what was counted in its training text, or that alone. */
  THE_MODEL_AND_COUNTS,
  /** By the model of a table, as later snapshots did. */
  A_LESS_OLD_TABLE,
  /** By the model of a table. */
  A_TABLE;

  /** Where a compressed file says it; the numbers of its format are those of this enum. */
  private static final int METHOD_AT = 5;

  /** Whether it takes the model of a text to decompress. */
  boolean isByModel() {
    return this == THE_MODEL || this == THE_MODEL_AND_COUNTS;
  }

  static CodedBy of(byte[] compressed) {
    return values()[compressed[METHOD_AT]];
  }
}
