package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.core.Space;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Shard;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.BackwardTape;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * One step of training: the likelihood of a batch, its gradient, an update.
 *
 * <p>Every process of a group computes its shard of the batch, divided by the rows of all: the sum
 * is the gradient of the whole batch's mean, whatever the shards. The update is the same on all.
 */
final class TrainingStep implements AutoCloseable {
  /** Of the dropout; the same in every training, whose initial weights differ by seed. */
  private static final long DROPOUT_SEED = 0x6A09E667F3BCC908L;

  private final Engine engine;
  private final int layers;
  private final TrainingOptions options;
  private final ProcessGroup group;
  private final WorkingWeights weights;
  private final AdamW optimizer;
  private final GradientExchange exchange;
  private final Tensor lossSum; // of this process's shares
  private final Tensor gradientNorm;

  /**
   * Will train a model.
   *
   * @param weights borrowed
   * @param optimizer borrowed
   * @param owner of what this keeps between steps
   */
  TrainingStep(
      FlowModel model,
      TrainingOptions options,
      ProcessGroup group,
      WorkingWeights weights,
      AdamW optimizer,
      TensorOwner owner) {
    this.engine = EngineAccess.of(model);
    this.layers = model.architecture().layers().size();
    this.options = options;
    this.group = group;
    this.weights = weights;
    this.optimizer = optimizer;
    try (Scope scope = Scope.inference()) {
      lossSum = owner.keep(Tensors.zeros(weights.trained().values(), 1));
      gradientNorm = owner.keep(Tensors.zeros(weights.trained().values(), 1));
    }
    exchange = new GradientExchange(group, weights);
  }

  /**
   * A batch, scored.
   *
   * @param loss nats, as a share of the whole batch's mean: exact in value, and with the gradient
   *     of the objective
   * @param baseIds what the layers made of the rows, {@code [B, D]}
   */
  private record Scored(Tensor loss, Tensor baseIds) {}

  /**
   * Scores a batch and updates the weights by its gradient.
   *
   * @param batch of the whole process group
   * @param step how many were done before
   * @param share of the training that is done
   */
  void run(Batch batch, long step, double share) {
    Shard mine = Shard.of(batch.rows().length, group.rank(), group.size());
    try (BackwardTape tape = new BackwardTape(); // outlives the graph, which calls its rules
        Scope scope = Scope.training()) {
      Tensor baseIds = null;
      if (mine.size() > 0) {
        Scored scored = scored(batch, mine, step, share, tape);
        scored.loss.backward();
        tape.finish();
        lossSum.add_(scored.loss.detach());
        baseIds = scored.baseIds;
      }
      try (Scope update = Scope.inference()) {
        update(exchange.finish(), step, share);
        if (options.baseAveraging() > 0 && options.baseFactor(step, share) > 0) {
          averageBase(baseIds, batch.rows().length);
        }
      }
    }
  }

  private Scored scored(Batch batch, Shard mine, long step, double share, BackwardTape tape) {
    Batch part = batch.part(mine.from(), mine.to());
    Tensor ids = Tensors.ids(part.rows(), engine.layers().dataSpace().size(), device());
    Condition condition = condition(part);
    long dropoutSeed = Batches.random(DROPOUT_SEED, step).nextLong();
    var dropout = new Dropout(options.dropout(), dropoutSeed, mine.from());
    // What only the forward pass needed is freed before the backward pass begins.
    return Scope.handUp(
        () -> {
          StepEstimator estimator = estimator(ids, condition, share);
          EvaluationContext context =
              new EvaluationContext(weights.current(), condition, dropout, estimator, tape);
          Symbols base = engine.layers().inverse(estimator.data(ids), context);
          Tensor logProb = estimator.withGradient(engine.base().logProb(base, context));
          Scalar rows = new Scalar((double) batch.rows().length);
          return new Scored(logProb.sum().div(rows).neg(), base.ids());
        },
        one -> List.of(one.loss, one.baseIds));
  }

  private StepEstimator estimator(Tensor ids, Condition condition, double share) {
    return switch (options.objective()) {
      case STRAIGHT_THROUGH -> {
        boolean learns = weights.trained().layerElements() > 0;
        int width = learns ? engine.layers().dataSpace().maxCardinality() : 0;
        yield new StraightThrough(options.temperature().at(share), width);
      }
      case MIXTURE -> {
        EvaluationContext context = new EvaluationContext(weights.current(), condition);
        yield new Mixture(engine.base().logProbs(Symbols.of(ids), context).detach());
      }
      case LAYERWISE_CROSS_ENTROPY -> new LayerwiseCrossEntropy();
    };
  }

  private Condition condition(Batch part) {
    int size = engine.condition().size();
    return size == 0
        ? Condition.NONE
        : new Condition(Tensors.ids(part.condition(), size, device()));
  }

  private Device device() {
    return weights.trained().device();
  }

  private void update(Tensor gradients, long step, double share) {
    Tensor norm = gradients.norm();
    gradientNorm.copy_(norm);
    if (step == 0) {
      requireGradient();
    }
    Tensor clip = norm.add(new Scalar(1e-12)).reciprocal().mul(new Scalar(options.clipNorm()));
    gradients.mul_(clip.clamp_max(new Scalar(1.0)));
    optimizer.step(
        step,
        layerRates(step, share),
        options.baseAveraging() > 0
            ? 0
            : options.baseLearningRate() * options.baseFactor(step, share));
    gradients.zero_();
  }

  private void requireGradient() {
    if (Tensors.scalar(gradientNorm) == 0) {
      throw new TrainingException(
          "the gradient of the first step is zero: nothing would be learned."
              + " Start the base away from uniform (WarmStart.fitBase), or check that the layers' outputs matter");
    }
  }

  private double[] layerRates(long step, double share) {
    double[] rates = new double[layers];
    Arrays.setAll(
        rates,
        layer -> options.learningRate() * options.layerFactor(layer, rates.length, step, share));
    return rates;
  }

  /** By the symbols that the layers made of the whole batch; null where this shard has no rows. */
  private void averageBase(Tensor ids, int rows) {
    Weights trained = weights.trained();
    Space space = engine.layers().baseSpace();
    int symbols = space.maxCardinality();
    Tensor counts =
        ids == null
            ? Tensors.zeros(trained.values(), space.size(), symbols)
            : Tensors.oneHot(ids, symbols, Tensors.type(trained.precision())).sum(0);
    group.allReduce(counts).await();
    Tensor frequencies = counts.div(new Scalar((double) rows));
    engine
        .base()
        .marginals()
        .orElseThrow()
        .moveTowards(frequencies, options.baseAveraging(), trained);
  }

  /**
   * The mean nats of a row since the last call, over all processes.
   *
   * @param count steps since then
   */
  double takeLoss(long count) {
    try (Scope scope = Scope.inference()) {
      double loss = group.allReduce(Tensors.scalar(lossSum))[0] / count;
      lossSum.zero_();
      return loss;
    }
  }

  /** The gradient's length at the last step, before it was clipped. */
  double gradientNorm() {
    return Tensors.scalar(gradientNorm);
  }

  @Override
  public void close() {
    exchange.close();
  }
}
