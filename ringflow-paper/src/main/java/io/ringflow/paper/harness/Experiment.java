package io.ringflow.paper.harness;

import io.ringflow.distributed.ProcessGroup;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * One experiment of the paper: says which models to train and measure, and makes of their results
 * what a reader wants.
 *
 * <p>A {@link TrialRunner} does the training between the two.
 */
public interface Experiment {
  /** Its name on the command line, such as {@code ring}. */
  String name();

  /** One line for people. */
  String title();

  /** How many seeds it runs where the user does not say; what its published results need. */
  default int defaultSeeds() {
    return 1;
  }

  /**
   * What the user must name as {@link Settings#data}, in words, such as {@code "the file text8"};
   * empty where the experiment makes its own data.
   */
  default Optional<String> dataHelp() {
    return Optional.empty();
  }

  /**
   * Finds what {@link #dataHelp} asks for in a folder that holds the data of several experiments.
   *
   * @return nothing where the folder does not hold it, or the experiment makes its own data
   */
  default Optional<Path> dataIn(Path folder) {
    return Optional.empty();
  }

  /**
   * Whether some of its models can be run without the others, as {@link Settings#only} says; so
   * those of timed experiments can.
   */
  default boolean selectable() {
    return timed();
  }

  /**
   * Whether its models train for a time, so that {@link Settings#perModel} can say how long. Others
   * train a number of steps.
   */
  default boolean timed() {
    return false;
  }

  /**
   * Everything to train and measure with one seed.
   *
   * @param settings what the user chose
   * @return trials with distinct labels
   */
  List<Trial> trials(Settings settings, long seed);

  /**
   * Everything to train and measure, seed by seed: after the first seed one can tell how long the
   * others will take.
   */
  default List<Trial> trials(Settings settings) {
    return settings.allSeeds().boxed().flatMap(seed -> trials(settings, seed).stream()).toList();
  }

  /**
   * Makes tables, pictures and curves of what the trials found. Trains nothing; what else it needs
   * to know of a model it asks the model itself, which it loads.
   *
   * @param settings as for {@link #trials}
   * @param finished one for each trial, in their order
   */
  Outcome outcome(Settings settings, List<Finished> finished) throws IOException;

  /**
   * What the user chose; the same for every experiment.
   *
   * @param out the run folder; exists
   * @param seed of the first run
   * @param seeds how many runs, with seeds {@code seed, seed + 1, …}
   * @param device {@code cpu} or {@code cuda}
   * @param effort how much it may cost
   * @param data the file or folder to learn from; there is one if and only if the experiment has a
   *     {@link Experiment#dataHelp}, otherwise null
   * @param perModel the most time one model may train; null leaves it to the experiment
   * @param only runs the models whose names contain one of these, or end with it where their
   *     setting stands before them; empty runs all
   * @param group the processes that run the experiment together; borrowed
   */
  record Settings(
      Path out,
      long seed,
      int seeds,
      String device,
      Effort effort,
      Path data,
      Duration perModel,
      List<String> only,
      ProcessGroup group) {
    /** One process. */
    public Settings(
        Path out,
        long seed,
        int seeds,
        String device,
        Effort effort,
        Path data,
        Duration perModel,
        List<String> only) {
      this(out, seed, seeds, device, effort, data, perModel, only, ProcessGroup.single());
    }

    /** Whether a model is to be run. */
    boolean wants(Trial trial) {
      String inSetting = trial.setting() + ", " + trial.model();
      return only.isEmpty()
          || only.stream().anyMatch(trial.model()::contains)
          || only.stream().anyMatch(inSetting::endsWith);
    }

    /** The seeds of all runs, in order. */
    public LongStream allSeeds() {
      return LongStream.range(seed, seed + seeds);
    }
  }

  /** Hears how a run goes; a progress bar on the command line. */
  interface Monitor {
    /**
     * The run begins.
     *
     * @param trials all of them, in order
     * @param done those that an earlier run had finished
     */
    default void started(List<Trial> trials, List<Finished> done) {}

    /**
     * A trial is about to train. Trainings run side by side: calls come from several threads, and
     * so do those to the listeners.
     *
     * @return the listener for it
     */
    TrainingListener training(Trial trial);
  }
}
