package io.ringflow.paper.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a run that was stopped has left in its folder: finished trials and checkpoints. */
public final class StoppedRun {
  private StoppedRun() {}

  /**
   * Reads the results of its finished trials.
   *
   * @param folder the run folder
   * @return none if there is no trial in it
   */
  public static List<Result> results(Path folder) throws IOException {
    return TrialFiles.results(folder);
  }

  /**
   * Deletes its trials and checkpoints, so that nothing can be resumed; leaves alone what is none.
   *
   * @param folder the run folder; need not exist
   */
  public static void forget(Path folder) throws IOException {
    TrialFiles.clear(folder);
  }
}
