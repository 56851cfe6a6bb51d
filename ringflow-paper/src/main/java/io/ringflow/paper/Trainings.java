package io.ringflow.paper;

import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/** Trains for an experiment, which an interrupt ends as a whole. */
final class Trainings {
  private Trainings() {}

  /**
   * Trains to the end.
   *
   * @throws CancellationException if somebody interrupted it: half a training is no result
   */
  static TrainingReport complete(Trainer trainer, Batches batches) throws IOException {
    TrainingReport report = trainer.train(batches);
    if (report.reason() == StopReason.INTERRUPTED) {
      throw new CancellationException("interrupted after " + report.steps() + " steps");
    }
    return report;
  }
}
