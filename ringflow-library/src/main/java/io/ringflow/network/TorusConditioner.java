package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Main effects of the symbols that a position sees, through the hidden units of its group and past
 * them, to the coefficients of its own symbol's {@link Contrasts}. All coefficients are zero at
 * first.
 */
final class TorusConditioner implements CausalConditioner {
  /**
   * Direct inputs are multiplied with this over the square root of their number: an optimiser moves
   * all weights by the same, and where there are few of them, each must go far.
   */
  private static final double DIRECT_GAIN = 5;

  private final RaggedSymbols condition;
  private final int positions;
  private final int effectsOfSymbol; // the contrasts of a symbol, read and written
  private final int[] starts; // of the groups
  private final Buffer effects; // [K, contrasts]
  private final Buffer contrasts; // [contrasts, K]
  private final List<SharedPerceptron> groups = new ArrayList<>();

  /**
   * Binds a network.
   *
   * @param places for each group, which places its positions see, position after position
   * @param starts where groups begin, and the number of places
   */
  TorusConditioner(TorusMade made, List<int[]> places, int[] starts, int symbols, Space condition) {
    this.condition = new RaggedSymbols(condition, condition.maxCardinality());
    this.positions = made.torus().size();
    this.starts = starts;
    List<double[]> functions = Contrasts.of(List.of(symbols), 1);
    this.effectsOfSymbol = functions.size();
    this.effects = Buffer.reals(Contrasts.byNumber(functions, symbols), symbols, effectsOfSymbol);
    this.contrasts =
        Buffer.reals(
            functions.stream().flatMapToDouble(Arrays::stream).toArray(), effectsOfSymbol, symbols);
    for (int group = 0; group < places.size(); group++) {
      groups.add(
          new SharedPerceptron(
              places.get(group), starts[group + 1] - starts[group], made.hidden().get(group)));
    }
  }

  /** What all positions of a group apply to the symbols they see. */
  private final class SharedPerceptron implements Module {
    private final int members;
    private final int read; // inputs of one member
    private final Buffer places; // [members * seen]
    private final boolean deep; // whether there are hidden units
    private final Linear hidden; // null where there are none
    private final Parameter indirect; // [contrasts, units], from the hidden units
    private final Parameter direct; // [contrasts, read]
    private final Parameter bias; // [contrasts]

    SharedPerceptron(int[] places, int members, int units) {
      this.members = members;
      this.places =
          Buffer.longs(Arrays.stream(places).asLongStream().toArray(), (long) places.length);
      this.read = places.length / members * effectsOfSymbol + condition.count();
      this.deep = read > 0 && units > 0;
      this.hidden = deep ? new Linear(read, units, Math.sqrt(3)) : null; // of variance 1
      this.indirect = Parameter.zeros(effectsOfSymbol, units);
      this.direct = Parameter.zeros(effectsOfSymbol, read);
      this.bias = Parameter.zeros(effectsOfSymbol);
    }

    @Override
    public void register(ParameterRegistry registry) {
      registry.buffer(places);
      registry.parameter("bias", bias);
      if (read > 0) {
        registry.parameter("direct", direct);
      }
      if (deep) {
        hidden.register(registry.within("hidden"));
        registry.parameter("indirect", indirect);
      }
    }

    /** Coefficients {@code [B, members, contrasts]} by the effects {@code [B, D, contrasts]}. */
    Tensor coefficients(Tensor effects, Tensor given, EvaluationContext context) {
      long batch = effects.size(0);
      if (read == 0) {
        return context.get(bias).expand(batch, members, -1);
      }
      Tensor x =
          effects
              .index_select(1, context.get(places))
              .view(batch, members, (long) read - condition.count());
      if (condition.count() > 0) {
        x = Tensors.cat(2, given.unsqueeze(1).expand(-1, members, -1), x);
      }
      Tensor scaled = x.mul(new Scalar(DIRECT_GAIN / Math.sqrt(read)));
      Tensor sums = Tensors.linear(scaled, context.get(direct), context.get(bias));
      if (!deep) {
        return sums;
      }
      Tensor units = context.dropout().on(hidden.apply(x, context).tanh());
      return sums.add(units.matmul(context.get(indirect).t()));
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    condition.register(registry);
    registry.buffer(effects);
    registry.buffer(contrasts);
    for (int group = 0; group < groups.size(); group++) {
      groups.get(group).register(registry.within(Integer.toString(group)));
    }
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor table = context.get(effects);
    Tensor seen =
        symbols.carriesGradient()
            ? symbols.oneHotLike(table).matmul(table)
            : torch.embedding(table, symbols.ids());
    Tensor given = given(context);
    TensorVector parts = new TensorVector();
    for (SharedPerceptron group : groups) {
      parts.push_back(group.coefficients(seen, given, context));
    }
    return torch.cat(parts, 1).matmul(context.get(contrasts));
  }

  /** The condition's one-hots {@code [B, n]}; null where there is none. */
  private Tensor given(EvaluationContext context) {
    return condition.count() == 0
        ? null
        : condition.oneHot(Symbols.of(context.condition().ids()), context);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    Tensor seen = Tensors.zeros(context.get(effects), batch, positions, effectsOfSymbol);
    Tensor given = given(context);
    return new IncrementalDecoder() {
      private int group;

      @Override
      public Tensor logits() {
        return groups.get(group).coefficients(seen, given, context).matmul(context.get(contrasts));
      }

      @Override
      public void append(Tensor ids) {
        Tensor next = torch.embedding(context.get(effects), ids);
        seen.narrow(1, starts[group], ids.size(1)).copy_(next);
        group++;
      }
    };
  }
}
