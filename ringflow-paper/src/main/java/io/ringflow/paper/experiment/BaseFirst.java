package io.ringflow.paper.experiment;

import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;

/**
 * How to train an autoregressive flow over an autoregressive base, so that it can be compared with
 * the base alone.
 *
 * <p>The base can represent everything by itself, and a layer that moves while the base learns only
 * makes its task harder. So the base learns first, from the same start and for as long as it does
 * without a layer; then it stands still, and the layer, until then the identity, learns what the
 * base could not. With validation rows the model ends as its base where nothing is gained.
 */
final class BaseFirst {
  private BaseFirst() {}

  /**
   * Options for the base alone, or for the flow.
   *
   * @param steps in which the base learns; the layer learns for a quarter more
   */
  static TrainingOptions options(int steps, boolean flow, double rate) {
    int layerSteps = flow ? Math.max(1, steps / 4) : 0;
    double baseShare = (double) steps / (steps + layerSteps);
    TrainingOptions.Builder options =
        TrainingOptions.builder(steps + layerSteps)
            .learningRate(rate)
            .temperature(Temperature.constant(1))
            .warmupSteps(steps / 20)
            .evaluateEvery(Math.max(1, steps / 40))
            .baseSchedule(0, baseShare);
    return flow ? options.layerSchedule(baseShare, 1).build() : options.build();
  }
}
