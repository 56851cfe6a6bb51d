package io.ringflow;

import org.bytedeco.pytorch.Tensor;

/**
 * Location and scale: {@code data = (shift + scale * base) mod K_d} (section 3.2, equation 4).
 *
 * <p>Only scales coprime with K<sub>d</sub> are offered to the network, so that one without an
 * inverse can't be chosen; the inverses are tabulated by Euclid's algorithm. Logits: one for each
 * shift, then one for each scale.
 */
public record ShiftScale() implements SymbolMap {
  @Override
  public int width(int maxCardinality) {
    return 2 * maxCardinality;
  }

  @Override
  public Moves on(Space positions, int maxCardinality) {
    return new Bound(
        new Rings(positions, maxCardinality), new Units(positions, maxCardinality), maxCardinality);
  }

  private record Bound(Rings rings, Units units, int maxCardinality) implements Moves {
    @Override
    public void declare(Declarations declarations) {
      rings.declare(declarations);
      units.declare(declarations);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, Pass pass) {
      Tensor scaled = rings.multiply(ids, units.chosen(scales(logits), from, pass), from, pass);
      return rings.add(scaled, rings.chosenShift(shifts(logits), from, pass), from, pass);
    }

    @Override
    public Symbols inverse(Symbols data, Tensor logits, Pass pass) {
      Symbols shiftedBack = rings.shiftBack(data, shifts(logits), pass);
      return units.scaleBack(shiftedBack, scales(logits), rings, pass);
    }

    private Tensor shifts(Tensor logits) {
      return logits.narrow(-1, 0, maxCardinality);
    }

    private Tensor scales(Tensor logits) {
      return logits.narrow(-1, maxCardinality, maxCardinality);
    }
  }
}
