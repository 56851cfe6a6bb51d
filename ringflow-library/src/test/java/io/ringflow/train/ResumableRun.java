package io.ringflow.train;

import io.ringflow.model.FlowModel;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import java.io.IOException;
import java.nio.file.Path;

/** A training that can be killed and gone on with, in this process or in one of its own. */
final class ResumableRun {
  /** How long the process takes over a batch, so that a kill may hit any of them. */
  private static final int DAWDLE_MILLIS = 2;

  private final Path folder;
  private final boolean validated;
  private final boolean averaged;

  /** A run that keeps everything in a folder. */
  ResumableRun(Path folder, boolean validated, boolean averaged) {
    this.folder = folder;
    this.validated = validated;
    this.averaged = averaged;
  }

  /** Runs to the end, and says before each batch which it is. */
  public static void main(String[] args) throws IOException {
    new ResumableRun(Path.of(args[0]), Boolean.parseBoolean(args[1]), Boolean.parseBoolean(args[2]))
        .train(
            step -> {
              System.out.println(step);
              System.out.flush();
              Thread.sleep(DAWDLE_MILLIS);
            });
  }

  /** Is told of every batch. */
  @FunctionalInterface
  interface Watcher {
    void batch(long step) throws InterruptedException;
  }

  Path checkpoint() {
    return folder.resolve("checkpoint");
  }

  Path metrics() {
    return folder.resolve("metrics.jsonl");
  }

  /** Trains from the last checkpoint to the end; returns the weights the model ends with. */
  double[] train(Watcher watcher) throws IOException {
    // Few rows and a high rate: with validation, training overfits and stops early.
    TrainingOptions options =
        TrainingOptions.builder(200)
            .learningRate(0.05)
            .temperature(Temperature.annealed(2, 0.2))
            .logEvery(7)
            .evaluateEvery(9)
            .checkpointEvery(20)
            .patience(validated ? 12 : 0)
            .averageWeights(averaged ? 0.9 : 0)
            .build();
    Batches shuffled = Batches.shuffled(Toys.rows(Toys.tables().space(), 30, 1), 8, 3);
    Batches watched =
        new Batches() {
          @Override
          public Batch batch(long step) {
            try {
              watcher.batch(step);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return shuffled.batch(step);
          }

          @Override
          public String description() {
            return shuffled.description();
          }
        };
    try (FlowModel model = FlowModel.create(Toys.tables(), 5)) {
      Trainer trainer =
          new Trainer(model, options).checkpoints(checkpoint()).listener(new MetricsLog(metrics()));
      if (validated) {
        trainer.validation(Toys.rows(Toys.tables().space(), 40, 2));
      }
      trainer.train(watched);
      return Tensors.toDoubles(Models.weights(model).values());
    }
  }
}
