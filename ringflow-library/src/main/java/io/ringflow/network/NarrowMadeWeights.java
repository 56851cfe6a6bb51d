package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * The weights of a masked perceptron as {@link NarrowMadeDecoder} reads them, position by position:
 * contiguous, without what is masked, and with the ramps of {@link OrderedSymbols} folded in.
 *
 * <p>Ramps are a linear function of one-hots, so that the weights of a symbol and those of its
 * ramps add up to one vector. Computed once for each position, and kept with the weights.
 */
final class NarrowMadeWeights {
  /**
   * What symbols on a scale share.
   *
   * @param symbols of inputs and outputs, which are the same
   * @param read from the ramps of inputs; null where none are ordered
   * @param write to the ramps of outputs; null where none are ordered
   */
  record Ramps(OrderedSymbols symbols, MaskedLinear read, MaskedLinear write) {}

  private final RaggedSymbols symbols;
  private final List<MaskedLinear> layers;
  private final Ramps ramps;
  private final int[] ready; // of each position: hidden units of a layer that see none behind it
  private final int units;

  /**
   * The weights of a network.
   *
   * @param degrees of the hidden units, ascending
   * @param symbols of inputs and outputs, which are the same
   * @param layers hidden ones, then the output
   */
  NarrowMadeWeights(int[] degrees, RaggedSymbols symbols, List<MaskedLinear> layers, Ramps ramps) {
    this.symbols = symbols;
    this.layers = layers;
    this.ramps = ramps;
    units = degrees.length;
    ready = new int[symbols.positions()];
    for (int position = 0; position < ready.length; position++) {
      int count = position == 0 ? 0 : ready[position - 1];
      while (count < units && degrees[count] <= position) {
        count++;
      }
      ready[position] = count;
    }
  }

  /** How many hidden layers there are. */
  int hiddenLayers() {
    return layers.size() - 1;
  }

  /** How many units a hidden layer has. */
  int units() {
    return units;
  }

  /** How many hidden units of a layer are computed before a position's logits. */
  int ready(int position) {
    return ready[position];
  }

  /** How many symbols a position has. */
  int count(int position) {
    return symbols.start(position + 1) - symbols.start(position);
  }

  /** Symbols 0 at all positions, int64 {@code [B, D]}. */
  Tensor zeroIds(long rows, EvaluationContext context) {
    return symbols.zeroIds(rows, context);
  }

  /** What the first hidden units begin with, {@code [1, H]}. */
  Tensor first(EvaluationContext context) {
    Tensor own = layers.get(0).biases(0, units, context);
    return (ramps.read == null ? own : own.add(ramps.read.biases(0, units, context))).unsqueeze(0);
  }

  /**
   * What each symbol of a position adds to the first hidden units that are not computed yet, all of
   * which see it: {@code [K, rest]}.
   */
  Tensor vectors(int position, EvaluationContext context) {
    return context.derived(
        List.of(this, "vectors", position),
        () -> {
          int from = ready[position];
          int rest = units - from;
          int first = symbols.start(position);
          Tensor own = layers.get(0).weights(from, rest, first, count(position), context).t();
          if (ramps.read == null || !ramps.symbols.has(position)) {
            return own.contiguous();
          }
          int ramp = ramps.symbols.count(position);
          int count = ramps.symbols.count(position + 1) - ramp;
          Tensor shared = ramps.read.weights(from, rest, ramp, count, context).t();
          return ramps(position, context).mm(shared).add_(own);
        });
  }

  /** The weights of the hidden units of a layer that a position makes computable. */
  Tensor hidden(int layer, int position, EvaluationContext context) {
    int from = position == 0 ? 0 : ready[position - 1];
    int count = ready[position] - from;
    return layers.get(layer).weights(from, count, 0, ready[position], context);
  }

  /** The biases of the hidden units of a layer that a position makes computable. */
  Tensor hiddenBiases(int layer, int position, EvaluationContext context) {
    int from = position == 0 ? 0 : ready[position - 1];
    return layers.get(layer).biases(from, ready[position] - (long) from, context);
  }

  /** The weights of a position's logits, {@code [K, ready]}. */
  Tensor output(int position, EvaluationContext context) {
    return context.derived(
        List.of(this, "output", position),
        () -> {
          int first = symbols.start(position);
          Tensor own = outputs().weights(first, count(position), 0, ready[position], context);
          if (ramps.write == null || !ramps.symbols.has(position)) {
            return own.contiguous();
          }
          int ramp = ramps.symbols.count(position);
          int count = ramps.symbols.count(position + 1) - ramp;
          Tensor shared = ramps.write.weights(ramp, count, 0, ready[position], context);
          return ramps(position, context).mm(shared).add_(own);
        });
  }

  /** The biases of a position's logits, {@code [K]}. */
  Tensor outputBiases(int position, EvaluationContext context) {
    return context.derived(
        List.of(this, "biases", position),
        () -> {
          Tensor own = outputs().biases(symbols.start(position), count(position), context);
          if (ramps.write == null || !ramps.symbols.has(position)) {
            return own.clone();
          }
          int ramp = ramps.symbols.count(position);
          int count = ramps.symbols.count(position + 1) - ramp;
          Tensor shared = ramps.write.biases(ramp, count, context);
          return ramps(position, context).mv(shared).add_(own);
        });
  }

  private MaskedLinear outputs() {
    return layers.get(layers.size() - 1);
  }

  private Tensor ramps(int position, EvaluationContext context) {
    return ramps.symbols.ofPosition(position, count(position), context);
  }
}
