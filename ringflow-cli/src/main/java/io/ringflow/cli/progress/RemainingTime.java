package io.ringflow.cli.progress;

import io.ringflow.paper.harness.Trial;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * The trainings of a run: how far they are, and how long the rest will take.
 *
 * <p>Models differ in cost by orders of magnitude, so that counting trainings or steps says little
 * about time. What is known best comes first: how long the same model took with another seed; how
 * fast it has been so far; the time it has; the mean of all that is known.
 */
final class RemainingTime {
  private static final class Training {
    private final List<String> kind; // the same model with other seeds takes as long
    private final long steps;
    private final double budget; // seconds; infinite where only steps count
    private long step;
    private double seconds;
    private boolean done;

    Training(Trial trial) {
      kind = List.of(trial.setting(), trial.model());
      steps = trial.training().options().steps();
      budget = trial.training().options().timeBudgetSeconds();
    }

    /** What it takes in all, at the speed it has had. */
    double projected() {
      return done ? seconds : Math.min(budget, seconds / step * steps);
    }

    /** How much is done, by steps or by time, whichever is further, as its trainer counts. */
    double share() {
      return done ? 1 : Math.min(1, Math.max((double) step / steps, seconds / budget));
    }
  }

  private final int jobs;
  private final Map<String, Training> trainings = new LinkedHashMap<>(); // by label

  /**
   * A plan without trainings.
   *
   * @param jobs how many run at a time
   */
  RemainingTime(int jobs) {
    this.jobs = jobs;
  }

  void add(Trial trial) {
    trainings.put(trial.label(), new Training(trial));
  }

  /** A training has come to a step, after so many seconds in all. */
  void moved(Trial trial, long step, double seconds) {
    Training training = trainings.get(trial.label());
    training.step = step;
    training.seconds = seconds;
  }

  /** A training is over, maybe before its last step, after so many seconds without preparation. */
  void done(Trial trial, double seconds) {
    Training training = trainings.get(trial.label());
    training.step = training.steps;
    training.seconds = seconds;
    training.done = true;
  }

  /**
   * What to say behind the number of a training's step: how many there will be, or, where time
   * decides, how much of it is over.
   */
  String howFar(Trial trial) {
    Training training = trainings.get(trial.label());
    return training.budget < Double.POSITIVE_INFINITY
        ? ", " + (int) (100 * training.share()) + " % done"
        : " of " + training.steps;
  }

  int count() {
    return trainings.size();
  }

  int doneCount() {
    return (int) trainings.values().stream().filter(training -> training.done).count();
  }

  long steps() {
    return trainings.values().stream().mapToLong(training -> training.steps).sum();
  }

  /** A training by time counts as many of its steps as of its time. */
  long doneSteps() {
    return trainings.values().stream()
        .mapToLong(training -> Math.round(training.share() * training.steps))
        .sum();
  }

  /** Seconds until the last training ends; empty while nobody can tell. */
  OptionalDouble secondsLeft() {
    double sum = 0;
    double longest = 0;
    for (Training training : trainings.values()) {
      if (!training.done) {
        OptionalDouble whole = expected(training);
        if (whole.isEmpty()) {
          return whole;
        }
        double left = whole.getAsDouble() * (1 - training.share());
        sum += left;
        longest = Math.max(longest, left);
      }
    }
    return OptionalDouble.of(Math.max(longest, sum / jobs));
  }

  /** What a training takes in all, its preparation apart. */
  private OptionalDouble expected(Training training) {
    OptionalDouble peers = mean(other -> other.done && other.kind.equals(training.kind));
    if (peers.isPresent()) {
      return peers;
    }
    if (training.step > 0) {
      return OptionalDouble.of(training.projected());
    }
    OptionalDouble begun = mean(other -> other.step > 0 && other.kind.equals(training.kind));
    if (begun.isPresent()) {
      return begun;
    }
    return training.budget < Double.POSITIVE_INFINITY
        ? OptionalDouble.of(training.budget)
        : mean(other -> other.step > 0);
  }

  private OptionalDouble mean(Predicate<Training> which) {
    DoubleStream known = trainings.values().stream().filter(which).mapToDouble(Training::projected);
    return known.average();
  }
}
