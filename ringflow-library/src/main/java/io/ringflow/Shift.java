package io.ringflow;

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
    HeadStart.check("identity", identity);
  }

  @Override
  public int width(int maxCardinality) {
    return maxCardinality;
  }

  @Override
  public Moves on(Space positions, int maxCardinality) {
    return new Bound(
        new Rings(positions, maxCardinality), new HeadStart(identity, maxCardinality, 0));
  }

  private record Bound(Rings rings, HeadStart start) implements Moves {
    @Override
    public void declare(Declarations declarations) {
      rings.declare(declarations);
      start.declare(declarations);
    }

    @Override
    public Tensor forward(Tensor ids, Tensor logits, int from, Pass pass) {
      return rings.add(ids, rings.chosenShift(start.on(logits, pass), from, pass), from, pass);
    }

    @Override
    public Symbols inverse(Symbols data, Tensor logits, Pass pass) {
      return rings.shiftBack(data, start.on(logits, pass), pass);
    }
  }
}
