package io.ringflow.table;

/** How closely a score looks at the numbers of columns that are cut into bins. */
public enum NumberDetail {
  /** A number counts as its bin: how it lies within costs nothing. */
  BIN,

  /**
   * A number counts as itself, among all that can be written: as likely as its bin, times its
   * {@linkplain TableCodec#logProbGivenBins share of it}. Scores of models with different bins are
   * then of one space, and compare.
   */
  LAST_DIGIT
}
