package io.ringflow.base;

import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.layer.Rings;
import io.ringflow.network.Network;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
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
 * @param logitBias added to the logit of symbol 0 at every position. Under a flat base every move
 *     costs the same, and layers find nothing to learn from where the data's marginals are flat; a
 *     favourite gives them a direction. 0 for none
 */
public record FactorizedBase(Network network, double logitBias) implements Base {
  /** Free logits that start flat. */
  public FactorizedBase() {
    this(null, 0);
  }

  /** Independent given what is given. */
  public FactorizedBase(Network network) {
    this(network, 0);
  }

  /** Checks the tilt. */
  public FactorizedBase {
    LogitBias.check("tilt", logitBias);
  }

  @Override
  public Distribution on(Space space, Space condition) {
    LogitBias logitBias = new LogitBias(this.logitBias, space.maxCardinality(), 0);
    return network == null
        ? new Marginals(space, logitBias)
        : new Conditional(network, space, condition, logitBias);
  }

  /** One row of logits for all. */
  public static final class Marginals implements Distribution {
    /** Of every symbol, by Krichevsky and Trofimov: nothing unseen becomes impossible. */
    private static final double SMOOTHING = 0.5;

    private static final double MIN_FOLLOWED = 1e-6;

    private final Space space;
    private final Rings rings;
    private final LogitBias logitBias;
    private final Parameter logits;

    public Marginals(Space space, LogitBias logitBias) {
      this.space = space;
      this.logitBias = logitBias;
      this.rings = new Rings(space, space.maxCardinality());
      this.logits = Parameter.zeros(space.size(), space.maxCardinality());
    }

    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      logitBias.register(registry);
      registry.parameter("logits", logits);
    }

    private Tensor logProbs(EvaluationContext context) {
      Tensor tilted = logitBias.on(Tensors.widened(context.get(logits)), context);
      return rings.masked(tilted, 0, context).log_softmax(-1).unsqueeze(0); // [1, D, K]
    }

    @Override
    public Tensor logProb(Symbols symbols, EvaluationContext context) {
      return Categorical.logProb(symbols, logProbs(context));
    }

    @Override
    public Tensor logProbs(Symbols symbols, EvaluationContext context) {
      return logProbs(context);
    }

    @Override
    public Tensor choose(long rows, Choice choice, EvaluationContext context) {
      return choice.symbols(logProbs(context), 0);
    }

    @Override
    public Groups groups() {
      return Groups.blocks(space.size(), 1);
    }

    @Override
    public int passes() {
      return 0;
    }

    /**
     * Sets the logits to the logarithm of smoothed frequencies.
     *
     * @param rows of the base's own side
     */
    public void refit(int[][] rows, Weights weights) {
      int width = space.maxCardinality();
      long[][] counts = new long[space.size()][width];
      for (int[] row : rows) {
        for (int d = 0; d < row.length; d++) {
          counts[d][row[d]]++;
        }
      }
      double[] values = new double[space.size() * width];
      for (int d = 0; d < space.size(); d++) {
        for (int k = 0; k < space.cardinality(d); k++) {
          values[d * width + k] = Math.log(counts[d][k] + SMOOTHING) - logitBias.of(k);
        }
      }
      fill(values, weights);
    }

    /** Sets the logits of every position to the logarithm of the same frequencies. */
    public void start(double[] frequencies, Weights weights) {
      int width = space.maxCardinality();
      if (frequencies.length != width) {
        throw new IllegalArgumentException(
            "frequencies must be of " + width + " symbols, but are of " + frequencies.length);
      }
      double[] values = new double[space.size() * width];
      for (int i = 0; i < values.length; i++) {
        double frequency = frequencies[i % width];
        if (!(frequency > 0 && frequency < Double.POSITIVE_INFINITY)) {
          throw new IllegalArgumentException(
              "frequencies must be positive, but one is " + frequency);
        }
        values[i] = Math.log(frequency) - logitBias.of(i % width);
      }
      fill(values, weights);
    }

    private void fill(double[] values, Weights weights) {
      long[] shape = {space.size(), space.maxCardinality()};
      weights
          .get(logits)
          .copy_(Tensors.reals(values, weights.precision(), weights.device(), shape));
    }

    /**
     * Moves the probabilities a little towards some frequencies.
     *
     * @param frequencies {@code [D, K]}
     * @param share of the way
     */
    public void follow(Tensor frequencies, double share, Weights weights) {
      EvaluationContext context = EvaluationContext.of(weights, Condition.NONE);
      Tensor followed =
          logProbs(context)
              .squeeze(0)
              .exp()
              .mul(new Scalar(1 - share))
              .add(frequencies, new Scalar(share));
      // What has not been seen for long stays possible.
      Tensor logs = followed.clamp_min(new Scalar(MIN_FOLLOWED)).log();
      weights.get(logits).copy_(logs.sub(logitBias.on(Tensors.zeros(logs, logs.shape()), context)));
    }
  }

  /** Logits for each row, by what it is given. */
  private static final class Conditional implements Distribution {
    private final Space space;
    private final Rings rings;
    private final LogitBias logitBias;
    private final Conditioner conditioner;

    Conditional(Network network, Space space, Space condition, LogitBias logitBias) {
      this.space = space;
      this.logitBias = logitBias;
      this.rings = new Rings(space, space.maxCardinality());
      Mask nothing = Mask.keep(space.size(), position -> false);
      this.conditioner = network.bipartite(space, nothing, condition, space.maxCardinality());
    }

    @Override
    public void register(ParameterRegistry registry) {
      rings.register(registry);
      logitBias.register(registry);
      conditioner.register(registry.within("network"));
    }

    /** Of the symbols only their number and device matter. */
    @Override
    public Tensor logProbs(Symbols unseen, EvaluationContext context) {
      Tensor tilted = logitBias.on(Tensors.widened(conditioner.logits(unseen, context)), context);
      return rings.masked(tilted, 0, context).log_softmax(-1);
    }

    @Override
    public Tensor logProb(Symbols symbols, EvaluationContext context) {
      return Categorical.logProb(symbols, logProbs(symbols, context));
    }

    @Override
    public Tensor choose(long rows, Choice choice, EvaluationContext context) {
      return choice.symbols(logProbs(Symbols.of(rings.rows(rows, context)), context), 0);
    }

    @Override
    public Groups groups() {
      return Groups.blocks(space.size(), 1);
    }

    @Override
    public int passes() {
      return 1;
    }
  }
}
