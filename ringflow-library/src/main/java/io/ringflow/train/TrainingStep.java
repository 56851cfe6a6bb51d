package io.ringflow.train;

import io.ringflow.core.Device;
import io.ringflow.core.Objective;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Shard;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.graph.Computation;
import io.ringflow.internal.graph.Replays;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.BackwardTape;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Dropout;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
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
  private final WeightUpdate optimizer;
  private final GradientExchange exchange;
  private final boolean repeats;
  private final Replays replays;
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
      WeightUpdate optimizer,
      TensorOwner owner) {
    this(
        model,
        options,
        group,
        weights,
        optimizer,
        owner,
        model.device() == Device.CUDA && group.size() == 1);
  }

  /**
   * Will train a model.
   *
   * @param repeats whether steps read all that changes between them on the device, so that one can
   *     be captured and repeated
   */
  TrainingStep(
      FlowModel model,
      TrainingOptions options,
      ProcessGroup group,
      WorkingWeights weights,
      WeightUpdate optimizer,
      TensorOwner owner,
      boolean repeats) {
    this.repeats = repeats;
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
    replays = new Replays(device());
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
   * What decides which operators a step consists of: equal ones differ in the contents of tensors
   * alone.
   *
   * @param temperature NaN where it changes from step to step and is read on the device
   */
  private record Shape(
      int rows,
      StepInputs.Present present,
      List<WeightUpdate.Part> updated,
      double temperature,
      boolean averagesBase) {}

  /**
   * Scores a batch and updates the weights by its gradient.
   *
   * @param batch of the whole process group
   * @param step how many were done before
   * @param share of the training that is done
   */
  void run(Batch batch, long step, double share) {
    WeightUpdate.Plan plan = plan(step, share);
    boolean averages = options.baseAveraging() > 0 && options.baseFactor(step, share) > 0;
    if (repeats && step > 0) { // the first is looked at
      repeat(batch, step, share, plan, averages);
      optimizer.countWrite();
      return;
    }
    Shard mine = Shard.of(batch.rows().length, group.rank(), group.size());
    try (BackwardTape tape = new BackwardTape(); // outlives the graph, which calls its rules
        Scope scope = Scope.training()) {
      Tensor baseIds = null;
      if (mine.size() > 0) {
        Batch part = batch.part(mine.from(), mine.to());
        StepInputs.Present present = present(part);
        List<Tensor> rows = new ArrayList<>();
        for (Tensor input : rows(part, present)) {
          rows.add(Tensors.onto(input, device()));
        }
        var units = new Dropout(options.dropout(), dropoutSeed(step), mine.from());
        Dropout dropout = units.hiding(options.hiddenSymbols());
        UnaryOperator<Tensor> tempered = Temperature.tempered(options.temperature().at(share));
        StepInputs inputs = StepInputs.of(rows, null, null, present);
        baseIds = backward(inputs, dropout, batch.rows().length, tempered, tape);
      }
      update(
          () -> {
            if (step == 0 && !batch.isSatisfied()) {
              requireGradient();
            }
            optimizer.step(step, plan);
          });
      if (averages) {
        averageBase(baseIds, batch.rows().length);
      }
    }
  }

  /** A step on a GPU, of which most are repetitions of another. */
  private void repeat(
      Batch batch, long step, double share, WeightUpdate.Plan plan, boolean averages) {
    int rows = batch.rows().length;
    double temperature = options.temperature().at(share);
    boolean constant = options.temperature().isConstant();
    double[] numbers = new double[2 + plan.rates().length];
    numbers[0] = step + 1;
    numbers[1] = temperature;
    System.arraycopy(plan.rates(), 0, numbers, 2, plan.rates().length);
    Shape shape =
        new Shape(
            rows, present(batch), plan.parts(), constant ? temperature : Double.NaN, averages);
    try (Scope scope = Scope.inference()) {
      List<Tensor> inputs = new ArrayList<>();
      inputs.add(Tensors.reals(numbers, Precision.FLOAT32, Device.CPU, numbers.length));
      inputs.add(Tensors.longs(new long[] {dropoutSeed(step)}, Device.CPU, 1));
      inputs.addAll(rows(batch, shape.present));
      replays.run(
          shape,
          inputs,
          (here, stops) ->
              queue(
                  StepInputs.of(
                      here.subList(2, here.size()), here.get(0), here.get(1), shape.present),
                  shape),
          Computation.Host.IDLE,
          nothing -> null);
    }
  }

  private List<Tensor> queue(StepInputs inputs, Shape shape) {
    UnaryOperator<Tensor> tempered =
        Double.isNaN(shape.temperature)
            ? logits -> logits.div(inputs.temperature())
            : Temperature.tempered(shape.temperature);
    try (BackwardTape tape = new BackwardTape();
        Scope scope = Scope.training()) {
      var units = new Dropout(options.dropout(), inputs.dropoutSeed(), 0);
      Dropout dropout = units.hiding(options.hiddenSymbols());
      Tensor baseIds = backward(inputs, dropout, shape.rows, tempered, tape);
      update(() -> optimizer.step(inputs.count(), shape.updated, inputs.rates()));
      if (shape.averagesBase) {
        averageBase(baseIds, shape.rows);
      }
    }
    return List.of();
  }

  private StepInputs.Present present(Batch batch) {
    boolean pathwise = options.objective() == Objective.PATHWISE;
    return new StepInputs.Present(batch.isWeighted(), pathwise, engine.condition().size() > 0);
  }

  private List<Tensor> rows(Batch batch, StepInputs.Present present) {
    return StepInputs.rows(batch, present, engine.layers().dataSpace(), engine.condition());
  }

  private static long dropoutSeed(long step) {
    return Batches.random(DROPOUT_SEED, step).nextLong();
  }

  /**
   * Adds the gradient of some rows.
   *
   * @param allRows of the whole batch
   * @return what the layers made of the rows, {@code [B, D]}
   */
  private Tensor backward(
      StepInputs inputs,
      Dropout dropout,
      int allRows,
      UnaryOperator<Tensor> tempered,
      BackwardTape tape) {
    // What only the forward pass needed is freed before the backward pass begins.
    Scored scored =
        Scope.handUp(
            () -> scored(inputs, dropout, allRows, tempered, tape),
            one -> List.of(one.loss, one.baseIds));
    scored.loss.backward();
    tape.finish();
    lossSum.add_(scored.loss.detach());
    return scored.baseIds;
  }

  private Scored scored(
      StepInputs inputs,
      Dropout dropout,
      int allRows,
      UnaryOperator<Tensor> tempered,
      BackwardTape tape) {
    StepEstimator estimator = estimator(inputs.ids(), inputs.given(), tempered);
    EvaluationContext context =
        new EvaluationContext(weights.current(), inputs.given(), dropout, estimator, tape);
    Symbols rows = estimator.data(inputs.ids());
    boolean pathwise = inputs.targetGradient() != null;
    Symbols base = pathwise ? Symbols.of(inputs.ids()) : engine.layers().inverse(rows, context);
    Tensor logProb = estimator.withGradient(engine.base().logProb(base, context));
    Tensor objective = inputs.weights() == null ? logProb : logProb.mul(inputs.weights());
    if (pathwise) {
      Symbols data = engine.layers().forward(rows, context);
      objective = objective.add(data.oneHot().mul(inputs.targetGradient()).sum(new long[] {1, 2}));
    }
    return new Scored(objective.sum().div(new Scalar((double) allRows)).neg(), base.ids());
  }

  private StepEstimator estimator(Tensor ids, Condition condition, UnaryOperator<Tensor> tempered) {
    return switch (options.objective()) {
      case PATHWISE -> new StraightThrough(tempered, engine.layers().baseSpace().maxCardinality());
      case STRAIGHT_THROUGH -> {
        boolean learns = weights.trained().layerElements() > 0;
        int width = learns ? engine.layers().dataSpace().maxCardinality() : 0;
        yield new StraightThrough(tempered, width);
      }
      case MIXTURE -> {
        EvaluationContext context = new EvaluationContext(weights.current(), condition);
        yield new Mixture(engine.base().logProbs(Symbols.of(ids), context).detach());
      }
      case LAYERWISE_CROSS_ENTROPY -> new LayerwiseCrossEntropy();
    };
  }

  private Device device() {
    return weights.trained().device();
  }

  /** Takes the gradients of all processes, makes them shorter where they are too long. */
  private void update(Runnable byOptimizer) {
    try (Scope scope = Scope.inference()) {
      Tensor gradients = exchange.finish();
      Tensor norm = gradients.norm();
      gradientNorm.copy_(norm);
      Tensor clip = norm.add(new Scalar(1e-12)).reciprocal().mul(new Scalar(options.clipNorm()));
      gradients.mul_(clip.clamp_max(new Scalar(1.0)));
      byOptimizer.run();
      gradients.zero_();
    }
  }

  private WeightUpdate.Plan plan(long step, double share) {
    double baseRate =
        options.baseAveraging() > 0
            ? 0
            : options.baseLearningRate() * options.baseFactor(step, share);
    return optimizer.plan(layerRates(step, share), baseRate);
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
    try (Scope scope = Scope.inference()) {
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
    replays.close();
    exchange.close();
  }
}
