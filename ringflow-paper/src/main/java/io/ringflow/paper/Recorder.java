package io.ringflow.paper;

import io.ringflow.paper.Outcome.Series;
import io.ringflow.train.TrainingListener;
import java.util.ArrayList;
import java.util.List;

/** Keeps the learning curve of one training. */
final class Recorder implements TrainingListener {
  private final List<Progress> seen = new ArrayList<>();

  /** Training loss over steps. */
  Series curve(String name) {
    return new Series(
        name,
        seen.stream().mapToDouble(Progress::step).toArray(),
        seen.stream().mapToDouble(Progress::loss).toArray());
  }

  @Override
  public void progressed(Progress progress) {
    seen.add(progress);
  }
}
