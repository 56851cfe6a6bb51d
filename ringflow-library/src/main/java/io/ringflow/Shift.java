package io.ringflow;

import org.bytedeco.pytorch.Tensor;

/**
 * Location only: {@code data = (base + shift) mod K_d}, the generalised XOR of section 3.2 with
 * scale 1.
 *
 * <p>Logits: one for each possible shift.
 */
public record Shift() implements SymbolMap {
  @Override
  public int width(int maxCardinality) {
    return maxCardinality;
  }

  @Override
  public Moves on(Space positions, int maxCardinality) {
    return new Bound(new Rings(positions, maxCardinality));
  }

  private record Bound(Rings rings) implements Moves {
    @Override
    public void declare(Declarations declarations) {
      rings.declare(declarations);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, Pass pass) {
      return rings.add(ids, rings.chosenShift(logits, from, pass), from, pass);
    }

    @Override
    public Symbols inverse(Symbols data, Tensor logits, Pass pass) {
      return rings.shiftBack(data, logits, pass);
    }
  }
}
