package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.Counts;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * A network beside one or two tables of n-grams: those of what precedes a position, and of what
 * follows it where groups know that.
 *
 * <p>The network has more outputs than there are symbols: the others are its share of the weights
 * that the n-grams get.
 */
final class NgramMixtureCausal implements CausalConditioner {
  private final int symbols;
  private final int[] starts;
  private final Groups groups;
  private final CausalConditioner network;
  private final List<NgramTable> tables = new ArrayList<>();

  NgramMixtureCausal(NgramMixture sizes, Space space, Groups groups, Space condition, int outputs) {
    if (!space.isUniform()) {
      throw new IllegalArgumentException(
          "n-grams need one alphabet for all positions, but the space is " + space);
    }
    if (outputs != space.maxCardinality()) {
      throw new IllegalArgumentException(
          "n-grams predict the "
              + space.maxCardinality()
              + " symbols of a position, and can't make "
              + outputs
              + " logits of it");
    }
    this.symbols = outputs;
    this.starts = groups.starts();
    this.groups = groups;
    tables.add(new NgramTable(sizes, symbols, -1, groups));
    if (NgramTable.isOfUse(1, groups)) {
      tables.add(new NgramTable(sizes, symbols, 1, groups));
    }
    int weights = tables.size() * tables.get(0).lengths();
    this.network = sizes.network().causal(space, groups, condition, outputs + weights);
  }

  @Override
  public void register(ParameterRegistry registry) {
    network.register(registry.within("network"));
    tables.get(0).register(registry.within("preceding"));
    if (tables.size() > 1) {
      tables.get(1).register(registry.within("following"));
    }
  }

  @Override
  public int calls(int groups) {
    return network.calls(groups);
  }

  @Override
  public Optional<Counts> counts() {
    return Optional.of(new NgramCounts(tables, groups.order()));
  }

  @Override
  public Tensor logits(Symbols data, EvaluationContext context) {
    Tensor known = unknown(data.ids().size(0), context);
    tell(known, 0, data.ids());
    Tensor left = context.isTraining() ? data.ids() : null;
    return mixed(network.logits(data, context), known, 0, left, context);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    IncrementalDecoder steps = network.decoder(batch, context);
    Tensor known = unknown(batch, context);
    return new IncrementalDecoder() {
      private int group;

      @Override
      public Tensor logits() {
        return mixed(steps.logits(), known, starts[group], null, context);
      }

      @Override
      public void append(Tensor ids) {
        steps.append(ids);
        tell(known, starts[group], ids);
        group++;
      }
    };
  }

  /** Room for the symbols of a batch, none of which is known: {@code [B, 1 + D]}. */
  private Tensor unknown(long batch, EvaluationContext context) {
    return Tensors.zeros(tables.get(0).neighbours(context), batch, 1L + starts[starts.length - 1]);
  }

  private static void tell(Tensor known, int from, Tensor ids) {
    known.narrow(1, 1L + from, ids.size(1)).copy_(ids.add(new Scalar(1L)));
  }

  /**
   * The logits of the positions {@code from …} in order.
   *
   * @param outputs of the network
   * @param leftOut symbols to leave out of the counts; null for none
   */
  private Tensor mixed(
      Tensor outputs, Tensor known, int from, Tensor leftOut, EvaluationContext context) {
    Tensor wide = Tensors.widened(outputs);
    Tensor logits = wide.narrow(-1, 0, symbols);
    for (int i = 0; i < tables.size(); i++) {
      NgramTable table = tables.get(i);
      Tensor added = wide.narrow(-1, symbols + (long) i * table.lengths(), table.lengths());
      logits = table.addTo(logits, known, from, leftOut, added, context);
    }
    return logits;
  }
}
