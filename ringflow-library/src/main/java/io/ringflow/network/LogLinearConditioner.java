package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Main effects of the digits of known symbols, through a masked hidden layer and past it, to the
 * coefficients of {@link Contrasts} of the others.
 *
 * <p>Hidden units are stored in ascending degree, as those of {@link MadeConditioner} are, so that
 * all steps of a decoder together cost one pass. All coefficients are zero at first.
 */
final class LogLinearConditioner implements CausalConditioner {
  /** How much faster direct coefficients are learned than those of hidden units. */
  private static final double DIRECT_GAIN = 2;

  private final RaggedSymbols condition;
  private final int positions;
  private final int read; // main effects of a symbol
  private final int written; // coefficients of a symbol
  private final int[] starts; // of the groups
  private final int[] degrees; // of hidden units
  private final Buffer effects; // [values, read]
  private final Buffer contrasts; // [written, values]
  private final MaskedLinear hidden;
  private final MaskedLinear output;
  private final MaskedLinear direct;

  LogLinearConditioner(LogLinearMade made, Groups groups, Space condition) {
    this.condition = new RaggedSymbols(condition, condition.maxCardinality());
    this.positions = groups.positions();
    this.starts = groups.starts();
    List<double[]> main = Contrasts.of(made.digits(), 1);
    List<double[]> all = Contrasts.of(made.digits(), made.order());
    int values = made.values();
    this.read = main.size();
    this.written = all.size();
    this.effects = Buffer.reals(Contrasts.byNumber(main, values), values, read);
    this.contrasts =
        Buffer.reals(all.stream().flatMapToDouble(Arrays::stream).toArray(), written, values);
    this.degrees = new int[made.hidden()];
    Arrays.setAll(degrees, h -> (int) ((long) h * groups.count() / degrees.length));
    int[] inputs =
        IntStream.concat(
                IntStream.range(0, this.condition.count()).map(i -> 0),
                each(groups, read).map(group -> group + 1))
            .toArray();
    int[] outputs = each(groups, written).toArray();
    this.hidden = new MaskedLinear(inputs, degrees);
    this.output = MaskedLinear.silent(degrees, outputs);
    this.direct = direct(made.direct(), groups.order().positions(), inputs, outputs);
  }

  /** What each position reads past the hidden units: the condition, and the others it names. */
  private MaskedLinear direct(
      List<List<Integer>> others, List<Integer> order, int[] inputs, int[] outputs) {
    int most = others.stream().mapToInt(List::size).max().orElse(0);
    List<Set<Integer>> read = others.stream().map(Set::copyOf).toList();
    return MaskedLinear.silent(
        inputs,
        outputs,
        (in, out) ->
            in < condition.count()
                || (most > 0
                    && read.get(order.get(out / written))
                        .contains(order.get((in - condition.count()) / this.read))),
        DIRECT_GAIN / Math.sqrt(Math.max(1, most * this.read)));
  }

  /** The group of each position, so many times. */
  private static IntStream each(Groups groups, int times) {
    return Arrays.stream(groups.inOrder())
        .flatMap(group -> IntStream.range(0, times).map(i -> group));
  }

  @Override
  public void register(ParameterRegistry registry) {
    condition.register(registry);
    registry.buffer(effects);
    registry.buffer(contrasts);
    hidden.register(registry.within("hidden"));
    output.register(registry.within("output"));
    direct.register(registry.within("direct"));
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor x = withCondition(effects(symbols, context), context);
    Tensor units = hidden.apply(x, context).relu();
    Tensor kept = context.dropout().on(units.unsqueeze(1)).squeeze(1);
    return logits(output.apply(kept, context).add(direct.apply(x, context)), context);
  }

  private Tensor effects(Symbols symbols, EvaluationContext context) {
    Tensor table = context.get(effects);
    return (symbols.carriesGradient()
            ? symbols.oneHotLike(table).matmul(table)
            : torch.embedding(table, symbols.ids()))
        .flatten(1, 2);
  }

  private Tensor withCondition(Tensor x, EvaluationContext context) {
    return condition.count() == 0
        ? x
        : Tensors.cat(1, condition.oneHot(Symbols.of(context.condition().ids()), context), x);
  }

  /** From coefficients {@code [B, n * written]} to {@code [B, n, values]}. */
  private Tensor logits(Tensor coefficients, EvaluationContext context) {
    return coefficients.view(coefficients.size(0), -1, written).matmul(context.get(contrasts));
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    Tensor none = Tensors.zeros(context.get(effects), batch, (long) positions * read);
    Tensor x = withCondition(none, context);
    Tensor units = Tensors.zeros(none, batch, degrees.length);
    return new IncrementalDecoder() {
      private int group;
      private int computed;

      @Override
      public Tensor logits() {
        int ready = computed;
        while (ready < degrees.length && degrees[ready] <= group) {
          ready++;
        }
        long known = condition.count() + (long) starts[group] * read;
        long more = (long) ready - computed;
        if (more > 0) {
          Tensor next = hidden.apply(x, known, computed, more, context).relu();
          units.narrow(1, computed, more).copy_(next);
        }
        computed = ready;
        long from = (long) starts[group] * written;
        long count = (long) starts[group + 1] * written - from;
        return LogLinearConditioner.this.logits(
            output
                .apply(units, ready, from, count, context)
                .add(direct.apply(x, known, from, count, context)),
            context);
      }

      @Override
      public void append(Tensor ids) {
        Tensor seen = torch.embedding(context.get(effects), ids).flatten(1, 2);
        long from = condition.count() + (long) starts[group] * read;
        x.narrow(1, from, seen.size(1)).copy_(seen);
        group++;
      }
    };
  }
}
