package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.EnumSet;
import java.util.Set;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Tensor;

/**
 * Any permutation of the symbols: the network's logits put them in order, and a symbol moves to its
 * rank (Discrete Denoising Flows, Lindt and Hoogeboom 2021).
 *
 * <pre>
 *   base = number of symbols with a larger logit than the data's,
 *          and of those with an equal one and a lower id
 * </pre>
 *
 * <p>Where the logits are those of the true conditional probabilities, no bijection makes the
 * base's symbols cheaper for a factorised base: sorting majorises every other order. They are
 * learned as a classifier's, by {@code Objective.LAYERWISE_CROSS_ENTROPY}; straight-through
 * gradients do not reach them.
 *
 * <p>Logits: one for each symbol. Cost: memory linear in K either way; {@code forward} sorts,
 * {@code inverse} only counts.
 */
@JsonTypeName("permute")
public record Permute() implements SymbolMap {
  @Override
  public int width(int maxCardinality) {
    return maxCardinality;
  }

  @Override
  public BoundMap on(Space positions, int maxCardinality) {
    return new Bound(new Rings(positions, maxCardinality));
  }

  @Override
  public Set<Objective> trainableBy() {
    return EnumSet.of(Objective.LAYERWISE_CROSS_ENTROPY);
  }

  private record Bound(Rings rings) implements BoundMap {
    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
      Tensor keys = keys(rings.masked(logits, from, context)); // [B, n, K]
      Tensor ranked = Tensors.descending(keys);
      return ranked.gather(-1, ids.unsqueeze(-1)).squeeze(-1);
    }

    /** NaN compares with nothing and would lose its symbol: it goes last. */
    private static Tensor keys(Tensor logits) {
      var lowest = new DoubleOptional(Double.NEGATIVE_INFINITY);
      return logits
          .detach()
          .nan_to_num(lowest, new DoubleOptional(Double.POSITIVE_INFINITY), lowest);
    }

    @Override
    public Move inverse(Tensor ids, Tensor logits, EvaluationContext context) {
      Tensor masked = rings.masked(logits, 0, context); // [B, D, K]
      Tensor keys = keys(masked);
      Tensor symbol = ids.unsqueeze(-1); // [B, D, 1]
      Tensor own = keys.gather(-1, symbol);
      Tensor lowerId = rings.symbols(context).lt(symbol);
      Tensor ahead = keys.gt(own).logical_or(keys.eq(own).logical_and(lowerId));
      Tensor rank = ahead.sum(-1); // [B, D]
      return new Move() {
        @Override
        public Tensor ids() {
          return rank;
        }

        @Override
        public Tensor symbolLogits() {
          return masked;
        }
      };
    }
  }
}
