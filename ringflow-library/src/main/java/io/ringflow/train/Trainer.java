package io.ringflow.train;

import io.ringflow.core.Objective;
import io.ringflow.core.TorchException;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.natives.Versions;
import io.ringflow.internal.store.Json;
import io.ringflow.internal.torch.Denormals;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Provenance;
import io.ringflow.train.TrainingListener.Evaluation;
import io.ringflow.train.TrainingListener.Progress;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;

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
 * <p>With validation rows, the model ends with the weights that scored best on them; without, with
 * the last ones or, where that is asked for, {@linkplain TrainingOptions#averageWeights their
 * average}. With a checkpoint folder, a run that was killed resumes from its last checkpoint and
 * ends in the same bits as one that was not, time budgets apart. An interrupt of the thread ends
 * training after the step at hand, with a checkpoint.
 *
 * <p>Use from one thread; one trainer a model.
 */
public final class Trainer {
  private final FlowModel model;
  private final Engine engine;
  private final TrainingOptions options;
  private final List<TrainingListener> listeners = new ArrayList<>();
  private Validation validation = Validation.NONE;
  private CheckpointFolder checkpoints;
  private ProcessGroup group = ProcessGroup.single();
  private BooleanSupplier enough = () -> false;

  /** Will train a model. */
  public Trainer(FlowModel model, TrainingOptions options) {
    this.model = model;
    this.engine = EngineAccess.of(model);
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
    validation = new Validation(rows, validation.loss());
    return this;
  }

  /**
   * Looks at these rows now and then, and keeps the weights of the lowest loss.
   *
   * @param loss in nats, of all rows' log-probabilities
   */
  public Trainer validation(int[][] rows, ToDoubleFunction<double[]> loss) {
    validation = new Validation(Batch.of(rows), loss);
    return this;
  }

  /** The loss of rows that all count the same: minus their mean log-probability. */
  public static double meanLoss(double[] logProbs) {
    return -Arrays.stream(logProbs).average().orElseThrow();
  }

  /** Writes checkpoints to a folder, and resumes from the one that is there. */
  public Trainer checkpoints(Path folder) {
    checkpoints = new CheckpointFolder(folder, model, options);
    return this;
  }

  /** Whether a folder holds a checkpoint that a training could resume from. */
  public static boolean hasCheckpoint(Path folder) {
    return CheckpointFolder.isThere(folder);
  }

  /**
   * Deletes the checkpoint in a folder, and the folder with it; does nothing where there is none.
   *
   * @throws IOException if something else is in its place, or the disk refuses
   */
  public static void deleteCheckpoint(Path folder) throws IOException {
    CheckpointFolder.delete(folder);
  }

  /**
   * Trains together with other processes, each of which makes the same trainer and trains on the
   * same batches: they share the rows of every batch, and all end with the same weights, as one
   * process alone would but for rounding. Checkpoints are read and written, and listeners hear, on
   * rank 0 alone; a training may resume with another number of processes.
   *
   * @param group borrowed
   */
  public Trainer group(ProcessGroup group) {
    this.group = group;
    return this;
  }

  /**
   * Stops early where a condition holds, which is looked at after each step. In a process group it
   * must hold on every process at the same step.
   */
  public Trainer until(BooleanSupplier condition) {
    enough = condition;
    return this;
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
   * @throws io.ringflow.distributed.ProcessGroupException if another process of the group is gone
   */
  public TrainingReport train(Batches batches) throws IOException {
    engine.check(validation.rows().rows(), validation.rows().condition());
    Requirements.check(model, options);
    try (TensorOwner owner = new TensorOwner();
        WorkingWeights weights = new WorkingWeights(engine.weights(), options.precision());
        Denormals zero = Denormals.flushed()) {
      WeightUpdate optimizer = new WeightUpdate(engine.weights(), options, owner);
      try (var step = new TrainingStep(model, options, group, weights, optimizer, owner)) {
        return new Run(batches, optimizer, step, owner).train();
      }
    } catch (RuntimeException e) {
      group.abort();
      throw TorchException.translate(e);
    } catch (IOException | Error e) {
      group.abort();
      throw e;
    }
  }

  /** The state of one training. */
  private final class Run {
    private final Batches batches;
    private final String data;
    private final WeightUpdate optimizer;
    private final TrainingStep steps;
    private final BestWeights best;
    private final AverageWeights average;
    private final TensorOwner owner;
    private final CheckpointFolder files; // null where none are kept, or not by this process
    private final List<TrainingListener> heard;
    private StepSynchronization agreed;
    private final long started = System.nanoTime();
    private double secondsBefore;
    private long step;
    private long reportedStep;
    private double reportedSeconds;
    private long rowsSinceReport;
    private double lastLoss = Double.NaN;

    Run(Batches batches, WeightUpdate optimizer, TrainingStep steps, TensorOwner owner) {
      this.batches = batches;
      this.data = batches.description();
      this.optimizer = optimizer;
      this.steps = steps;
      this.best = new BestWeights(engine.weights(), owner);
      this.average = new AverageWeights(engine.weights(), options.averageWeights(), owner);
      this.owner = owner;
      this.files = group.isRankZero() ? checkpoints : null;
      this.heard = group.isRankZero() ? listeners : List.of();
    }

    TrainingReport train() throws IOException {
      ConsistencyCheck.requireOfStart(group, model, options, data, validation.rows());
      resume();
      heard.forEach(listener -> listener.started(step, options.steps()));
      StopReason reason = stopReason();
      while (reason == null) {
        agreed.tell(seconds(), Thread.currentThread().isInterrupted());
        Batch batch = nextBatch();
        rowsSinceReport += batch.rows().length;
        steps.run(batch, step, share());
        average.update(step);
        step++;
        agreed.settle();
        if (step % options.logEvery() == 0) {
          report();
        }
        if (validation.hasRows() && step % options.evaluateEvery() == 0) {
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
      Optional<CheckpointFolder.Position> found =
          files == null ? Optional.empty() : files.restore(optimizer, best, average, batches);
      Optional<CheckpointFolder.Position> position =
          new StateBroadcast(group, engine.weights(), optimizer, best, average, batches).of(found);
      position.ifPresent(
          last -> {
            step = last.step();
            secondsBefore = last.seconds();
            lastLoss = last.loss();
          });
      agreed = new StepSynchronization(group, secondsBefore, owner);
      reportedStep = step;
      reportedSeconds = seconds();
    }

    /** The last checkpoint comes after the last evaluation, so that a resumed run knows of it. */
    private TrainingReport finish(StopReason reason) throws IOException {
      if (step > reportedStep) {
        report();
      }
      boolean interrupted = reason == StopReason.INTERRUPTED;
      if (validation.hasRows() && !interrupted && best.evaluatedAt() < step) {
        evaluate();
      }
      save();
      if (!interrupted) {
        average.restore();
        best.restore(); // in place of the average, where validation rows chose
      }
      OptionalDouble bestLoss =
          best.found() ? OptionalDouble.of(best.loss()) : OptionalDouble.empty();
      TrainingReport report = new TrainingReport(step, seconds(), lastLoss, bestLoss, reason);
      EngineAccess.setProvenance(model, provenance(report));
      heard.forEach(listener -> listener.finished(report));
      return report;
    }

    private Provenance provenance(TrainingReport report) {
      return new Provenance(
          Versions.ringflow(),
          Versions.libtorch(),
          Runtime.version().toString(),
          model.device().toString(),
          Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
          data,
          report.steps(),
          report.seconds(),
          report.loss(),
          report.bestValidation().isPresent() ? report.bestValidation().getAsDouble() : null,
          report.reason().name(),
          Json.plain(options),
          null);
    }

    private double seconds() {
      return secondsBefore + (System.nanoTime() - started) * 1e-9;
    }

    /** The time that decides something: in a process group, the one they agreed upon. */
    private double clock() {
      return group.size() == 1 ? seconds() : agreed.seconds();
    }

    private boolean interrupted() {
      return group.size() == 1 ? Thread.currentThread().isInterrupted() : agreed.interrupted();
    }

    /** How much of the training is done, by steps or by time, whichever is further; 0 to 1. */
    private double share() {
      double bySteps = (double) step / options.steps();
      return Math.min(1, Math.max(bySteps, clock() / options.timeBudgetSeconds()));
    }

    private StopReason stopReason() {
      if (step >= options.steps()) {
        return StopReason.COMPLETED;
      }
      boolean patient = options.patience() == 0 || best.evaluationsSince() < options.patience();
      if (!patient || enough.getAsBoolean()) {
        return StopReason.EARLY_STOPPED;
      }
      if (clock() >= options.timeBudgetSeconds()) {
        return StopReason.TIME_BUDGET;
      }
      return interrupted() ? StopReason.INTERRUPTED : null;
    }

    private Batch nextBatch() {
      Batch batch = batches.batch(step, share());
      if (batch.rows().length == 0) {
        throw new IllegalArgumentException("the batch of step " + step + " has no rows");
      }
      if (options.objective() == Objective.PATHWISE) {
        engine.layers().baseSpace().check("base row", batch.rows());
      } else {
        engine.check(batch.rows(), batch.condition());
      }
      return batch;
    }

    private void report() {
      double now = seconds();
      long count = step - reportedStep;
      lastLoss = steps.takeLoss(count);
      double norm = steps.gradientNorm();
      ConsistencyCheck.requireOfWeights(group, engine.weights().values(), step);
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
      heard.forEach(listener -> listener.progressed(progress));
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

    private void evaluate() {
      evaluate(false);
      if (average.found()) {
        average.lend(() -> evaluate(true));
      }
    }

    private void evaluate(boolean averaged) {
      double loss = validation.lossOf(model, group);
      boolean better = best.offer(step, loss);
      heard.forEach(listener -> listener.evaluated(new Evaluation(step, loss, better, averaged)));
    }

    private void save() throws IOException {
      if (checkpoints == null) {
        return;
      }
      if (step > reportedStep) {
        report(); // a checkpoint never holds weights whose loss nobody has looked at
      }
      if (files == null) {
        return; // rank 0 writes it
      }
      files.save(
          optimizer,
          best,
          average,
          new CheckpointFolder.Position(
              step, seconds(), lastLoss, best.loss(), best.evaluatedAt(), best.evaluationsSince()),
          batches);
    }
  }
}
