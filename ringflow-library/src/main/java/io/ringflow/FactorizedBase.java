package io.ringflow;

import io.ringflow.torch.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Independent positions, each with its own categorical distribution: the base of the paper's
 * bipartite flows.
 *
 * <p>Without a network it starts uniform, does not look at what is given, and {@link
 * FlowModel#refitBase} sets it to the marginals of the data as the layers see it, which is the best
 * it can be. With one, the positions are independent once one knows what is given. Cost: at most
 * one network call either way.
 *
 * @param network sees what the model is given, and no position; null for free logits
 */
public record FactorizedBase(Network network) implements Base {
  /** Free logits. */
  public FactorizedBase() {
    this(null);
  }

  @Override
  public Distribution on(Space space, Space given) {
    return network == null ? new Marginals(space) : new Conditional(network, space, given);
  }

  /** One row of logits for all. */
  static final class Marginals implements Distribution {
    private final Space space;
    private final Rings rings;
    private final Parameter logits;

    Marginals(Space space) {
      this.space = space;
      this.rings = new Rings(space, space.maxCardinality());
      this.logits = Parameter.zeros(space.size(), space.maxCardinality());
    }

    @Override
    public void declare(Declarations declarations) {
      rings.declare(declarations);
      declarations.parameter("logits", logits);
    }

    private Tensor logProbs(Pass pass) {
      return rings.masked(pass.get(logits), 0, pass).log_softmax(-1).unsqueeze(0); // [1, D, K]
    }

    @Override
    public Tensor logProb(Symbols symbols, Pass pass) {
      return Categorical.logProb(symbols, logProbs(pass));
    }

    @Override
    public Tensor sample(Tensor uniforms, Pass pass) {
      return Categorical.draw(logProbs(pass), uniforms);
    }

    @Override
    public Tensor greedy(long rows, Pass pass) {
      return Tensors.argmax(logProbs(pass)).expand(rows, -1);
    }

    @Override
    public int passes() {
      return 0;
    }

    /** Makes symbol 0 likelier at every position, by a number of nats. */
    void tilt(double nats, Weights weights) {
      weights.get(logits).select(1, 0).add_(new Scalar(nats));
    }

    /**
     * Sets the logits to the logarithm of smoothed frequencies.
     *
     * @param counts how often symbol k stood at position d, {@code counts[d][k]}
     * @param smoothing added to every count, so that a symbol not seen stays possible
     */
    void refit(long[][] counts, double smoothing, Weights weights) {
      int width = space.maxCardinality();
      double[] values = new double[space.size() * width];
      for (int d = 0; d < space.size(); d++) {
        for (int k = 0; k < space.cardinality(d); k++) {
          values[d * width + k] = Math.log(counts[d][k] + smoothing);
        }
      }
      weights
          .get(logits)
          .copy_(Tensors.reals(values, weights.precision(), weights.device(), space.size(), width));
    }
  }

  /** Logits for each row, by what it is given. */
  private static final class Conditional implements Distribution {
    private final Rings rings;
    private final Conditioner conditioner;

    Conditional(Network network, Space space, Space given) {
      this.rings = new Rings(space, space.maxCardinality());
      Mask nothing = Mask.keep(space.size(), position -> false);
      this.conditioner = network.bipartite(space, nothing, given, space.maxCardinality());
    }

    @Override
    public void declare(Declarations declarations) {
      rings.declare(declarations);
      conditioner.declare(declarations.within("network"));
    }

    /** {@code [B, D, K]}; of the symbols only their number and device matter. */
    private Tensor logProbs(Symbols unseen, Pass pass) {
      return rings.masked(conditioner.logits(unseen, pass), 0, pass).log_softmax(-1);
    }

    @Override
    public Tensor logProb(Symbols symbols, Pass pass) {
      return Categorical.logProb(symbols, logProbs(symbols, pass));
    }

    @Override
    public Tensor sample(Tensor uniforms, Pass pass) {
      Symbols unseen = Symbols.of(rings.rows(uniforms.size(0), pass));
      return Categorical.draw(logProbs(unseen, pass), uniforms);
    }

    @Override
    public Tensor greedy(long rows, Pass pass) {
      return Tensors.argmax(logProbs(Symbols.of(rings.rows(rows, pass)), pass));
    }

    @Override
    public int passes() {
      return 1;
    }
  }
}
