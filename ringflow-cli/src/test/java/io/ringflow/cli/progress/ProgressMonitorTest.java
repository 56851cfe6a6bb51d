package io.ringflow.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.Batch;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingListener.Progress;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import io.ringflow.train.TrainingOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressMonitorTest {
  private static Trial trial(String model, long seed) {
    return trial(model, seed, TrainingOptions.builder(1000).build());
  }

  private static Trial trial(String model, long seed, TrainingOptions options) {
    return new Trial(
        "K=2",
        model,
        seed,
        Architecture.of(Space.uniform(1, 2), new FactorizedBase()),
        new Trial.Training(options, step -> Batch.of(new int[][] {{0}})),
        null,
        trained -> List.of());
  }

  private static Progress progress(long step, double seconds) {
    return new Progress(step, 1000, 6.4, 0, 0, 0, 1_234_567, seconds);
  }

  private static TrainingReport report(double seconds, StopReason reason) {
    return new TrainingReport(1000, seconds, 6.3, OptionalDouble.empty(), reason);
  }

  @Test
  void withoutATerminalItPrintsALineEveryTenSecondsAndOneForEachTraining() {
    var err = new StringWriter();
    var now = new AtomicLong(1);
    List<Trial> trials = List.of(trial("a", 1), trial("b", 1));
    try (var monitor =
        new ProgressMonitor("x", 2, new ProgressDisplay(new PrintWriter(err), false, now::get))) {
      monitor.started(trials, List.of());
      TrainingListener a = monitor.training(trials.get(0));
      TrainingListener b = monitor.training(trials.get(1));
      for (int second = 1; second <= 25; second++) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        a.progressed(progress(40L * second, second));
        b.progressed(progress(10L * second, second));
      }
      a.finished(report(25, StopReason.COMPLETED));
      b.finished(report(25, StopReason.INTERRUPTED));
    }
    assertThat(err.toString().lines())
        .containsExactly(
            "0 of 2 trainings done; K=2, a, seed 1: step 400 of 1000, 6.400 nats; 1 min 31 s left",
            "0 of 2 trainings done; K=2, a, seed 1: step 800 of 1000, 6.400 nats; 1 min 21 s left",
            "K=2, a, seed 1: done after 1000 steps in 25.0 s, 6.300 nats",
            "K=2, b, seed 1: stopped after 1000 steps in 25.0 s, 6.300 nats");
  }

  @Test
  void ofATrainingByTimeItTellsTheShareThatIsDone() {
    var err = new StringWriter();
    var now = new AtomicLong(1);
    TrainingOptions options =
        TrainingOptions.builder(10_000_000).timeBudget(Duration.ofSeconds(80)).build();
    Trial trial = trial("a", 1, options);
    try (var monitor =
        new ProgressMonitor("x", 1, new ProgressDisplay(new PrintWriter(err), false, now::get))) {
      monitor.started(List.of(trial), List.of());
      TrainingListener listener = monitor.training(trial);
      for (int second = 20; second <= 80; second += 20) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(20));
        long step = second < 80 ? 40L * second : 10_000_000 / 2; // the last share is by time
        listener.progressed(new Progress(step, 10_000_000, 6.4, 0, 0, 0, 1, second));
      }
    }
    assertThat(err.toString().lines())
        .containsExactly(
            "0 of 1 trainings done; K=2, a, seed 1: step 800, 25 % done, 6.400 nats; 1 min 0 s left",
            "0 of 1 trainings done; K=2, a, seed 1: step 1600, 50 % done, 6.400 nats; 40.0 s left",
            "0 of 1 trainings done; K=2, a, seed 1: step 2400, 75 % done, 6.400 nats; 20.0 s left",
            "0 of 1 trainings done; K=2, a, seed 1: step 5000000, 100 % done, 6.400 nats; 0.0 s left");
  }

  @Test
  void aTrainingByTimeWhoseStepsEndFirstCountsThem() {
    var plan = new RemainingTime(1);
    Trial timed =
        trial("a", 1, TrainingOptions.builder(1000).timeBudget(Duration.ofHours(1)).build());
    Trial counted = trial("b", 1);
    plan.add(timed);
    plan.add(counted);
    plan.moved(timed, 999, 36);
    assertThat(plan.howFar(timed)).isEqualTo(", 99 % done");
    plan.moved(counted, 10, 36);
    assertThat(plan.howFar(counted)).isEqualTo(" of 1000");
  }

  @Test
  void aTrainingByTimeEndsWithItsTime() {
    var plan = new RemainingTime(1);
    TrainingOptions options =
        TrainingOptions.builder(1000).timeBudget(Duration.ofSeconds(100)).build();
    List<Trial> trials = List.of(trial("a", 1, options), trial("b", 1, options));
    trials.forEach(plan::add);

    plan.moved(trials.get(0), 10, 25); // a hundredth of its steps, a quarter of its time
    assertThat(plan.secondsLeft()).hasValue(75 + 100);
    assertThat(plan.doneSteps()).isEqualTo(250);
    plan.moved(trials.get(0), 990, 26); // so fast that its steps end first
    assertThat(plan.doneSteps()).isEqualTo(990);
    plan.moved(trials.get(0), 991, 101);
    assertThat(plan.doneSteps()).isEqualTo(1000);
    plan.done(trials.get(0), 101);
    plan.moved(trials.get(1), 10, 50);
    assertThat(plan.secondsLeft()).hasValue(50);
  }

  @Test
  void whoHasATimeTakesIt() {
    var plan = new RemainingTime(1);
    Trial small =
        trial("a", 1, TrainingOptions.builder(1000).timeBudget(Duration.ofSeconds(10)).build());
    TrainingOptions options =
        TrainingOptions.builder(1000).timeBudget(Duration.ofSeconds(70)).build();
    Trial large = trial("b", 1, options);
    Trial again = trial("b", 2, options);
    List.of(small, large, again).forEach(plan::add);

    assertThat(plan.secondsLeft()).as("before anything ran").hasValue(10 + 70 + 70);
    plan.moved(small, 1, 4);
    assertThat(plan.secondsLeft()).hasValue(6 + 70 + 70);
    plan.done(small, 10);
    plan.moved(large, 10, 35);
    assertThat(plan.secondsLeft()).hasValue(35 + 70);
    plan.done(large, 60); // its steps ended early
    assertThat(plan.secondsLeft()).hasValue(60);
    plan.moved(again, 10, 35);
    assertThat(plan.secondsLeft()).hasValue(30);
  }

  @Test
  void theTimeOfASourceIsNotThatOfWhatStartsFromIt() {
    var err = new StringWriter();
    var now = new AtomicLong(1);
    List<Trial> trials = new ArrayList<>();
    for (long seed = 1; seed <= 2; seed++) {
      Trial source = trial("a", seed);
      Trial next = trial("b", seed);
      trials.add(source);
      trials.add(
          new Trial(
              next.setting(),
              next.model(),
              seed,
              next.architecture(),
              new Trial.Training(
                  next.training().options(),
                  next.training().batches(),
                  null,
                  Trial.Start.after(source)),
              null,
              next.measurement()));
    }
    try (var monitor =
        new ProgressMonitor("x", 1, new ProgressDisplay(new PrintWriter(err), false, now::get))) {
      monitor.started(trials, List.of(finished(trials.get(0), 100), finished(trials.get(1), 130)));
      now.addAndGet(TimeUnit.SECONDS.toNanos(50));
      monitor.training(trials.get(2)).progressed(progress(500, 50));
    }
    // 50 s of the source are left, and the 30 s that the other took besides its source.
    assertThat(err.toString()).contains("1 min 20 s left");
  }

  private static Finished finished(Trial trial, double seconds) {
    Result result =
        new Result(
            "x",
            trial.setting(),
            trial.model(),
            "nll",
            "nats",
            1,
            null,
            null,
            null,
            trial.seed(),
            seconds,
            "cpu");
    return new Finished(trial, List.of(result), null, null);
  }

  @Test
  void theTimeLeftIsThatOfTheWholeRun() {
    var plan = new RemainingTime(2);
    List<Trial> trials =
        List.of(trial("a", 1), trial("b", 1), trial("c", 1), trial("a", 2), trial("b", 2));
    trials.forEach(plan::add);
    assertThat(plan.secondsLeft()).as("nothing is known").isEmpty();

    plan.done(trials.get(0), 100);
    plan.moved(trials.get(1), 500, 30);
    // b runs for another 30 s; c as long as the mean of a and b, 80; then 100 and 60.
    assertThat(plan.secondsLeft()).hasValue((30 + 80 + 100 + 60) / 2.0);
    assertThat(plan.doneCount()).isEqualTo(1);
    assertThat(plan.doneSteps()).isEqualTo(1500);
    assertThat(plan.steps()).isEqualTo(5000);

    plan.done(trials.get(1), 40); // faster in the end: the second seed's will be too
    plan.done(trials.get(2), 10);
    plan.moved(trials.get(3), 500, 1000); // what the first seed took tells more than a slow start
    // 50 and 40 are left.
    assertThat(plan.secondsLeft()).hasValue(50);

    plan.done(trials.get(3), 100);
    assertThat(plan.secondsLeft()).as("one job can't be shared").hasValue(40);
    plan.done(trials.get(4), 40);
    assertThat(plan.secondsLeft()).hasValue(0);
  }
}
