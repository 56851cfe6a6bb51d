package io.ringflow.train;

import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Updates the weights of a model by their gradients, layer by layer and base each at a rate: {@link
 * Muon} the matrices, where it is chosen, and {@link AdamW} the rest.
 *
 * <p>The moments lie in flat buffers like the weights. Muon's momentum takes the place of AdamW's
 * first moment, and leaves the second zero.
 */
final class WeightUpdate {
  private final Tensor values;
  private final List<Long> layerStarts;
  private final long layerElements;
  private final Tensor firstMoment;
  private final Tensor secondMoment;
  private final Tensor stepCount;
  private final AdamW adamW;
  private final Muon muon; // null where AdamW updates everything

  WeightUpdate(Weights weights, TrainingOptions options, TensorOwner owner) {
    this.values = weights.values();
    this.layerStarts = weights.layerStarts();
    this.layerElements = weights.layerElements();
    Tensor gradients = weights.trackGradients();
    try (Scope scope = Scope.inference()) {
      this.firstMoment = owner.keep(Tensors.zeros(values, values.numel()));
      this.secondMoment = owner.keep(Tensors.zeros(values, values.numel()));
      this.stepCount = owner.keep(Tensors.zeros(Precision.FLOAT32, weights.device(), 1));
    }
    this.adamW = new AdamW(values, gradients, firstMoment, secondMoment, options.weightDecay());
    this.muon =
        options.optimizer() == Optimizer.MUON
            ? new Muon(
                HiddenMatrix.of(weights),
                values,
                gradients,
                firstMoment,
                options.matrixLearningRate() / options.learningRate(),
                options.weightDecay())
            : null;
  }

  /** The running mean of gradients; borrowed. */
  Tensor firstMoment() {
    return firstMoment;
  }

  /** The running mean of squared gradients; borrowed. */
  Tensor secondMoment() {
    return secondMoment;
  }

  /**
   * Which parts of the buffer an update changes, and how fast.
   *
   * @param rates of AdamW, one for each part
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Plan(List<Part> parts, double[] rates) {}

  /** Neighbours in the buffer that learn at one rate. */
  record Part(long from, long count) {
    long to() {
      return from + count;
    }
  }

  /**
   * The update for given rates; what has rate 0 stays as it is.
   *
   * @param layerRates one for each layer, from the base to the data
   */
  Plan plan(double[] layerRates, double baseRate) {
    List<Part> parts = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    int layer = 0;
    while (layer < layerRates.length) {
      int next = layer + 1;
      while (next < layerRates.length && layerRates[next] == layerRates[layer]) {
        next++; // neighbours with the same rate are one call
      }
      long to = next < layerRates.length ? layerStarts.get(next) : layerElements;
      parts.add(new Part(layerStarts.get(layer), to - layerStarts.get(layer)));
      rates.add(layerRates[layer]);
      layer = next;
    }
    parts.add(new Part(layerElements, values.numel() - layerElements));
    rates.add(baseRate);
    for (int i = parts.size() - 1; i >= 0; i--) {
      if (parts.get(i).count == 0 || rates.get(i) == 0) {
        parts.remove(i);
        rates.remove(i);
      }
    }
    return new Plan(List.copyOf(parts), rates.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * One update, whose rates are known on the host.
   *
   * @param step steps done before this one
   */
  void step(long step, Plan plan) {
    stepCount.fill_(new Scalar((double) (step + 1)));
    for (int i = 0; i < plan.parts.size(); i++) {
      Part part = plan.parts.get(i);
      adamW.update(byAdamW(part), stepCount, plan.rates[i]);
      if (muon != null) {
        muon.update(part, Tensors.zeros(values).fill_(new Scalar(plan.rates[i])));
      }
    }
    countWrite();
  }

  /**
   * One update, whose rates are known on the device alone.
   *
   * @param count steps done with this one, float32, a single element
   * @param rates of AdamW, float32, one for each part
   */
  void step(Tensor count, List<Part> parts, Tensor rates) {
    for (int i = 0; i < parts.size(); i++) {
      Tensor rate = rates.select(0, i);
      adamW.update(byAdamW(parts.get(i)), count, rate);
      if (muon != null) {
        muon.update(parts.get(i), rate);
      }
    }
  }

  private List<Part> byAdamW(Part part) {
    return muon == null ? List.of(part) : muon.rest(part);
  }

  /**
   * Tells whoever has copies of the weights that they changed: libtorch counts writes, but neither
   * those of its fused kernel nor those of a graph. It counts this one, of nothing.
   */
  void countWrite() {
    try (Scope scope = Scope.inference()) {
      values.narrow(0, 0, 0).zero_();
    }
  }
}
