package io.ringflow.train;

/** The curve along which learning rates fall from their highest to their lowest. */
public enum RateDecay {
  /** Half a cosine: slowly at first, and slowly at the end. */
  COSINE,
  /** A straight line; Muon learns more with it. */
  LINEAR;

  /** What is left of the way down at a share of the training between 0 and 1. */
  double at(double share) {
    return switch (this) {
      case COSINE -> (1 + Math.cos(Math.PI * share)) / 2;
      case LINEAR -> 1 - share;
    };
  }
}
