package io.ringflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

final class BoundPlateauTest {
  private static final InferenceOptions OPTIONS = new InferenceOptions(64, 1e-2, 0.4, 0.7);
  private static final double PATIENCE = 0.2;

  /** At which share a training whose bound is a function of it stops; infinite for never. */
  private static double stop(DoubleUnaryOperator bound, double ess, double error, double patience) {
    BoundPlateau plateau = new BoundPlateau(OPTIONS, false, patience);
    for (int i = 1; i <= 100; i++) {
      double share = i / 100.0;
      plateau.add(share, new Estimate(bound.applyAsDouble(share), error), ess);
      if (plateau.isReached()) {
        return share;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  @Test
  void aBoundThatStandsStillStopsItAfterItsPatience() {
    assertThat(stop(share -> -3, 0.95, 0.01, PATIENCE)).isBetween(0.60, 0.62);
    assertThat(stop(share -> -3, 0.95, 0.01, 0)).isInfinite();
  }

  /** The forward divergence still has something to spread: its own reports count, from 0.7. */
  @Test
  void fewEffectiveSamplesWaitForTheForwardDivergence() {
    assertThat(stop(share -> -3, 0.5, 0.01, PATIENCE)).isBetween(0.90, 0.93);
  }

  @Test
  void growthBeyondTheErrorGoesOn() {
    assertThat(stop(share -> share, 0.95, 0.01, PATIENCE)).isInfinite();
    // Of ten reports each, the halves' means differ by 0.1 slope and have an error of 0.014.
    assertThat(stop(share -> share, 0.95, 0.3, PATIENCE)).isBetween(0.60, 0.62);
    assertThat(stop(share -> Math.min(share, 0.65), 0.95, 0.001, PATIENCE)).isBetween(0.85, 0.93);
  }

  @Test
  void boundsThatAreNoNumbersNeverStopIt() {
    assertThat(stop(share -> Double.NaN, 1, 0, PATIENCE)).isInfinite();
  }
}
