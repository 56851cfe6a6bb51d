package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * A perceptron with masked weights.
 *
 * <p>Every unit has a <em>degree</em>: a unit may read from units of the layer below whose degree
 * is at most its own. An input in group g has degree g + 1, what is given has degree 0, an output
 * in group g has degree g; so it reaches inputs of earlier groups alone. Hidden units are spread
 * evenly over the degrees 0 … S - 1 and stored in ascending degree.
 *
 * <p>That order makes step-by-step evaluation cheap. When group g - 1 becomes known, exactly the
 * hidden units of degree g become computable, and they are a contiguous slice of each layer: all
 * steps together cost one pass.
 *
 * <p>A bipartite network is the case of two degrees: kept inputs 0, moved inputs 1, everything else
 * 0.
 *
 * <p>Columns of two symbols stand beside columns of hundreds: a position has as many inputs as it
 * has symbols, and, where a logit stands for a symbol, as many outputs ({@link RaggedSymbols}).
 */
final class MadeConditioner implements CausalConditioner {
  private final int width;
  private final int outputs;
  private final RaggedSymbols condition;
  private final RaggedSymbols input;
  private final RaggedSymbols output; // null where logits do not stand for symbols
  private final int[] hiddenDegrees;
  private final int[] starts; // where each group of a causal network begins
  private final List<Masked> layers = new ArrayList<>(); // hidden ones, then the output
  private final DirectTables direct;

  /** One masked linear map. */
  private static final class Masked {
    final Parameter weight; // [out, in]
    final Parameter bias; // [out]
    final Buffer mask; // [out, in]

    Masked(int[] in, int[] out) {
      double[] connected = new double[out.length * in.length];
      int fanIn = 1;
      for (int o = 0; o < out.length; o++) {
        int count = 0;
        for (int i = 0; i < in.length; i++) {
          if (in[i] <= out[o]) {
            connected[o * in.length + i] = 1;
            count++;
          }
        }
        fanIn = Math.max(fanIn, count);
      }
      this.weight = Parameter.uniform(1 / Math.sqrt(fanIn), out.length, in.length);
      this.bias = Parameter.uniform(1 / Math.sqrt(fanIn), out.length);
      this.mask = Buffer.reals(connected, out.length, in.length);
    }

    Tensor apply(Tensor x, EvaluationContext context) {
      return Tensors.linear(x, context.get(weight).mul(context.get(mask)), context.get(bias));
    }

    /** The outputs {@code from … from + count - 1} alone. */
    Tensor apply(Tensor x, long from, long count, EvaluationContext context) {
      Tensor rows = context.get(weight).narrow(0, from, count);
      return Tensors.linear(
          x,
          rows.mul(context.get(mask).narrow(0, from, count)),
          context.get(bias).narrow(0, from, count));
    }
  }

  private MadeConditioner(
      Made made,
      Space condition,
      Space space,
      Space outputs,
      int width,
      int[] inputDegrees,
      int[] hiddenDegrees,
      int[] outputDegrees,
      List<List<List<Integer>>> speakers,
      int[] starts) {
    this.starts = starts;
    this.width = width;
    this.outputs = outputs.size();
    this.condition = new RaggedSymbols(condition, condition.maxCardinality());
    this.input = new RaggedSymbols(space, space.maxCardinality());
    this.output = width == space.maxCardinality() ? new RaggedSymbols(outputs, width) : null;
    this.hiddenDegrees = hiddenDegrees;
    int[] below =
        IntStream.concat(
                IntStream.range(0, this.condition.count()).map(i -> 0), input.each(inputDegrees))
            .toArray();
    for (int layer = 0; layer < made.layers(); layer++) {
      layers.add(new Masked(below, hiddenDegrees));
      below = hiddenDegrees;
    }
    int[] out =
        output == null
            ? Arrays.stream(outputDegrees)
                .flatMap(degree -> IntStream.range(0, width).map(i -> degree))
                .toArray()
            : output.each(outputDegrees).toArray();
    layers.add(new Masked(below, out));
    direct = new DirectTables(space, speakers, width);
  }

  static MadeConditioner causal(Made made, Space space, Groups groups, Space condition, int width) {
    int[] outputs = groups.inOrder();
    int[] inputs = Arrays.stream(outputs).map(group -> group + 1).toArray();
    int[] hidden = new int[made.hidden()];
    Arrays.setAll(hidden, h -> (int) ((long) h * groups.count() / hidden.length));
    Space inOrder = space.select(groups.order().positions());
    int[] place = new int[space.size()]; // of each position in the order
    List<Integer> order = groups.order().positions();
    for (int i = 0; i < place.length; i++) {
      place[order.get(i)] = i;
    }
    List<List<List<Integer>>> speakers =
        order.stream()
            .map(
                listener ->
                    speakers(
                        made,
                        space,
                        listener,
                        speaker -> outputs[place[speaker]] < outputs[place[listener]],
                        speaker -> place[speaker]))
            .toList();
    return new MadeConditioner(
        made,
        condition,
        inOrder,
        inOrder,
        width,
        inputs,
        hidden,
        outputs,
        speakers,
        groups.starts());
  }

  static MadeConditioner bipartite(Made made, Space space, Mask mask, Space condition, int width) {
    int[] inputs = new int[space.size()];
    Arrays.setAll(inputs, d -> mask.keeps(d) ? 0 : 1);
    int[] outputs = new int[mask.moved().size()];
    return new MadeConditioner(
        made,
        condition,
        space,
        space.select(mask.moved()),
        width,
        inputs,
        new int[made.hidden()],
        outputs,
        mask.moved().stream()
            .map(listener -> speakers(made, space, listener, mask::keeps, speaker -> speaker))
            .toList(),
        new int[0]);
  }

  /** The groups that speak to a position and consist of what it sees, by their input places. */
  private static List<List<Integer>> speakers(
      Made made, Space space, int listener, IntPredicate seen, IntUnaryOperator place) {
    if (made.direct().isEmpty()) {
      return List.of();
    }
    if (made.direct().size() < space.size()) {
      throw new IllegalArgumentException(
          "direct is of " + made.direct().size() + " positions, but the space has " + space.size());
    }
    return made.direct().get(listener).stream()
        .filter(group -> group.stream().allMatch(i -> i != listener && i < space.size()))
        .filter(group -> group.stream().allMatch(seen::test))
        .map(group -> group.stream().map(place::applyAsInt).toList())
        .toList();
  }

  @Override
  public void register(ParameterRegistry registry) {
    condition.register(registry);
    input.register(registry);
    if (output != null) {
      output.register(registry);
    }
    for (int i = 0; i < layers.size(); i++) {
      ParameterRegistry inner = registry.within("layers." + i);
      inner.parameter("weight", layers.get(i).weight);
      inner.parameter("bias", layers.get(i).bias);
      inner.constant(layers.get(i).mask);
    }
    direct.register(registry.within("direct"));
  }

  @Override
  public void initialize(int[][] rows, ParameterValues values) {
    if (output != null) {
      direct.initialize(rows, values);
    }
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor x = withCondition(input.hot(symbols, context), context);
    for (int i = 0; i < layers.size() - 1; i++) {
      Tensor units = layers.get(i).apply(x, context).relu();
      x = context.dropout().on(units.unsqueeze(1)).squeeze(1);
    }
    Tensor logits = layers.get(layers.size() - 1).apply(x, context);
    return direct.addTo(padded(logits, 0, outputs, context), symbols, context);
  }

  private Tensor withCondition(Tensor hot, EvaluationContext context) {
    return condition.count() == 0
        ? hot
        : Tensors.cat(1, condition.hot(Symbols.of(context.condition().ids()), context), hot);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    Tensor like = context.get(layers.get(0).weight);
    Tensor hot =
        withCondition(Tensors.zeros(like, batch, input.count()), context); // filled as symbols come
    Tensor chosen = input.rows(batch, context); // the same, as ids
    List<Tensor> hidden = new ArrayList<>(); // filled as units become computable
    for (int i = 0; i < layers.size() - 1; i++) {
      hidden.add(Tensors.zeros(like, batch, hiddenDegrees.length));
    }
    return new IncrementalDecoder() {
      private int group;
      private int computed;

      @Override
      public Tensor logits() {
        int ready = computed;
        while (ready < hiddenDegrees.length && hiddenDegrees[ready] <= group) {
          ready++;
        }
        Tensor below = hot;
        for (int i = 0; i < hidden.size(); i++) {
          if (ready > computed) {
            Tensor units = layers.get(i).apply(below, computed, ready - computed, context).relu();
            hidden.get(i).narrow(1, computed, ready - computed).copy_(units);
          }
          below = hidden.get(i);
        }
        computed = ready;
        int from = starts[group];
        return direct.addTo(output(below, from, starts[group + 1], context), chosen, from, context);
      }

      @Override
      public void append(Tensor ids) {
        input.mark(hot.narrow(1, condition.count(), input.count()), starts[group], ids, context);
        chosen.narrow(1, starts[group], ids.size(1)).copy_(ids);
        group++;
      }
    };
  }

  /** The logits of positions {@code from … to - 1} alone, {@code [B, n, width]}. */
  private Tensor output(Tensor below, int from, int to, EvaluationContext context) {
    long first = output == null ? (long) from * width : output.start(from);
    long count = (output == null ? (long) to * width : output.start(to)) - first;
    Tensor logits = layers.get(layers.size() - 1).apply(below, first, count, context);
    return padded(logits, from, to, context);
  }

  private Tensor padded(Tensor logits, int from, int to, EvaluationContext context) {
    return output == null
        ? logits.view(logits.size(0), -1, width)
        : output.padded(logits, from, to, context);
  }
}
