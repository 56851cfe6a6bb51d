package io.ringflow.train;

import io.ringflow.Context;
import io.ringflow.Dropout;
import io.ringflow.FlowModel;
import io.ringflow.Pass;
import io.ringflow.Symbols;
import io.ringflow.torch.AttentionKernels;
import io.ringflow.torch.Denormals;
import io.ringflow.torch.Precision;
import io.ringflow.torch.Scope;
import io.ringflow.torch.TensorOwner;
import io.ringflow.torch.Tensors;
import io.ringflow.torch.TorchException;
import io.ringflow.train.TrainingListener.Evaluation;
import io.ringflow.train.TrainingListener.Progress;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Trains a model by maximum likelihood.
 *
 * <pre>{@code
 * TrainingReport report =
 *     new Trainer(model, options)
 *         .validation(heldOut)
 *         .checkpoints(folder)
 *         .listener(progressBar)
 *         .train(Batches.shuffled(rows, 128, seed));
 * }</pre>
 *
 * <p>With validation rows, the model ends with the weights that scored best on them. With a
 * checkpoint folder, a run that was killed goes on from its last checkpoint and ends in the same
 * bits as one that was not, time budgets apart. An interrupt of the thread ends training after the
 * step at hand, with a checkpoint.
 *
 * <p>Use from one thread; one trainer a model.
 */
public final class Trainer {
  /** Of what is left out; the same in every training, whose start values differ by seed. */
  private static final long DROPOUT_SEED = 0x6A09E667F3BCC908L;

  private final FlowModel model;
  private final TrainingOptions options;
  private final List<TrainingListener> listeners = new ArrayList<>();
  private Batch validation = Batch.of(new int[0][]);
  private CheckpointFolder checkpoints;

  /** Will train a model. */
  public Trainer(FlowModel model, TrainingOptions options) {
    this.model = model;
    this.options = options;
  }

  /** Looks at these rows now and then, and keeps the weights that score best on them. */
  public Trainer validation(int[][] rows) {
    return validation(Batch.of(rows));
  }

  /**
   * Looks at these conditional rows now and then, and keeps the weights that score best on them.
   */
  public Trainer validation(Batch rows) {
    validation = rows;
    return this;
  }

  /** Writes checkpoints to a folder, and goes on from the one that is there. */
  public Trainer checkpoints(Path folder) {
    checkpoints = new CheckpointFolder(folder, model, options);
    return this;
  }

  /**
   * Deletes the checkpoint in a folder, and the folder with it; does nothing where there is none.
   *
   * @throws IOException if something else is in its place, or the disk refuses
   */
  public static void deleteCheckpoint(Path folder) throws IOException {
    CheckpointFolder.delete(folder);
  }

  /** Tells a listener what happens. */
  public Trainer listener(TrainingListener listener) {
    listeners.add(listener);
    return this;
  }

  /**
   * Trains to the end, or until something stops it.
   *
   * @throws TrainingException if the loss is no longer a number, or the first gradient is zero
   * @throws IllegalArgumentException if a row is not of the model's space
   * @throws IOException if a checkpoint can't be read or written, or something else is in its place
   */
  public TrainingReport train(Batches batches) throws IOException {
    model.check(validation.rows(), validation.given());
    Requirements.check(model, options);
    if (options.precision() == Precision.BFLOAT16) {
      AttentionKernels.preferCudnn();
    }
    try (TensorOwner owner = new TensorOwner();
        WorkingWeights weights = new WorkingWeights(model.weights(), options.precision());
        Denormals zero = Denormals.flushed()) {
      return new Run(batches, weights, owner).train();
    } catch (RuntimeException e) {
      throw TorchException.translate(e);
    }
  }

  /**
   * A batch, scored.
   *
   * @param loss mean nats of a row: exact in value, and with the gradient of the objective
   * @param baseIds what the layers made of the batch, {@code [B, D]}
   */
  private record Scored(Tensor loss, Tensor baseIds) {}

  /** The state of one training. */
  private final class Run {
    private final Batches batches;
    private final String data;
    private final WorkingWeights weights;
    private final AdamW optimizer;
    private final BestWeights best;
    private final Tensor lossSum;
    private final Tensor gradientNorm;
    private final long started = System.nanoTime();
    private double secondsBefore;
    private long step;
    private long reportedStep;
    private double reportedSeconds;
    private long rowsSinceReport;
    private double lastLoss = Double.NaN;

    Run(Batches batches, WorkingWeights weights, TensorOwner owner) {
      this.batches = batches;
      this.data = batches.description();
      this.weights = weights;
      optimizer = new AdamW(model.weights(), options.weightDecay(), owner);
      best = new BestWeights(model.weights(), owner);
      try (Scope scope = Scope.inference()) {
        lossSum = owner.keep(Tensors.zeros(model.weights().values(), 1));
        gradientNorm = owner.keep(Tensors.zeros(model.weights().values(), 1));
      }
    }

    TrainingReport train() throws IOException {
      resume();
      listeners.forEach(listener -> listener.started(step, options.steps()));
      StopReason reason = stopReason();
      while (reason == null) {
        trainOn(nextBatch());
        step++;
        if (step % options.logEvery() == 0) {
          report();
        }
        if (hasValidation() && step % options.evaluateEvery() == 0) {
          evaluate();
        }
        reason = stopReason();
        if (reason == null && step % options.checkpointEvery() == 0) {
          save();
        }
      }
      return finish(reason);
    }

    private void resume() throws IOException {
      if (checkpoints != null) {
        checkpoints
            .restore(optimizer, best, data)
            .ifPresent(
                position -> {
                  step = position.step();
                  secondsBefore = position.seconds();
                  lastLoss = position.loss();
                });
      }
      reportedStep = step;
      reportedSeconds = seconds();
    }

    /** The last checkpoint comes after the last evaluation, so that a resumed run knows of it. */
    private TrainingReport finish(StopReason reason) throws IOException {
      if (step > reportedStep) {
        report();
      }
      boolean interrupted = reason == StopReason.INTERRUPTED;
      if (hasValidation() && !interrupted && best.evaluatedAt() < step) {
        evaluate();
      }
      save();
      if (!interrupted) {
        best.restore();
      }
      OptionalDouble bestLoss =
          best.found() ? OptionalDouble.of(best.loss()) : OptionalDouble.empty();
      TrainingReport report = new TrainingReport(step, seconds(), lastLoss, bestLoss, reason);
      model.provenance(Provenance.of(report, options, data, model.device()));
      listeners.forEach(listener -> listener.finished(report));
      return report;
    }

    private double seconds() {
      return secondsBefore + (System.nanoTime() - started) * 1e-9;
    }

    /** How much of the training is done, by steps or by time, whichever is further; 0 to 1. */
    private double share() {
      double bySteps = (double) step / options.steps();
      return Math.min(1, Math.max(bySteps, seconds() / options.timeBudgetSeconds()));
    }

    private StopReason stopReason() {
      if (step >= options.steps()) {
        return StopReason.COMPLETED;
      }
      if (options.patience() > 0 && best.evaluationsSince() >= options.patience()) {
        return StopReason.EARLY_STOPPED;
      }
      if (seconds() >= options.timeBudgetSeconds()) {
        return StopReason.TIME_BUDGET;
      }
      return Thread.currentThread().isInterrupted() ? StopReason.INTERRUPTED : null;
    }

    private Batch nextBatch() {
      Batch batch = batches.batch(step);
      if (batch.rows().length == 0) {
        throw new IllegalArgumentException("the batch of step " + step + " has no rows");
      }
      model.check(batch.rows(), batch.given());
      return batch;
    }

    private void trainOn(Batch batch) {
      rowsSinceReport += batch.rows().length;
      double share = share();
      try (Scope scope = Scope.training()) {
        int size = model.architecture().space().size();
        Tensor ids = Tensors.ids(batch.rows(), size, model.device());
        Pass pass =
            new Pass(
                weights.current(),
                context(batch),
                options.temperature().at(share),
                new Dropout(options.dropout(), Batches.random(DROPOUT_SEED, step).nextLong()));
        double baseFactor = options.baseFactor(step, share);
        // What only the way forward needed is gone before the way back begins.
        Scored scored =
            Scope.handUp(() -> score(ids, pass), one -> List.of(one.loss(), one.baseIds()));
        Tensor loss = scored.loss();
        loss.backward();
        try (Scope update = Scope.inference()) {
          Tensor gradients = weights.gradients();
          lossSum.add_(loss.detach());
          Tensor norm = gradients.norm();
          gradientNorm.copy_(norm);
          if (step == 0) {
            requireGradient();
          }
          Tensor clip =
              norm.add(new Scalar(1e-12)).reciprocal().mul(new Scalar(options.clipNorm()));
          gradients.mul_(clip.clamp_max(new Scalar(1.0)));
          optimizer.step(
              step,
              layerRates(share),
              options.baseFollows() > 0 ? 0 : options.baseLearningRate() * baseFactor);
          gradients.zero_();
          if (options.baseFollows() > 0 && baseFactor > 0) {
            model.followBase(scored.baseIds(), options.baseFollows());
          }
        }
      }
    }

    private Scored score(Tensor ids, Pass pass) {
      Symbols data =
          switch (options.objective()) {
            case STRAIGHT_THROUGH -> withShadowIfNeeded(ids);
            case MIXTURE ->
                Symbols.withEvidence(ids, model.base().logProbs(Symbols.of(ids), pass).detach());
            case ALIGNED -> Symbols.withEvidence(ids, null);
          };
      Symbols base = model.layers().inverse(data, pass);
      Tensor logProb = model.base().logProb(base, pass);
      if (base.evidence() != null && base.evidence().logLikelihood() != null) {
        logProb = logProb.add(Tensors.gradientOnly(base.evidence().logLikelihood()));
      }
      return new Scored(logProb.mean().neg(), base.ids());
    }

    /** A base alone learns from ids, and its alphabet may be too large for a shadow. */
    private Symbols withShadowIfNeeded(Tensor ids) {
      return model.weights().layerElements() > 0
          ? Symbols.withShadow(ids, model.architecture().space().maxCardinality())
          : Symbols.of(ids);
    }

    private double[] layerRates(double share) {
      double[] rates = new double[model.architecture().layers().size()];
      Arrays.setAll(
          rates,
          layer -> options.learningRate() * options.layerFactor(layer, rates.length, step, share));
      return rates;
    }

    private Context context(Batch batch) {
      int size = model.architecture().given().size();
      return size == 0
          ? Context.NONE
          : new Context(Tensors.ids(batch.given(), size, model.device()));
    }

    private void requireGradient() {
      double norm = Tensors.scalar(gradientNorm);
      if (norm == 0) {
        throw new TrainingException(
            "the gradient of the first step is zero: nothing would be learned."
                + " Start the base away from uniform (refitBase), or check that the layers' outputs matter");
      }
    }

    private void report() {
      double now = seconds();
      long count = step - reportedStep;
      double norm;
      try (Scope scope = Scope.inference()) {
        lastLoss = Tensors.scalar(lossSum) / count;
        norm = Tensors.scalar(gradientNorm);
        lossSum.zero_();
      }
      // An infinite gradient spoils the weights one step before the loss shows it.
      requireFinite("loss", lastLoss);
      requireFinite("gradient's norm", norm);
      double share = share();
      Progress progress =
          new Progress(
              step,
              options.steps(),
              lastLoss,
              options.learningRate() * options.layerFactor(step, share),
              options.temperature().at(share),
              norm,
              rowsSinceReport / Math.max(1e-9, now - reportedSeconds),
              now);
      reportedStep = step;
      reportedSeconds = now;
      rowsSinceReport = 0;
      listeners.forEach(listener -> listener.progressed(progress));
    }

    private void requireFinite(String what, double value) {
      if (!Double.isFinite(value)) {
        throw new TrainingException(
            String.format(
                "the %s is %s after step %d: try a lower learning rate or a smaller clipNorm%s",
                what,
                value,
                step,
                checkpoints == null ? "" : "; the last checkpoint still stands"));
      }
    }

    private boolean hasValidation() {
      return validation.rows().length > 0;
    }

    private void evaluate() {
      double[] scores = model.logProb(validation.rows(), validation.given(), Precision.FLOAT32);
      double loss = -Arrays.stream(scores).average().orElseThrow();
      boolean better = best.offer(step, loss);
      listeners.forEach(listener -> listener.evaluated(new Evaluation(step, loss, better)));
    }

    private void save() throws IOException {
      if (checkpoints == null) {
        return;
      }
      if (step > reportedStep) {
        report(); // a checkpoint never holds weights whose loss nobody has looked at
      }
      checkpoints.save(
          optimizer,
          best,
          new CheckpointFolder.Position(
              step, seconds(), lastLoss, best.loss(), best.evaluatedAt(), best.evaluationsSince()),
          data);
    }
  }
}
