package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Counts;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * A perceptron with masked weights: {@code W_n relu(… relu(W_1 x + b_1) …) + b_n} on one-hot
 * symbols x, where the degrees of {@link MadeLayout} decide which weights are zero.
 *
 * <p>Hidden units are stored in ascending degree. When group g - 1 becomes known, exactly the
 * hidden units of degree g become computable, and they are a contiguous slice of each layer: all
 * steps of a decoder together cost one pass.
 *
 * <p>A position has as many inputs as it has symbols, and, where a logit stands for a symbol, as
 * many outputs ({@link RaggedSymbols}).
 */
final class MadeConditioner implements CausalConditioner {
  private final int width;
  private final RaggedSymbols condition;
  private final RaggedSymbols input;
  private final RaggedSymbols output; // null where logits do not stand for symbols
  private final MadeLayout layout;
  private final List<MaskedLinear> layers = new ArrayList<>(); // hidden ones, then the output
  private final DirectTables direct;
  private final OrderedSymbols orderedInput;
  private final OrderedSymbols orderedOutput;
  private final MaskedLinear read; // of the inputs' ramps; null where none are ordered
  private final MaskedLinear write; // to the outputs' ramps; null where none are ordered

  MadeConditioner(int hiddenLayers, MadeLayout layout, Space condition, int width) {
    this.layout = layout;
    this.width = width;
    int symbols = layout.inputs().maxCardinality();
    this.condition = new RaggedSymbols(condition, condition.maxCardinality());
    this.input = new RaggedSymbols(layout.inputs(), symbols);
    this.output = width == symbols ? new RaggedSymbols(layout.outputs(), width) : null;
    MadeLayout.Degrees degrees = layout.degrees();
    int[] below =
        IntStream.concat(
                IntStream.range(0, this.condition.count()).map(i -> 0),
                input.each(degrees.inputs()))
            .toArray();
    for (int layer = 0; layer < hiddenLayers; layer++) {
      layers.add(new MaskedLinear(below, degrees.hidden()));
      below = degrees.hidden();
    }
    IntStream logits =
        output == null
            ? Arrays.stream(degrees.outputs())
                .flatMap(degree -> IntStream.range(0, width).map(i -> degree))
            : output.each(degrees.outputs());
    layers.add(new MaskedLinear(below, logits.toArray()));
    this.direct = new DirectTables(layout.inputs(), layout.parents(), width);
    this.orderedInput = new OrderedSymbols(layout.inputs(), layout.inputScales(), symbols);
    this.orderedOutput = new OrderedSymbols(layout.outputs(), layout.outputScales(), symbols);
    this.read =
        orderedInput.isEmpty()
            ? null
            : new MaskedLinear(orderedInput.each(degrees.inputs()), degrees.hidden());
    this.write =
        output == null || orderedOutput.isEmpty()
            ? null
            : new MaskedLinear(degrees.hidden(), orderedOutput.each(degrees.outputs()));
  }

  @Override
  public void register(ParameterRegistry registry) {
    condition.register(registry);
    input.register(registry);
    if (output != null) {
      output.register(registry);
    }
    for (int i = 0; i < layers.size(); i++) {
      layers.get(i).register(registry.within("layers." + i));
    }
    direct.register(registry.within("direct"));
    if (read != null) {
      orderedInput.register(registry);
      read.register(registry.within("ordered.read"));
    }
    if (write != null) {
      orderedOutput.register(registry);
      write.register(registry.within("ordered.write"));
    }
  }

  /** Of a bipartite network children are no inputs, and nothing is counted. */
  @Override
  public Optional<Counts> counts() {
    return output != null && layout.starts().length > 0 ? direct.counts() : Optional.empty();
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor x = withCondition(input.oneHot(symbols, context), context);
    for (int i = 0; i < layers.size() - 1; i++) {
      Tensor sums = layers.get(i).apply(x, context);
      if (i == 0 && read != null) {
        sums = sums.add(read.apply(orderedInput.of(symbols, context), context));
      }
      Tensor units = sums.relu();
      x = context.dropout().on(units.unsqueeze(1)).squeeze(1);
    }
    Tensor ragged = layers.get(layers.size() - 1).apply(x, context);
    Tensor logits = padded(ragged, 0, layout.outputs().size(), context);
    if (write != null) {
      logits = orderedOutput.addTo(logits, 0, write.apply(x, context), context);
    }
    return direct.addTo(logits, symbols, context);
  }

  /** The one-hots of the condition before those of the data. */
  private Tensor withCondition(Tensor oneHot, EvaluationContext context) {
    return condition.count() == 0
        ? oneHot
        : Tensors.cat(1, condition.oneHot(Symbols.of(context.condition().ids()), context), oneHot);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    int[] degrees = layout.degrees().hidden();
    int[] starts = layout.starts();
    // The buffers are filled as symbols come and as hidden units become computable.
    Tensor oneHot = withCondition(input.zeros(batch, context), context);
    Tensor chosen = input.zeroIds(batch, context);
    List<Tensor> hidden = new ArrayList<>();
    for (int i = 0; i < layers.size() - 1; i++) {
      hidden.add(Tensors.zeros(oneHot, batch, degrees.length));
    }
    return new IncrementalDecoder() {
      private int group;
      private int computed;

      @Override
      public Tensor logits() {
        int ready = computed;
        while (ready < degrees.length && degrees[ready] <= group) {
          ready++;
        }
        int from = starts[group];
        Tensor below = oneHot;
        long known = (long) condition.count() + input.start(from); // the rest is zero
        for (int i = 0; i < hidden.size(); i++) {
          long more = (long) ready - computed;
          if (more > 0) {
            Tensor sums = layers.get(i).apply(below, known, computed, more, context);
            if (i == 0 && read != null) {
              Tensor ramps = orderedInput.of(chosen, context);
              int seen = orderedInput.count(from);
              sums = sums.add(read.apply(ramps, seen, computed, more, context));
            }
            Tensor units = sums.relu();
            hidden.get(i).narrow(1, computed, more).copy_(units);
          }
          below = hidden.get(i);
          known = ready;
        }
        computed = ready;
        Tensor logits = output(below, known, from, starts[group + 1], context);
        return direct.addTo(logits, chosen, from, context);
      }

      @Override
      public void append(Tensor ids) {
        input.mark(oneHot.narrow(1, condition.count(), input.count()), starts[group], ids, context);
        chosen.narrow(1, starts[group], ids.size(1)).copy_(ids);
        group++;
      }
    };
  }

  @Override
  public IncrementalDecoder narrowDecoder(long rows, EvaluationContext context) {
    boolean singles = layout.starts().length == layout.inputs().size() + 1;
    return singles && output != null && condition.count() == 0
        ? new NarrowMadeDecoder(
            layout.degrees().hidden(),
            input,
            layers,
            direct,
            new NarrowMadeDecoder.Ordered(orderedInput, read, write),
            rows,
            context)
        : decoder(rows, context);
  }

  /**
   * The logits of positions {@code from … to - 1} alone, {@code [B, n, width]}.
   *
   * @param known how many units below are computed, which are those that the positions see
   */
  private Tensor output(Tensor below, long known, int from, int to, EvaluationContext context) {
    long first = output == null ? (long) from * width : output.start(from);
    long count = (output == null ? (long) to * width : output.start(to)) - first;
    Tensor ragged = layers.get(layers.size() - 1).apply(below, known, first, count, context);
    Tensor logits = padded(ragged, from, to, context);
    if (write == null) {
      return logits;
    }
    int ramp = orderedOutput.count(from);
    int ramps = orderedOutput.count(to) - ramp;
    Tensor values = write.apply(below, known, ramp, ramps, context);
    return orderedOutput.addTo(logits, from, values, context);
  }

  private Tensor padded(Tensor logits, int from, int to, EvaluationContext context) {
    return output == null
        ? logits.view(logits.size(0), -1, width)
        : output.padded(logits, from, to, context);
  }
}
