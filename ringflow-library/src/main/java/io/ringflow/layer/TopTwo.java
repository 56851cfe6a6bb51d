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
 * Location and scale as in {@link ShiftScale}, read off a classifier: the likeliest symbol comes
 * from 0 and the next likeliest from 1.
 *
 * <pre>
 *   data = (shift + scale * base) mod K_d,   shift = likeliest,   scale = runner-up - likeliest
 * </pre>
 *
 * <p>The runner-up is the likeliest other symbol whose distance from the first is coprime with
 * K<sub>d</sub>, so that the scale has an inverse; the neighbour of a symbol always is one. A
 * factorised base then finds most of the mass on 0 and much of the rest on 1, which is nearly as
 * much as any location and scale can do for it: more than a shift, less than {@link Permute}.
 *
 * <p>Logits: one for each symbol, learned by {@code Objective.LAYERWISE_CROSS_ENTROPY}. Cost:
 * memory linear in K either way.
 */
@JsonTypeName("top-two")
public record TopTwo() implements SymbolMap {
  @Override
  public int width(int maxCardinality) {
    return maxCardinality;
  }

  @Override
  public BoundMap on(Space positions, int maxCardinality) {
    return new Bound(new Rings(positions, maxCardinality), new Units(positions, maxCardinality));
  }

  @Override
  public Set<Objective> trainableBy() {
    return EnumSet.of(Objective.LAYERWISE_CROSS_ENTROPY);
  }

  /**
   * What the logits choose, both {@code [B, n]}.
   *
   * @param scale always invertible
   */
  private record Choice(Tensor shift, Tensor scale) {}

  private record Bound(Rings rings, Units units) implements BoundMap {
    /** Beyond every logit of a network, and a number in float32 too. */
    private static final double EXTREME = 3e38;

    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      units.register(registry);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
      Choice choice = choice(logits, from, context);
      Tensor scaled = rings.multiply(ids, choice.scale, from, context);
      return rings.add(scaled, choice.shift, from, context);
    }

    @Override
    public Move inverse(Tensor ids, Tensor logits, EvaluationContext context) {
      Choice choice = choice(logits, 0, context);
      Tensor unshifted = rings.subtract(ids, choice.shift, context);
      Tensor moved = rings.multiply(unshifted, units.inverse(choice.scale, context), 0, context);
      return new Move() {
        @Override
        public Tensor ids() {
          return moved;
        }

        @Override
        public Tensor symbolLogits() {
          return rings.masked(logits, 0, context);
        }
      };
    }

    private Choice choice(Tensor logits, int from, EvaluationContext context) {
      // A symbol that is ruled out must lose even against one that the network calls impossible.
      var lowest = new DoubleOptional(-EXTREME);
      Tensor finite = logits.detach().nan_to_num(lowest, new DoubleOptional(EXTREME), lowest);
      Tensor keys = rings.masked(finite, from, context); // [B, n, K]
      Tensor shift = Tensors.argmax(keys);
      Tensor scales = rings.distances(shift, from, context); // [B, n, K]
      Tensor runnerUp = Tensors.argmax(units.maskedAt(scales, keys, from, context));
      return new Choice(shift, scales.gather(-1, runnerUp.unsqueeze(-1)).squeeze(-1));
    }
  }
}
