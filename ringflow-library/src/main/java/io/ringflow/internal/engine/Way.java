package io.ringflow.internal.engine;

/** How rows go through the networks. */
public enum Way {
  /** All positions at once, with all that networks compute of them. */
  PARALLEL,
  /** Step by step: earlier positions are there as the networks' states. */
  STEPWISE
}
