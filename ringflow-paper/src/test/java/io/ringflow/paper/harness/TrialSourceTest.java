package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trials that start where another one ended. */
@Timeout(60) // who waits for a source that never ends waits for ever
@Tag("slow")
final class TrialSourceTest {
  private static final int[][] ROWS = {{0, 1}, {1, 1}, {0, 1}, {2, 0}};

  /** So low a rate that no weight of 32 bits changes by a step. */
  private static final double NEXT_TO_NOTHING = 1e-30;

  @TempDir Path out;

  private final Map<String, Integer> steps = new ConcurrentHashMap<>(); // by model
  private double firstRate = 0.1;
  private volatile Runnable first = () -> {}; // before each step of it

  /** A first training, one from its end on, and one from that one's. */
  private class Chain implements Experiment {
    @Override
    public String name() {
      return "chain";
    }

    @Override
    public String title() {
      return "One after the other";
    }

    @Override
    public List<Trial> trials(Settings settings, long seed) {
      Trial one = trial("first", seed, firstRate, Trial.Start.AS_MADE, () -> first.run());
      Trial two = trial("second", seed, NEXT_TO_NOTHING, Trial.Start.after(one), () -> {});
      Trial three = trial("third", seed, 0.1, Trial.Start.after(two), () -> {});
      return List.of(one, two, three);
    }

    private Trial trial(
        String model, long seed, double rate, Trial.Start start, Runnable beforeStep) {
      TrainingOptions options = TrainingOptions.builder(12).learningRate(rate).logEvery(3).build();
      Batches rows = Batches.shuffled(ROWS, 2, seed);
      Batches counted =
          new Batches() {
            @Override
            public Batch batch(long step) {
              beforeStep.run();
              steps.merge(model, 1, Integer::sum);
              return rows.batch(step);
            }

            @Override
            public String description() {
              return rows.description();
            }
          };
      return new Trial(
          "D=2",
          model,
          seed,
          Architecture.of(Space.uniform(2, 3), new FactorizedBase()),
          new Trial.Training(options, counted, null, start),
          null,
          trained ->
              Arrays.stream(trained.logProb(ROWS))
                  .mapToObj(nats -> Trial.Measure.exact("nll", "nats", -nats, null, null))
                  .toList());
    }

    @Override
    public Outcome outcome(Settings settings, List<Finished> finished) {
      throw new AssertionError("nobody asks");
    }
  }

  private TrialRunner runner(Experiment experiment, int seeds, int jobs, String only) {
    var settings =
        new Settings(
            out,
            1,
            seeds,
            "cpu",
            Effort.QUICK,
            null,
            null,
            only == null ? List.of() : List.of(only));
    return new TrialRunner(experiment, settings, jobs, out.resolve("metrics.jsonl"));
  }

  private List<Finished> run(int jobs, boolean resume, String only) throws IOException {
    return runner(new Chain(), 1, jobs, only).run(resume, trial -> new TrainingListener() {});
  }

  private static List<Double> metrics(Finished one) {
    return one.results().stream().map(Result::value).toList();
  }

  @Test
  void itBeginsWithTheWeightsOfTheOtherAndCountsItsSeconds() throws IOException {
    List<Finished> all = run(1, false, null);

    assertThat(metrics(all.get(1))).isEqualTo(metrics(all.get(0)));
    assertThat(metrics(all.get(2))).isNotEqualTo(metrics(all.get(1)));
    firstRate = NEXT_TO_NOTHING;
    assertThat(metrics(run(1, false, "first").get(0)))
        .as("the first had learned something")
        .isNotEqualTo(metrics(all.get(0)));

    assertThat(all.get(0).trainingSeconds()).isPositive();
    for (int i = 1; i < 3; i++) {
      double before = all.get(i - 1).trainingSeconds();
      assertThat(all.get(i).trainingSeconds()).isBetween(before, before + 60).isNotEqualTo(before);
      assertThat(all.get(i).results())
          .allMatch(result -> result.seconds() > before && result.seconds() < before + 60);
      assertThat(all.get(i).seconds()).hasSize(4).isSorted();
      assertThat(all.get(i).seconds()[0]).isGreaterThan(before);
      assertThat(all.get(i).seconds()[3]).isLessThanOrEqualTo(all.get(i).trainingSeconds());
    }
  }

  @Test
  void whatTakesNoStepsEndsWithWhatItIsGiven() throws IOException {
    var chain =
        new Chain() {
          @Override
          public List<Trial> trials(Settings settings, long seed) {
            Trial source = super.trials(settings, seed).get(0);
            Trial copy =
                new Trial(
                    source.setting(),
                    "copy",
                    seed,
                    source.architecture(),
                    Trial.Training.withoutSteps("nothing", Trial.Start.after(source)),
                    null,
                    source.measurement());
            return List.of(source, copy);
          }
        };
    List<Finished> both = runner(chain, 1, 1, null).run(false, trial -> new TrainingListener() {});

    assertThat(metrics(both.get(1))).isEqualTo(metrics(both.get(0)));
    assertThat(both.get(1).trainingSeconds()).isGreaterThan(both.get(0).trainingSeconds());
    assertThat(both.get(1).curve()).isNull();
    assertThat(steps).containsOnlyKeys("first");
  }

  @Test
  void sideBySideTheFirstTrialsOfAllSeedsBeginFirst() throws IOException {
    List<String> begun = Collections.synchronizedList(new ArrayList<>());
    runner(new Chain(), 3, 2, null)
        .run(
            false,
            trial ->
                new TrainingListener() {
                  @Override
                  public void progressed(Progress progress) {
                    if (progress.step() == 3) {
                      begun.add(trial.model());
                    }
                  }
                });
    assertThat(begun).hasSize(9);
    assertThat(begun.subList(0, 2)).containsOnly("first");
    // Two at a time: at most one second begins beside the last of the first ones.
    assertThat(begun.subList(0, 4)).filteredOn("first"::equals).hasSize(3);
  }

  @Test
  void sideBySideItWaits() throws IOException {
    List<List<Double>> alone = run(1, false, null).stream().map(TrialSourceTest::metrics).toList();
    List<Finished> together = run(2, false, null);
    assertThat(together.stream().map(TrialSourceTest::metrics).toList()).isEqualTo(alone);
  }

  /** Whoever waits for it is woken at the same time as the runner hears of it. */
  @RepeatedTest(5)
  void aSourcesFailureIsTheRuns() {
    first =
        () -> {
          if (steps.getOrDefault("first", 0) == 5) {
            throw new IllegalStateException("no more rows");
          }
        };
    assertThatThrownBy(() -> run(3, false, null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no more rows");
    assertThat(steps).containsOnlyKeys("first");
    assertThat(out.resolve("trials")).doesNotExist();
  }

  @Test
  void aRunnerThatFailedCanGoOn() throws IOException {
    TrialRunner runner = runner(new Chain(), 1, 2, null);
    first =
        () -> {
          throw new IllegalStateException("no more rows");
        };
    assertThatThrownBy(() -> runner.run(false, trial -> new TrainingListener() {}))
        .hasMessage("no more rows");
    first = () -> {};
    List<Finished> all = runner.run(true, trial -> new TrainingListener() {});
    assertThat(metrics(all.get(1))).isEqualTo(metrics(all.get(0)));
  }

  @Test
  void anotherSourceMakesAnotherTrial() throws IOException {
    run(1, false, null);
    steps.clear();
    run(1, true, null);
    assertThat(steps).as("all is there").isEmpty();

    firstRate = 0.05;
    List<Finished> all = run(1, true, null);
    assertThat(steps).containsOnlyKeys("first", "second", "third");
    assertThat(metrics(all.get(1))).isEqualTo(metrics(all.get(0)));
  }

  @Test
  void aSourceOfAnEarlierRunIsFoundWhenResuming() throws IOException {
    List<Finished> whole = run(1, false, null);
    Finished first = run(1, false, "first").get(0);
    assertThat(metrics(first)).isEqualTo(metrics(whole.get(0)));
    steps.clear();

    Finished second = run(1, true, "second").get(0);
    assertThat(steps).containsOnlyKeys("second");
    assertThat(metrics(second)).isEqualTo(metrics(first));
    assertThat(second.trainingSeconds()).isGreaterThan(first.trainingSeconds());
    assertThat(metrics(run(1, true, "third").get(0))).isEqualTo(metrics(whole.get(2)));
  }

  @Test
  void withoutItsSourceNothingIsRunAndNothingDeleted() throws IOException {
    String message =
        "'second' starts from 'first': run both, or first the other and then this one with"
            + " --resume";
    assertThatThrownBy(() -> run(1, true, "second"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    run(1, false, "first");
    Path record = out.resolve("trials").resolve("d-2-first-seed-1.json");
    byte[] before = Files.readAllBytes(record);
    steps.clear();

    assertThatThrownBy(() -> run(1, false, "second")).hasMessage(message);
    assertThat(record).as("a training of hours").hasBinaryContent(before);
    firstRate = 0.05;
    assertThatThrownBy(() -> run(1, true, "second")).as("another first").hasMessage(message);
    assertThat(steps).isEmpty();
    firstRate = 0.1;
    assertThat(run(1, true, "second")).hasSize(1);

    Files.delete(record);
    assertThat(run(1, true, "second")).as("finished, it needs no source").hasSize(1);
    assertThatThrownBy(() -> run(1, false, "third"))
        .hasMessageStartingWith("'third' starts from 'second': ");
  }

  /** Every seed has its own. */
  @Test
  void seedsStartFromTheirOwn() throws IOException {
    List<Finished> all =
        runner(new Chain(), 2, 2, null).run(false, trial -> new TrainingListener() {});
    assertThat(metrics(all.get(1))).isEqualTo(metrics(all.get(0)));
    assertThat(metrics(all.get(4))).isEqualTo(metrics(all.get(3)));
    assertThat(metrics(all.get(4))).isNotEqualTo(metrics(all.get(1)));
  }

  /** The only worker would wait for what it has not begun. */
  @Test
  void aSourceComesFirst() {
    var chain = new Chain();
    Experiment backwards =
        new Experiment() {
          @Override
          public String name() {
            return "backwards";
          }

          @Override
          public String title() {
            return "The other way round";
          }

          @Override
          public List<Trial> trials(Settings settings, long seed) {
            List<Trial> trials = new ArrayList<>(chain.trials(settings, seed));
            Collections.swap(trials, 0, 1);
            return trials;
          }

          @Override
          public Outcome outcome(Settings settings, List<Finished> finished) {
            throw new AssertionError("nobody asks");
          }
        };
    assertThatThrownBy(() -> runner(backwards, 1, 1, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'D=2, second, seed 1' must come after 'D=2, first, seed 1'");
  }
}
