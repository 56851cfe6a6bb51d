package io.ringflow.paper.harness;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks that what trials start from is there, and comes before them. */
final class TrialSources {
  private TrialSources() {}

  /** Tells whether an earlier run has finished a trial. */
  @FunctionalInterface
  interface Earlier {
    boolean finished(Trial trial) throws IOException;
  }

  /** A trial waits for the one it starts from: after it in the list, that might never be begun. */
  static void requireFirst(List<Trial> trials) {
    Set<String> later = new HashSet<>();
    for (int i = trials.size() - 1; i >= 0; i--) {
      Trial trial = trials.get(i);
      later.add(trial.slug());
      Trial source = source(trial);
      if (source != null && later.contains(source.slug())) {
        throw new IllegalArgumentException(
            String.format("'%s' must come after '%s'", trial.label(), source.label()));
      }
    }
  }

  /** What a trial starts from runs with it, or was finished earlier, as may be the trial itself. */
  static void requireAll(List<Trial> trials, Earlier earlier) throws IOException {
    Set<String> here = new HashSet<>();
    for (Trial trial : trials) {
      here.add(trial.slug());
      Trial source = source(trial);
      if (source != null
          && !here.contains(source.slug())
          && !earlier.finished(trial)
          && !earlier.finished(source)) {
        throw new IllegalArgumentException(
            String.format(
                "'%s' starts from '%s': run both, or first the other and then this one with --resume",
                trial.model(), source.model()));
      }
    }
  }

  private static Trial source(Trial trial) {
    return trial.training() == null ? null : trial.training().start().source();
  }
}
