package io.ringflow.layer;

import io.ringflow.core.Space;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/**
 * Location only: {@code data = (base + shift) mod K_d}, the generalised XOR of section 3.2 with
 * scale 1.
 *
 * <p>Logits: one for each possible shift.
 *
 * @param logitBias added to the logit of shift 0: well above what the network starts with, it makes
 *     a layer start as the identity; 0 for a start at random
 */
public record Shift(double logitBias) implements SymbolMap {
  /** Starts at random. */
  public Shift() {
    this(0);
  }

  /** Checks the head start. */
  public Shift {
    LogitBias.check("identity", logitBias);
  }

  @Override
  public int width(int maxCardinality) {
    return maxCardinality;
  }

  @Override
  public Moves on(Space positions, int maxCardinality) {
    return new Bound(
        new Rings(positions, maxCardinality), new LogitBias(logitBias, maxCardinality, 0));
  }

  private record Bound(Rings rings, LogitBias bias) implements Moves {
    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      bias.register(registry);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext context) {
      return rings.add(
          ids, rings.chosenShift(bias.on(logits, context), from, context), from, context);
    }

    @Override
    public Symbols inverse(Symbols data, Tensor logits, EvaluationContext context) {
      return rings.shiftBack(data, bias.on(logits, context), context);
    }
  }
}
