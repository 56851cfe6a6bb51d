package io.ringflow.paper;

import io.ringflow.paper.Outcome.Series;
import io.ringflow.train.TrainingListener;
import java.util.ArrayList;
import java.util.List;

/** Keeps the learning curve of one training, and passes everything on. */
final class Recorder implements TrainingListener {
  private final TrainingListener next;
  private final List<Progress> seen = new ArrayList<>();

  Recorder(TrainingListener next) {
    this.next = next;
  }

  /** Training loss over steps. */
  Series curve(String name) {
    return new Series(
        name,
        seen.stream().mapToDouble(Progress::step).toArray(),
        seen.stream().mapToDouble(Progress::loss).toArray());
  }

  @Override
  public void started(long fromStep, long totalSteps) {
    next.started(fromStep, totalSteps);
  }

  @Override
  public void progressed(Progress progress) {
    seen.add(progress);
    next.progressed(progress);
  }

  @Override
  public void evaluated(Evaluation evaluation) {
    next.evaluated(evaluation);
  }

  @Override
  public void finished(TrainingReport report) {
    next.finished(report);
  }
}
