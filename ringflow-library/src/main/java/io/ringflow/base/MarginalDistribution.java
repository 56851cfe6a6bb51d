package io.ringflow.base;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.core.WeightedRows;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.internal.logits.LogitBias;
import io.ringflow.internal.logits.SymbolLogits;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Counts;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/** Independent positions with free logits, the same for every row. */
final class MarginalDistribution implements Distribution, Distribution.Marginals {
  /** Added to every count (Krichevsky and Trofimov): no unseen symbol becomes impossible. */
  private static final double SMOOTHING = 0.5;

  private static final double MIN_PROBABILITY = 1e-6;

  private final Space space;
  private final SymbolLogits symbols;
  private final LogitBias bias;
  private final Parameter logits;

  MarginalDistribution(Space space, LogitBias bias) {
    this.space = space;
    this.bias = bias;
    this.symbols = new SymbolLogits(space, space.maxCardinality());
    this.logits = Parameter.zeros(space.size(), space.maxCardinality());
  }

  @Override
  public void register(ParameterRegistry registry) {
    symbols.register(registry);
    bias.register(registry);
    registry.parameter("logits", logits);
  }

  private Tensor logProbs(EvaluationContext context) {
    Tensor biased = bias.on(Tensors.widened(context.get(logits)), context);
    return symbols.masked(biased, 0, context).log_softmax(-1).unsqueeze(0); // [1, D, K]
  }

  @Override
  public Tensor logProb(Symbols data, EvaluationContext context) {
    return Categorical.logProb(data, logProbs(context));
  }

  @Override
  public Tensor logProbs(Symbols data, EvaluationContext context) {
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

  @Override
  public Optional<Marginals> marginals() {
    return Optional.of(this);
  }

  /** Sets the logits to the logarithms of smoothed frequencies. */
  @Override
  public Optional<Counts> counts() {
    int width = space.maxCardinality();
    double[][] counts = new double[space.size()][width];
    return Optional.of(
        new Counts() {
          @Override
          public void add(WeightedRows data) {
            for (int i = 0; i < data.rows().length; i++) {
              int[] row = data.rows()[i];
              for (int d = 0; d < row.length; d++) {
                counts[d][row[d]] += data.weights()[i];
              }
            }
          }

          @Override
          public void write(ParameterValues values) {
            double[] logs = new double[space.size() * width];
            for (int d = 0; d < space.size(); d++) {
              for (int k = 0; k < space.cardinality(d); k++) {
                logs[d * width + k] = Math.log(counts[d][k] + SMOOTHING) - bias.of(k);
              }
            }
            fill(logs, values);
          }
        });
  }

  @Override
  public void set(double[] frequencies, ParameterValues values) {
    int width = space.maxCardinality();
    if (frequencies.length != width) {
      throw new IllegalArgumentException(
          "frequencies must be of " + width + " symbols, but are of " + frequencies.length);
    }
    double[] logs = new double[space.size() * width];
    for (int i = 0; i < logs.length; i++) {
      double frequency = frequencies[i % width];
      if (!(frequency > 0 && frequency < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("frequencies must be positive, but one is " + frequency);
      }
      logs[i] = Math.log(frequency) - bias.of(i % width);
    }
    fill(logs, values);
  }

  private void fill(double[] logs, ParameterValues values) {
    long[] shape = {space.size(), space.maxCardinality()};
    values.get(logits).copy_(Tensors.reals(logs, values.precision(), values.device(), shape));
  }

  @Override
  public void moveTowards(Tensor frequencies, double share, ParameterValues values) {
    EvaluationContext context = new EvaluationContext(values, Condition.NONE);
    Tensor moved =
        logProbs(context)
            .squeeze(0)
            .exp()
            .mul(new Scalar(1 - share))
            .add(frequencies, new Scalar(share));
    // A symbol that has not been seen for long stays possible.
    Tensor logs = moved.clamp_min(new Scalar(MIN_PROBABILITY)).log();
    values.get(logits).copy_(logs.sub(bias.on(Tensors.zeros(logs, logs.shape()), context)));
  }
}
