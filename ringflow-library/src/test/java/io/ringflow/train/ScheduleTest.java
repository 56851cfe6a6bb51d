package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Learning rates and temperatures at chosen points of the training. */
final class ScheduleTest {
  @Test
  void ratesRiseThenFallAlongHalfACosine() {
    TrainingOptions options = TrainingOptions.builder(1000).warmupSteps(100).finalRate(0.2).build();
    assertThat(options.baseFactor(0, 0)).isEqualTo(0.01, within(1e-12));
    assertThat(options.baseFactor(49, 0)).isEqualTo(0.5, within(1e-12));
    assertThat(options.baseFactor(99, 0)).isEqualTo(1, within(1e-12));
    assertThat(options.baseFactor(100, 0)).isEqualTo(1, within(1e-12));
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
    TrainingOptions options = TrainingOptions.builder(100).warmupSteps(0).layerSpan(0, 0.5).build();
    assertThat(options.layerFactor(0, 0)).isEqualTo(1);
    assertThat(options.layerFactor(25, 0.25)).isEqualTo(0.5, within(1e-12));
    assertThat(options.layerFactor(50, 0.5)).isZero();
    assertThat(options.layerFactor(99, 0.99)).isZero();
    assertThat(options.baseFactor(50, 0.5)).isEqualTo(0.5, within(1e-12));
  }

  @Test
  void aDelayedBaseHasTheWholeCurveInTheRest() {
    TrainingOptions options = TrainingOptions.builder(100).warmupSteps(10).baseSpan(0.5, 1).build();
    assertThat(options.baseFactor(49, 0.49)).isZero();
    assertThat(options.baseFactor(50, 0.5)).isEqualTo(0.1, within(1e-12));
    assertThat(options.baseFactor(75, 0.75)).isEqualTo(0.5, within(1e-12));
    assertThat(options.baseFactor(100, 1)).isEqualTo(0, within(1e-12));
    assertThat(options.layerFactor(75, 0.75)).isEqualTo(0.146, within(1e-3));
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
    assertThatThrownBy(() -> TrainingOptions.builder(1).layerSpan(0.5, 0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a span must lie within 0 and 1, but is from 0.5 to 0.5");
    assertThatThrownBy(() -> Temperature.constant(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("positive");
  }
}
