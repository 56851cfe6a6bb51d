package io.ringflow.table;

/** What becomes of training's missing values. */
public enum MissingValues {
  /**
   * They are a value like others, with a symbol in columns that have any: the model learns where
   * values are missing, and that one is says something of the others.
   */
  SYMBOL,

  /**
   * They are summed out: the model is of complete rows, learned by maximum likelihood of what was
   * observed, and a row with missing values is as likely as what is there of it. Right where
   * whether a value is missing depends on nothing but what was observed (missing at random).
   */
  SUMMED_OUT
}
