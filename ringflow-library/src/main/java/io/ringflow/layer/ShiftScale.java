package io.ringflow.layer;

import io.ringflow.core.Space;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/**
 * Location and scale: {@code data = (shift + scale * base) mod K_d} (section 3.2, equation 4).
 *
 * <p>Only scales coprime with K<sub>d</sub> are offered to the network, so that one without an
 * inverse can't be chosen; the inverses are tabulated by Euclid's algorithm. Logits: one for each
 * shift, then one for each scale.
 *
 * @param logitBias added to the logits of shift 0 and of scale 1: well above what the network
 *     starts with, it makes a layer start as the identity; 0 for a start at random
 */
public record ShiftScale(double logitBias) implements SymbolMap {
  /** Starts at random. */
  public ShiftScale() {
    this(0);
  }

  /** Checks the head start. */
  public ShiftScale {
    LogitBias.check("identity", logitBias);
  }

  @Override
  public int width(int maxCardinality) {
    return 2 * maxCardinality;
  }

  @Override
  public Moves on(Space positions, int maxCardinality) {
    return new Bound(
        new Rings(positions, maxCardinality),
        new Units(positions, maxCardinality),
        // Modulo 1 the only scale is 0.
        new LogitBias(
            logitBias, width(maxCardinality), 0, maxCardinality + Math.min(1, maxCardinality - 1)),
        maxCardinality);
  }

  private record Bound(Rings rings, Units units, LogitBias bias, int maxCardinality)
      implements Moves {
    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      units.register(registry);
      bias.register(registry);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
      Tensor all = bias.on(logits, context);
      Tensor scaled = rings.multiply(ids, units.chosen(scales(all), from, context), from, context);
      return rings.add(scaled, rings.chosenShift(shifts(all), from, context), from, context);
    }

    @Override
    public Symbols inverse(Symbols data, Tensor logits, EvaluationContext context) {
      Tensor all = bias.on(logits, context);
      return units.undo(data, shifts(all), scales(all), rings, context);
    }

    private Tensor shifts(Tensor logits) {
      return logits.narrow(-1, 0, maxCardinality);
    }

    private Tensor scales(Tensor logits) {
      return logits.narrow(-1, maxCardinality, maxCardinality);
    }
  }
}
