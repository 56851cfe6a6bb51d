package io.ringflow.paper.harness;

/** How much an experiment may cost. */
public enum Effort {
  /** A minute or so, to see that everything works; its results are not the experiment's. */
  QUICK,
  /** What a reader with two cores and a quarter of an hour gets. */
  DEFAULT,
  /** The paper's own sizes where they can be reached: hours, or a GPU. */
  FULL
}
