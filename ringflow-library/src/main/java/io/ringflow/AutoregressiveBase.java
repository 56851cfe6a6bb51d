package io.ringflow;

import io.ringflow.torch.Scope;
import io.ringflow.torch.Tensors;
import org.bytedeco.pytorch.Tensor;

/**
 * One position after the other, each given those before it: the base of the paper's autoregressive
 * flows, and with no layers on top an ordinary autoregressive model.
 *
 * <p>Cost: {@code logProb} is one network call; {@code sample} takes D steps, each of one
 * position's work.
 *
 * @param order in which positions are visited
 * @param network looks at earlier positions
 */
public record AutoregressiveBase(Order order, Network network) implements Base {
  @Override
  public Distribution on(Space space, Space given) {
    if (order.size() != space.size()) {
      throw new IllegalArgumentException(
          "the base's order has " + order.size() + " positions, but the space has " + space.size());
    }
    return new Bound(this, space, given);
  }

  private static final class Bound implements Distribution {
    private final Space space;
    private final Bijection reorder;
    private final Rings rings;
    private final CausalConditioner conditioner;

    Bound(AutoregressiveBase base, Space space, Space given) {
      Space inOrder = space.select(base.order.positions());
      this.space = space;
      this.reorder = new Reorder(base.order).on(inOrder, given);
      this.rings = new Rings(inOrder, space.maxCardinality());
      this.conditioner = base.network.causal(space, base.order, given, space.maxCardinality());
    }

    @Override
    public void declare(Declarations declarations) {
      reorder.declare(declarations);
      rings.declare(declarations);
      conditioner.declare(declarations.within("network"));
    }

    @Override
    public Tensor logProb(Symbols symbols, Pass pass) {
      Symbols inOrder = reorder.forward(symbols, pass);
      Tensor logits = conditioner.logits(inOrder, pass); // [B, D, K]
      return Categorical.logProb(inOrder, rings.masked(logits, 0, pass).log_softmax(-1));
    }

    @Override
    public Tensor sample(Tensor uniforms, Pass pass) {
      Tensor drawn = Tensors.zeros(Tensors.range(1, uniforms), uniforms.shape()); // int64 [B, D]
      Decoder decoder = conditioner.decoder(uniforms.size(0), pass);
      for (int t = 0; t < space.size(); t++) {
        try (Scope step = Scope.inference()) {
          Tensor logits = rings.masked(decoder.logits().unsqueeze(1), t, pass); // [B, 1, K]
          Tensor symbol = Categorical.draw(logits.log_softmax(-1), uniforms.narrow(1, t, 1));
          drawn.narrow(1, t, 1).copy_(symbol);
          decoder.append(symbol.squeeze(1));
        }
      }
      return reorder.inverse(Symbols.of(drawn), pass).ids();
    }

    @Override
    public int passes() {
      return space.size();
    }
  }
}
