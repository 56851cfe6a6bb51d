package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Precision;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Learning rates and temperatures at chosen points of the training. */
final class ScheduleTest {
  @Test
  void ratesRiseThenFallAlongHalfACosine() {
    TrainingOptions options =
        TrainingOptions.builder(1000).warmupSteps(100).minimumRate(0.2).build();
    assertThat(options.baseFactor(0, 0)).isEqualTo(0.01, within(1e-12));
    assertThat(options.baseFactor(49, 0)).isEqualTo(0.5, within(1e-12));
    assertThat(options.baseFactor(99, 0)).isEqualTo(1, within(1e-12));
    assertThat(options.baseFactor(100, 0)).isEqualTo(1, within(1e-12));
    assertThat(options.baseFactor(500, 0.5)).isEqualTo(0.6, within(1e-12));
    assertThat(options.baseFactor(1000, 1)).isEqualTo(0.2, within(1e-12));
  }

  @Test
  void ratesMayFallAlongALine() {
    TrainingOptions options =
        TrainingOptions.builder(1000).warmupSteps(100).minimumRate(0.2).linearDecay().build();
    assertThat(options.baseFactor(49, 0)).isEqualTo(0.5, within(1e-12));
    assertThat(options.baseFactor(250, 0.25)).isEqualTo(0.8, within(1e-12));
    assertThat(options.baseFactor(500, 0.5)).isEqualTo(0.6, within(1e-12));
    assertThat(options.baseFactor(1000, 1)).isEqualTo(0.2, within(1e-12));
  }

  @Test
  void withoutWarmUpTheFirstRateIsTheHighest() {
    TrainingOptions options = TrainingOptions.builder(10).warmupSteps(0).build();
    assertThat(options.baseFactor(0, 0)).isEqualTo(1);
    assertThat(options.baseFactor(10, 1)).isEqualTo(0, within(1e-12));
  }

  @Test
  void layersStandStillAfterTheirSpan() {
    TrainingOptions options =
        TrainingOptions.builder(100).warmupSteps(0).layerSchedule(0, 0.5).build();
    assertThat(options.layerFactor(0, 0)).isEqualTo(1);
    assertThat(options.layerFactor(25, 0.25)).isEqualTo(0.5, within(1e-12));
    assertThat(options.layerFactor(50, 0.5)).isZero();
    assertThat(options.layerFactor(99, 0.99)).isZero();
    assertThat(options.baseFactor(50, 0.5)).isEqualTo(0.5, within(1e-12));
  }

  @Test
  void aDelayedBaseHasTheWholeCurveInTheRest() {
    TrainingOptions options =
        TrainingOptions.builder(100).warmupSteps(10).baseSchedule(0.5, 1).build();
    assertThat(options.baseFactor(49, 0.49)).isZero();
    assertThat(options.baseFactor(50, 0.5)).isEqualTo(0.1, within(1e-12));
    assertThat(options.baseFactor(75, 0.75)).isEqualTo(0.5, within(1e-12));
    assertThat(options.baseFactor(100, 1)).isEqualTo(0, within(1e-12));
    assertThat(options.layerFactor(75, 0.75)).isEqualTo(0.146, within(1e-3));
  }

  @Test
  void layersLearnOneAfterTheOtherFromTheDataToTheBase() {
    TrainingOptions options =
        TrainingOptions.builder(400).warmupSteps(10).minimumRate(0.1).progressive().build();
    TrainingOptions oneLayer =
        TrainingOptions.builder(100).warmupSteps(10).minimumRate(0.1).build();
    for (int step = 0; step < 400; step++) {
      for (int layer = 0; layer < 4; layer++) {
        // Each has the whole curve within its quarter, and nothing outside.
        int within = step - (3 - layer) * 100;
        double wanted =
            within < 0 || within >= 100 ? 0 : oneLayer.layerFactor(within, within / 100.0);
        assertThat(options.layerFactor(layer, 4, step, step / 400.0))
            .isEqualTo(wanted, within(1e-12));
      }
    }
    assertThat(options.layerFactor(0, 4, 400, 1)).isEqualTo(0.1, within(1e-12));
  }

  @Test
  void progressiveLayersShareTheirSpan() {
    TrainingOptions options =
        TrainingOptions.builder(1000).warmupSteps(0).layerSchedule(0.2, 0.8).progressive().build();
    assertThat(options.layerFactor(1, 2, 199, 0.199)).isZero();
    assertThat(options.layerFactor(1, 2, 200, 0.2)).isEqualTo(1);
    assertThat(options.layerFactor(1, 2, 350, 0.35)).isEqualTo(0.5, within(1e-12));
    assertThat(options.layerFactor(0, 2, 499, 0.499)).isZero();
    assertThat(options.layerFactor(1, 2, 501, 0.501)).isZero();
    assertThat(options.layerFactor(0, 2, 650, 0.65)).isEqualTo(0.5, within(1e-12));
    assertThat(options.layerFactor(0, 2, 801, 0.801)).isZero();
  }

  /** However many there are, exactly one learns at any time. */
  @Test
  void noMomentOfTheSpanIsLostBetweenLayers() {
    TrainingOptions options =
        TrainingOptions.builder(5040).warmupSteps(0).minimumRate(0.1).progressive().build();
    for (int layers = 1; layers <= 12; layers++) {
      for (int step = 0; step < 5040; step++) {
        int learning = 0;
        for (int layer = 0; layer < layers; layer++) {
          learning += options.layerFactor(layer, layers, step, step / 5040.0) > 0 ? 1 : 0;
        }
        assertThat(learning).as("of %d layers at step %d", layers, step).isOne();
      }
    }
  }

  @Test
  void withoutTheOptionAllLayersLearnAtOnce() {
    TrainingOptions options = TrainingOptions.builder(100).layerSchedule(0, 0.5).build();
    for (int step = 0; step < 100; step++) {
      double share = step / 100.0;
      for (int layer = 0; layer < 3; layer++) {
        assertThat(options.layerFactor(layer, 3, step, share))
            .isEqualTo(options.layerFactor(step, share));
      }
    }
  }

  /** The steps a late span begins at are not known beforehand: it warms up by time. */
  @Test
  void aLateSpanWithATimeBudgetWarmsUpOverAShareOfIt() {
    TrainingOptions options =
        TrainingOptions.builder(1_000_000)
            .warmupSteps(500)
            .baseSchedule(0.5, 1)
            .timeBudget(Duration.ofSeconds(100))
            .build();
    for (long step : new long[] {0, 10, 400_000}) {
      assertThat(options.baseFactor(step, 0.499)).isZero();
      assertThat(options.baseFactor(step, 0.5)).isZero();
      assertThat(options.baseFactor(step, 0.5125))
          .isEqualTo(0.5 * (1 + Math.cos(Math.PI * 0.025)) / 2, within(1e-12));
      assertThat(options.baseFactor(step, 0.525))
          .isEqualTo((1 + Math.cos(Math.PI * 0.05)) / 2, within(1e-12));
      assertThat(options.baseFactor(step, 0.75)).isEqualTo(0.5, within(1e-12));
      assertThat(options.baseFactor(step, 1)).isEqualTo(0, within(1e-12));
    }
    // One that begins with the training counts its steps.
    assertThat(options.layerFactor(249, 0)).isEqualTo(0.5, within(1e-12));
    assertThat(options.layerFactor(499, 0)).isEqualTo(1, within(1e-12));
  }

  @Test
  void temperatureFallsByEqualFactors() {
    Temperature annealed = Temperature.annealed(5, 0.05);
    assertThat(annealed.at(0)).isEqualTo(5);
    assertThat(annealed.at(0.5)).isEqualTo(0.5, within(1e-12));
    assertThat(annealed.at(1)).isEqualTo(0.05, within(1e-12));
    assertThat(Temperature.constant(0.1).at(0.7)).isEqualTo(0.1);
  }

  @Test
  void optionsOutOfBoundsAreNamed() {
    assertThatThrownBy(() -> TrainingOptions.builder(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("steps must be at least 1, but is 0");
    assertThatThrownBy(() -> TrainingOptions.builder(1).learningRate(Double.NaN).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("learningRate must be at least 0, but is NaN");
    for (double rate : new double[] {-1, 0, Double.NaN}) {
      assertThatThrownBy(() -> TrainingOptions.builder(1).muon(rate).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("matrixLearningRate must be above 0, but is " + rate);
    }
    assertThatThrownBy(() -> TrainingOptions.builder(1).muon(0.1).learningRate(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("learningRate must be above 0 with Muon, but is 0.0");
    assertThatThrownBy(() -> TrainingOptions.builder(1).layerSchedule(0.5, 0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a span must lie within 0 and 1, but is from 0.5 to 0.5");
    for (double dropout : new double[] {-0.1, 1, Double.NaN}) {
      assertThatThrownBy(() -> TrainingOptions.builder(1).dropout(dropout).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("dropout must be at least 0 and below 1, but is " + dropout);
      assertThatThrownBy(() -> TrainingOptions.builder(1).hiddenSymbols(dropout).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("hiddenSymbols must be at least 0 and below 1, but is " + dropout);
    }
    for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> TrainingOptions.builder(1).baseAveraging(share).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("baseAveraging must be between 0 and 1, but is " + share);
    }
    assertThatThrownBy(() -> TrainingOptions.builder(1).precision(Precision.FLOAT64).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("precision must be bfloat16 or float32, but is float64");
    assertThatThrownBy(() -> Temperature.constant(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("positive");
  }
}
