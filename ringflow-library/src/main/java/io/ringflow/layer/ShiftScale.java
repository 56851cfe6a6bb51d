package io.ringflow.layer;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Objective;
import io.ringflow.core.Space;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * Location and scale: {@code data = (shift + scale * base) mod K_d} (section 3.2, equation 4).
 *
 * <p>Only scales coprime with K<sub>d</sub> are offered to the network, so that one without an
 * inverse can't be chosen; the inverses are tabulated by Euclid's algorithm. Logits: one for each
 * shift, then one for each scale.
 *
 * @param logitBias added to the logits of shift 0 and of scale 1: well above what an untrained
 *     network returns, it makes a layer start as the identity; 0 for a random start
 */
@JsonTypeName("shift-scale")
public record ShiftScale(double logitBias) implements SymbolMap {
  /** Starts at random. */
  public ShiftScale() {
    this(0);
  }

  /** Checks the bias. */
  public ShiftScale {
    LogitBias.check(logitBias);
  }

  @Override
  public int width(int maxCardinality) {
    return 2 * maxCardinality;
  }

  @Override
  public BoundMap on(Space positions, int maxCardinality) {
    return new Bound(
        new Rings(positions, maxCardinality),
        new Units(positions, maxCardinality),
        // Modulo 1 the only scale is 0.
        new LogitBias(
            logitBias, width(maxCardinality), 0, maxCardinality + Math.min(1, maxCardinality - 1)),
        maxCardinality);
  }

  @Override
  public Set<Objective> trainableBy() {
    return EnumSet.of(Objective.STRAIGHT_THROUGH, Objective.MIXTURE);
  }

  private record Bound(Rings rings, Units units, LogitBias bias, int maxCardinality)
      implements BoundMap {
    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      units.register(registry);
      bias.register(registry);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
      Tensor all = bias.on(logits, context);
      Tensor scale = units.chosen(scales(all), from, context);
      Tensor scaled = rings.multiply(ids, scale, from, context);
      return rings.add(scaled, rings.chosenShift(shifts(all), from, context), from, context);
    }

    @Override
    public Move inverse(Tensor ids, Tensor logits, EvaluationContext context) {
      Tensor all = bias.on(logits, context);
      Tensor shifts = rings.masked(shifts(all), 0, context);
      Tensor scales = units.masked(scales(all), 0, context);
      Tensor shift = Tensors.argmax(shifts); // [B, D]
      Tensor scale = Tensors.argmax(scales);
      Tensor unshifted = rings.subtract(ids, shift, context);
      Tensor moved = rings.multiply(unshifted, units.inverse(scale, context), 0, context);
      return new Move() {
        @Override
        public Tensor ids() {
          return moved;
        }

        /** Each given the other's choice, so that neither needs K x K pairs. */
        @Override
        public List<Alternatives> alternatives(UnaryOperator<Tensor> tempered) {
          Tensor unscale = units.inverse(scale, context).unsqueeze(-1); // [B, D, 1]
          Tensor byShift = rings.index(ids.unsqueeze(-1).sub(rings.symbols(context)), context);
          Tensor byScale = units.inverses(context).mul(unshifted.unsqueeze(-1)); // [B, D, K]
          return List.of(
              new Alternatives(tempered.apply(shifts), rings.index(byShift.mul(unscale), context)),
              new Alternatives(tempered.apply(scales), rings.index(byScale, context)));
        }

        @Override
        public Tensor preimages() {
          Tensor scaled = scale.unsqueeze(-1).mul(rings.symbols(context)); // [B, D, K]
          return rings.index(scaled.add(shift.unsqueeze(-1)), context);
        }
      };
    }

    private Tensor shifts(Tensor logits) {
      return logits.narrow(-1, 0, maxCardinality);
    }

    private Tensor scales(Tensor logits) {
      return logits.narrow(-1, maxCardinality, maxCardinality);
    }
  }
}
