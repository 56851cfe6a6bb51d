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
 * @param tilt added to the logit of symbol 0 at every position: gives layers a direction to learn
 *     in, see {@link FactorizedBase}; 0 for none
 */
public record AutoregressiveBase(Order order, Network network, double tilt) implements Base {
  /** Without a favourite. */
  public AutoregressiveBase(Order order, Network network) {
    this(order, network, 0);
  }

  /** Checks the tilt. */
  public AutoregressiveBase {
    HeadStart.check("tilt", tilt);
  }

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
    private final HeadStart favourite;
    private final CausalConditioner conditioner;
    private final Constant back; // where each position stands in the order

    Bound(AutoregressiveBase base, Space space, Space given) {
      Space inOrder = space.select(base.order.positions());
      this.space = space;
      this.reorder = new Reorder(base.order).on(inOrder, given);
      this.rings = new Rings(inOrder, space.maxCardinality());
      this.favourite = new HeadStart(base.tilt, space.maxCardinality(), 0);
      this.back = Constant.longs(base.order.inverse().positions());
      this.conditioner = base.network.causal(space, base.order, given, space.maxCardinality());
    }

    @Override
    public void declare(Declarations declarations) {
      reorder.declare(declarations);
      rings.declare(declarations);
      favourite.declare(declarations);
      declarations.constant(back);
      conditioner.declare(declarations.within("network"));
    }

    @Override
    public Tensor logProb(Symbols symbols, Pass pass) {
      Symbols inOrder = reorder.forward(symbols, pass);
      return Categorical.logProb(inOrder, logProbsInOrder(inOrder, pass));
    }

    @Override
    public Tensor logProbs(Symbols symbols, Pass pass) {
      Tensor inOrder = logProbsInOrder(reorder.forward(symbols, pass), pass);
      return inOrder.index_select(1, pass.get(back));
    }

    private Tensor logProbsInOrder(Symbols inOrder, Pass pass) {
      Tensor logits = Tensors.widened(conditioner.logits(inOrder, pass)); // [B, D, K]
      return rings.masked(favourite.on(logits, pass), 0, pass).log_softmax(-1);
    }

    @Override
    public Tensor sample(Tensor uniforms, Pass pass) {
      return step(
          uniforms.size(0),
          pass,
          (logProbs, t) -> Categorical.draw(logProbs, uniforms.narrow(1, t, 1)));
    }

    @Override
    public Tensor greedy(long rows, Pass pass) {
      return step(rows, pass, (logProbs, t) -> Tensors.argmax(logProbs));
    }

    /** Chooses the symbol that is t-th in order, {@code [B, 1, K]} to {@code [B, 1]}. */
    @FunctionalInterface
    private interface Choice {
      Tensor symbol(Tensor logProbs, int t);
    }

    private Tensor step(long rows, Pass pass, Choice choice) {
      Tensor chosen = rings.rows(rows, pass);
      Decoder decoder = conditioner.decoder(rows, pass);
      for (int t = 0; t < space.size(); t++) {
        try (Scope step = Scope.inference()) {
          Tensor tilted = favourite.on(decoder.logits().unsqueeze(1), pass);
          Tensor logits = rings.masked(tilted, t, pass); // [B, 1, K]
          Tensor symbol = choice.symbol(logits.log_softmax(-1), t);
          chosen.narrow(1, t, 1).copy_(symbol);
          decoder.append(symbol.squeeze(1));
        }
      }
      return reorder.inverse(Symbols.of(chosen), pass).ids();
    }

    @Override
    public int passes() {
      return space.size();
    }
  }
}
