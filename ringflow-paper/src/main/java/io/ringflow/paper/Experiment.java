package io.ringflow.paper;

import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;

/**
 * One experiment of the paper: trains its models, holds them against exact floors, and returns what
 * a reader wants.
 */
public interface Experiment {
  /** Its name on the command line, such as {@code ring}. */
  String name();

  /** One line for people. */
  String title();

  /** How many seeds it runs where the user does not say; what its published figures need. */
  default int defaultSeeds() {
    return 1;
  }

  /**
   * Runs it.
   *
   * @param settings what the user chose
   * @param monitor hears of every training
   * @return figures, grids and curves; nothing is written by the experiment itself but what it
   *     keeps in {@link Settings#out()} for resuming
   */
  Outcome run(Settings settings, Monitor monitor) throws IOException;

  /**
   * What the user chose; the same for every experiment.
   *
   * @param out the run folder; exists
   * @param seed of the first run
   * @param seeds how many runs, with seeds {@code seed, seed + 1, …}
   * @param device {@code cpu} or {@code cuda}
   * @param quick a shorter run, to see that everything works; its figures are not the experiment's
   */
  record Settings(Path out, long seed, int seeds, String device, boolean quick) {}

  /** Hears of every training an experiment starts; a progress bar on the command line. */
  @FunctionalInterface
  interface Monitor {
    /**
     * A training is about to begin.
     *
     * @param label names the model and the seed, such as {@code "one layer, tau 0.1, seed 2"}
     * @return the listener for it
     */
    TrainingListener training(String label);
  }
}
