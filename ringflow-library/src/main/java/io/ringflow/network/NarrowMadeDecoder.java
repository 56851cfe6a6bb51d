package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Decodes position by position, each with the logits of its own symbols alone.
 *
 * <p>The first hidden units are sums of one weight vector for each symbol so far. They are looked
 * up and added as symbols come, where {@link MadeConditioner} multiplies one-hots, of which nearly
 * all is zeros. And nothing is padded. So a table whose columns differ much in their symbols takes
 * a fraction of the time. What ordered symbols share with their neighbours is added in both places.
 */
final class NarrowMadeDecoder implements IncrementalDecoder {
  private final int[] degrees;
  private final RaggedSymbols symbols;
  private final List<MaskedLinear> layers;
  private final DirectTables direct;
  private final Ordered ordered;
  private final EvaluationContext context;
  private final Tensor chosen; // [B, D]
  private final Tensor vectors; // [symbols, H]: what each adds to the first hidden units
  private final Tensor sums; // [B, H]: inputs of the first hidden units
  private final List<Tensor> hidden = new ArrayList<>(); // [B, H] each
  private int position;
  private int computed; // hidden units of each layer

  /**
   * What ordered symbols share.
   *
   * @param symbols of inputs and outputs, which are the same
   * @param read from their ramps to the first hidden units; null where none are ordered
   * @param write from the last hidden units to their ramps; null where none are ordered
   */
  record Ordered(OrderedSymbols symbols, MaskedLinear read, MaskedLinear write) {
    boolean at(int position) {
      return read != null && symbols.isOrdered(position);
    }
  }

  /**
   * Begins before the first position.
   *
   * @param degrees of the hidden units, ascending
   * @param symbols of inputs and outputs, which are the same
   * @param layers hidden ones, then the output
   */
  NarrowMadeDecoder(
      int[] degrees,
      RaggedSymbols symbols,
      List<MaskedLinear> layers,
      DirectTables direct,
      Ordered ordered,
      long rows,
      EvaluationContext context) {
    this.degrees = degrees;
    this.symbols = symbols;
    this.layers = layers;
    this.direct = direct;
    this.ordered = ordered;
    this.context = context;
    chosen = symbols.zeroIds(rows, context);
    vectors = layers.get(0).vectors(context);
    Tensor start = layers.get(0).biases(context);
    sums = (ordered.read == null ? start : start.add(ordered.read.biases(context))).repeat(rows, 1);
    for (int i = 1; i < layers.size(); i++) {
      hidden.add(Tensors.zeros(sums, rows, degrees.length));
    }
  }

  @Override
  public Tensor logits() {
    int ready = computed;
    while (ready < degrees.length && degrees[ready] <= position) {
      ready++;
    }
    long more = (long) ready - computed;
    for (int i = 0; more > 0 && i < hidden.size(); i++) {
      Tensor inputs =
          i == 0
              ? sums.narrow(1, computed, more)
              : layers.get(i).apply(hidden.get(i - 1), ready, computed, more, context);
      hidden.get(i).narrow(1, computed, more).copy_(inputs.relu());
    }
    computed = ready;
    int first = symbols.start(position);
    int count = symbols.start(position + 1) - first;
    Tensor last = hidden.get(hidden.size() - 1);
    Tensor logits = layers.get(layers.size() - 1).apply(last, computed, first, count, context);
    if (ordered.at(position)) {
      int ramp = ordered.symbols.count(position);
      int ramps = ordered.symbols.count(position + 1) - ramp;
      Tensor values = ordered.write.apply(last, computed, ramp, ramps, context); // [B, RAMPS]
      Tensor own = ordered.symbols.ramps(position, count, context); // [K, RAMPS]
      logits = logits.add(values.mm(own.t()));
    }
    return direct.addTo(logits.unsqueeze(1), chosen, position, count, context);
  }

  @Override
  public void append(Tensor ids) {
    chosen.narrow(1, position, 1).copy_(ids);
    // All units that are not computed yet see the position.
    long rest = (long) degrees.length - computed;
    if (rest > 0) {
      Tensor symbol = ids.squeeze(1);
      int first = symbols.start(position);
      Tensor units = sums.narrow(1, computed, rest);
      units.add_(torch.embedding(vectors, symbol.add(new Scalar(first))).narrow(1, computed, rest));
      if (ordered.at(position)) {
        int count = symbols.start(position + 1) - first;
        int ramp = ordered.symbols.count(position);
        int ramps = ordered.symbols.count(position + 1) - ramp;
        Tensor own = ordered.symbols.ramps(position, count, context).index_select(0, symbol);
        units.add_(own.mm(ordered.read.vectors(ramp, ramps, computed, rest, context)));
      }
    }
    position++;
  }
}
