package io.ringflow;

import io.ringflow.torch.Tensors;
import org.bytedeco.pytorch.Tensor;

/**
 * Independent positions, each with its own categorical distribution: the base of the paper's
 * bipartite flows.
 *
 * <p>Starts uniform. {@link FlowModel#refitBase} sets it to the marginals of the data as the layers
 * see it, which is the best a factorised base can be. It does not look at the context. Cost: no
 * network call either way.
 */
public record FactorizedBase() implements Base {
  @Override
  public Distribution on(Space space, Space given) {
    return new Bound(space);
  }

  static final class Bound implements Distribution {
    private final Space space;
    private final Rings rings;
    private final Parameter logits;

    Bound(Space space) {
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
    public int passes() {
      return 0;
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
}
