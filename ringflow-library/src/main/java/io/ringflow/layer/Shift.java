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
 * @param identity added to the logit of shift 0: well above what the network starts with, it makes
 *     a layer start as the identity; 0 for a start at random
 */
public record Shift(double identity) implements SymbolMap {
  /** Starts at random. */
  public Shift() {
    this(0);
  }

  /** Checks the head start. */
  public Shift {
    LogitBias.check("identity", identity);
  }

  @Override
  public int width(int maxCardinality) {
    return maxCardinality;
  }

  @Override
  public Moves on(Space positions, int maxCardinality) {
    return new Bound(
        new Rings(positions, maxCardinality), new LogitBias(identity, maxCardinality, 0));
  }

  private record Bound(Rings rings, LogitBias start) implements Moves {
    @Override
    public void declare(ParameterRegistry declarations) {
      rings.declare(declarations);
      start.declare(declarations);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, EvaluationContext pass) {
      return rings.add(ids, rings.chosenShift(start.on(logits, pass), from, pass), from, pass);
    }

    @Override
    public Symbols inverse(Symbols data, Tensor logits, EvaluationContext pass) {
      return rings.shiftBack(data, start.on(logits, pass), pass);
    }
  }
}
