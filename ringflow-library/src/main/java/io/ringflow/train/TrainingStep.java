package io.ringflow.train;

import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Shard;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.model.FlowModel;
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
 * <p>Every process of a team computes its share of the batch, divided by the rows of all: what is
 * added up is the gradient of the whole batch's mean, whatever the shares. The update is the same
 * on all.
 */
final class TrainingStep implements AutoCloseable {
  /** Of what is left out; the same in every training, whose start values differ by seed. */
  private static final long DROPOUT_SEED = 0x6A09E667F3BCC908L;

  private final FlowModel model;
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
    this.model = model;
    this.options = options;
    this.group = group;
    this.weights = weights;
    this.optimizer = optimizer;
    try (Scope scope = Scope.inference()) {
      lossSum = owner.keep(Tensors.zeros(model.weights().values(), 1));
      gradientNorm = owner.keep(Tensors.zeros(model.weights().values(), 1));
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
   * Does it.
   *
   * @param batch the whole team's
   * @param step how many were done before
   * @param share of the training that is done
   */
  void on(Batch batch, long step, double share) {
    Shard mine = Shard.of(batch.rows().length, group.rank(), group.size());
    try (Scope scope = Scope.training()) {
      Tensor baseIds = null;
      if (mine.size() > 0) {
        Scored scored = scored(batch, mine, step, share);
        scored.loss.backward();
        lossSum.add_(scored.loss.detach());
        baseIds = scored.baseIds;
      }
      try (Scope update = Scope.inference()) {
        update(exchange.finish(), step, share);
        if (options.baseAveraging() > 0 && options.baseFactor(step, share) > 0) {
          followBase(baseIds, batch.rows().length);
        }
      }
    }
  }

  private Scored scored(Batch batch, Shard mine, long step, double share) {
    Batch part = batch.part(mine.from(), mine.to());
    int size = model.architecture().space().size();
    Tensor ids = Tensors.ids(part.rows(), size, model.device());
    long dropoutSeed = Batches.random(DROPOUT_SEED, step).nextLong();
    EvaluationContext context =
        new EvaluationContext(
            weights.current(),
            condition(part),
            options.temperature().at(share),
            new Dropout(options.dropout(), dropoutSeed, mine.from()));
    // What only the way forward needed is gone before the way back begins.
    return Scope.handUp(
        () -> score(ids, context, batch.rows().length), one -> List.of(one.loss, one.baseIds));
  }

  private Condition condition(Batch part) {
    int size = model.architecture().condition().size();
    return size == 0
        ? Condition.NONE
        : new Condition(Tensors.ids(part.condition(), size, model.device()));
  }

  private Scored score(Tensor ids, EvaluationContext context, int rows) {
    Symbols data =
        switch (options.objective()) {
          case STRAIGHT_THROUGH -> withOneHotIfNeeded(ids);
          case MIXTURE ->
              Symbols.withEvidence(ids, model.base().logProbs(Symbols.of(ids), context).detach());
          case LAYERWISE_CROSS_ENTROPY -> Symbols.withEvidence(ids, null);
        };
    Symbols base = model.layers().inverse(data, context);
    Tensor logProb = model.base().logProb(base, context);
    if (base.evidence() != null && base.evidence().logLikelihood() != null) {
      logProb = logProb.add(Tensors.gradientOnly(base.evidence().logLikelihood()));
    }
    return new Scored(logProb.sum().div(new Scalar((double) rows)).neg(), base.ids());
  }

  /** A base alone learns from ids, and its alphabet may be too large for a shadow. */
  private Symbols withOneHotIfNeeded(Tensor ids) {
    return model.weights().layerElements() > 0
        ? Symbols.withOneHot(ids, model.architecture().space().maxCardinality())
        : Symbols.of(ids);
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
              + " Start the base away from uniform (refitBase), or check that the layers' outputs matter");
    }
  }

  private double[] layerRates(long step, double share) {
    double[] rates = new double[model.architecture().layers().size()];
    Arrays.setAll(
        rates,
        layer -> options.learningRate() * options.layerFactor(layer, rates.length, step, share));
    return rates;
  }

  /** By the symbols that the layers made of the whole batch; null where this share has no rows. */
  private void followBase(Tensor ids, int rows) {
    Weights trained = weights.trained();
    int size = model.layers().baseSpace().size();
    int symbols = model.layers().baseSpace().maxCardinality();
    Tensor counts =
        ids == null
            ? Tensors.zeros(trained.values(), size, symbols)
            : Tensors.oneHot(ids, symbols, trained.precision().type()).sum(0);
    group.allReduce(counts).await();
    model.followBase(counts.div(new Scalar((double) rows)), options.baseAveraging());
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
