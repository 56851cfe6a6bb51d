package io.ringflow.compress;

import io.ringflow.internal.coding.Container;

/** By what bytes were compressed: where the model is no good, it is something else. */
public enum CodedBy {
  /** The model. */
  MODEL("the model"),
  /** A text model's network and what was counted in its training text, or that alone. */
  MODEL_AND_COUNTS("the model and counts"),
  /** What was counted in the file so far. */
  COUNTING("counting"),
  /** The usual compression. */
  DEFLATING("deflating"),
  /** Nothing: the bytes are there as they are. */
  STORING("storing");

  private final String words;

  CodedBy(String words) {
    this.words = words;
  }

  static CodedBy of(Container.Method method) {
    return switch (method) {
      case STORED -> STORING;
      case DEFLATED -> DEFLATING;
      case ADAPTIVE -> COUNTING;
      case MIXED -> MODEL_AND_COUNTS;
      case FLOW, COUNTS, TABLE -> MODEL;
    };
  }

  /** Whether it takes the model to decompress. */
  public boolean isByModel() {
    return this == MODEL || this == MODEL_AND_COUNTS;
  }

  /** What comes after "by". */
  @Override
  public String toString() {
    return words;
  }
}
