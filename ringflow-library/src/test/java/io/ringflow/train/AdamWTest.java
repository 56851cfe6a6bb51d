package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

/** The fused kernel on flat buffers is AdamW as it is written in the paper. */
final class AdamWTest {
  private static final int STEPS = 20;

  /** Loshchilov and Hutter 2019, algorithm 2, in 64 bits. */
  private static final class Reference {
    final double[] values;
    private final double[] first;
    private final double[] second;

    Reference(double[] values) {
      this.values = values.clone();
      this.first = new double[values.length];
      this.second = new double[values.length];
    }

    void step(int step, double[] gradient, double rate, double decay, int from, int to) {
      for (int i = from; i < to && rate > 0; i++) {
        first[i] = 0.9 * first[i] + 0.1 * gradient[i];
        second[i] = 0.99 * second[i] + 0.01 * gradient[i] * gradient[i];
        double mean = first[i] / (1 - Math.pow(0.9, step + 1));
        double square = second[i] / (1 - Math.pow(0.99, step + 1));
        values[i] -= rate * (mean / (Math.sqrt(square) + 1e-8) + decay * values[i]);
      }
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Trained(
      double[] start, double[] end, double[] reference, int second, int layerElements) {}

  private static Trained train(double layerRate, double baseRate, double decay) {
    return train(new double[] {layerRate, layerRate}, baseRate, decay);
  }

  private static Trained train(double[] layerRates, double baseRate, double decay) {
    Trained trained = train(layerRates, baseRate, decay, false);
    // Rates that captured steps read on the device are float32, and the rest is the same.
    assertThat(train(layerRates, baseRate, decay, true).end)
        .containsExactly(trained.end, within(1e-7));
    return trained;
  }

  private static Trained train(
      double[] layerRates, double baseRate, double decay, boolean onDevice) {
    try (FlowModel model = FlowModel.create(Toys.tables(), 1);
        TensorOwner owner = new TensorOwner()) {
      Weights weights = Models.weights(model);
      TrainingOptions options = TrainingOptions.builder(1).weightDecay(decay).build();
      WeightUpdate optimizer = new WeightUpdate(weights, options, owner);
      double[] start = Tensors.toDoubles(weights.values());
      int second = Math.toIntExact(weights.layerStarts().get(1));
      int layerElements = Math.toIntExact(weights.layerElements());
      Reference reference = new Reference(start);
      var random = new SplittableRandom(2);
      for (int step = 0; step < STEPS; step++) {
        double[] gradient = new double[start.length];
        Arrays.setAll(gradient, i -> (float) random.nextGaussian());
        try (Scope scope = Scope.inference()) {
          weights
              .trackGradients()
              .copy_(Tensors.reals(gradient, Precision.FLOAT32, model.device(), gradient.length));
          WeightUpdate.Plan plan = optimizer.plan(layerRates, baseRate);
          if (onDevice) {
            optimizer.step(reals(new double[] {step + 1}), plan.parts(), reals(plan.rates()));
          } else {
            optimizer.step(step, plan);
          }
        }
        reference.step(step, gradient, layerRates[0], decay, 0, second);
        reference.step(step, gradient, layerRates[1], decay, second, layerElements);
        reference.step(step, gradient, baseRate, decay, layerElements, start.length);
      }
      return new Trained(
          start, Tensors.toDoubles(weights.values()), reference.values, second, layerElements);
    }
  }

  private static Tensor reals(double[] values) {
    return Tensors.reals(values, Precision.FLOAT32, Device.CPU, values.length);
  }

  private static double distance(Trained trained, int from, int to) {
    double far = 0;
    for (int i = from; i < to; i++) {
      far = Math.max(far, Math.abs(trained.end[i] - trained.start[i]));
    }
    return far;
  }

  @Test
  void agreesWithThePlainFormOverManySteps() {
    Trained trained = train(0.01, 0.01, 0);
    assertThat(trained.end).containsExactly(trained.reference, within(1e-6));
    assertThat(distance(trained, 0, trained.end.length)).isGreaterThan(0.01);
  }

  @Test
  void layersAndBaseHaveRatesOfTheirOwn() {
    Trained trained = train(0.001, 0.02, 0);
    assertThat(trained.end).containsExactly(trained.reference, within(1e-6));
    assertThat(distance(trained, 0, trained.layerElements)).isLessThan(0.001 * STEPS * 1.5);
    assertThat(distance(trained, trained.layerElements, trained.end.length)).isGreaterThan(0.04);
  }

  @Test
  void eachLayerHasARateOfItsOwn() {
    Trained trained = train(new double[] {0.001, 0.02}, 0.005, 0.1);
    assertThat(trained.end).containsExactly(trained.reference, within(1e-6));
    assertThat(distance(trained, 0, trained.second)).isLessThan(0.001 * STEPS * 1.5);
    assertThat(distance(trained, trained.second, trained.layerElements)).isGreaterThan(0.04);
  }

  @Test
  void rateZeroFreezesItsLayer() {
    Trained dataSide = train(new double[] {0, 0.01}, 0.01, 0.5);
    assertThat(dataSide.end).containsExactly(dataSide.reference, within(1e-6));
    assertThat(distance(dataSide, 0, dataSide.second)).isZero();
    assertThat(distance(dataSide, dataSide.second, dataSide.layerElements)).isPositive();
    Trained baseSide = train(new double[] {0.01, 0}, 0.01, 0.5);
    assertThat(baseSide.end).containsExactly(baseSide.reference, within(1e-6));
    assertThat(distance(baseSide, 0, baseSide.second)).isPositive();
    assertThat(distance(baseSide, baseSide.second, baseSide.layerElements)).isZero();
  }

  @Test
  void weightDecayIsDecoupled() {
    Trained trained = train(0.01, 0.01, 0.5);
    assertThat(trained.end).containsExactly(trained.reference, within(1e-6));
    assertThat(trained.end).isNotEqualTo(train(0.01, 0.01, 0).end);
  }

  @Test
  void rateZeroFreezesItsGroup() {
    Trained base = train(0, 0.01, 0.5);
    assertThat(distance(base, 0, base.layerElements)).isZero();
    assertThat(distance(base, base.layerElements, base.end.length)).isPositive();
    Trained layers = train(0.01, 0, 0.5);
    assertThat(distance(layers, 0, layers.layerElements)).isPositive();
    assertThat(distance(layers, layers.layerElements, layers.end.length)).isZero();
  }
}
