package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes before a training, and what the runner makes of it. */
final class TrialStartTest {
  private static final int[][] ROWS = {{0, 1}, {1, 1}, {0, 1}, {2, 0}};
  private static final double A_WHILE = 0.2; // seconds
  private static final TrainingListener SILENT = new TrainingListener() {};

  @TempDir Path out;

  private final AtomicInteger prepared = new AtomicInteger();

  /** One training of a base, prepared as told. */
  private record Prepared(Trial.Start start, List<String> models) implements Experiment {
    @Override
    public String name() {
      return "prepared";
    }

    @Override
    public String title() {
      return "A base";
    }

    @Override
    public List<Trial> trials(Settings settings, long seed) {
      TrainingOptions options = TrainingOptions.builder(40).learningRate(0.1).logEvery(10).build();
      return models.stream()
          .map(
              model ->
                  new Trial(
                      "D=2",
                      model,
                      seed,
                      Architecture.of(Space.uniform(2, 3), new FactorizedBase()),
                      new Trial.Training(options, Batches.shuffled(ROWS, 2, seed), null, start),
                      null,
                      trained ->
                          List.of(
                              Trial.Measure.exact(
                                  "nll",
                                  "nats",
                                  -Arrays.stream(trained.logProb(ROWS)).sum(),
                                  null,
                                  null))))
          .toList();
    }

    @Override
    public Outcome outcome(Settings settings, List<Finished> finished) {
      throw new AssertionError("nobody asks");
    }
  }

  private Settings settings(String only) {
    return new Settings(
        out, 1, 1, "cpu", Effort.QUICK, null, null, only == null ? List.of() : List.of(only));
  }

  private Finished run(Trial.Start start, boolean resume, TrainingListener listener)
      throws IOException {
    var experiment = new Prepared(start, List.of("base"));
    return new TrialRunner(experiment, settings(null), 1, out.resolve("metrics.jsonl"))
        .run(resume, trial -> listener)
        .get(0);
  }

  private Trial.Start counted() {
    return Trial.Start.prepared(
        model -> {
          prepared.incrementAndGet();
          LockSupport.parkNanos(Math.round(A_WHILE * 1e9));
          WarmStart.setMarginals(model, new double[] {0.8, 0.1, 0.1});
        });
  }

  @Test
  void itsSecondsCountAndItsWorkIsTrainedOn() throws IOException {
    Finished asMade = run(Trial.Start.AS_MADE, false, SILENT);
    Finished started = run(counted(), false, SILENT);

    assertThat(prepared).hasValue(1);
    assertThat(asMade.results().get(0).seconds()).isPositive().isLessThan(60);
    assertThat(started.results().get(0).seconds()).isBetween(A_WHILE, 60.0);
    assertThat(started.results().get(0).value()).isNotEqualTo(asMade.results().get(0).value());
    assertThat(started.curve().x()).containsExactly(10, 20, 30, 40);
    assertThat(asMade.seconds()).hasSize(4).isSorted();
    assertThat(asMade.seconds()[0]).isPositive();
    assertThat(asMade.seconds()[3]).isLessThanOrEqualTo(asMade.results().get(0).seconds());
    assertThat(started.seconds()).hasSize(4).isSorted();
    assertThat(started.seconds()[0]).isBetween(A_WHILE, started.results().get(0).seconds());
  }

  @Test
  void aFinishedTrialIsFoundAgainWithItsSeconds() throws IOException {
    Finished first = run(counted(), false, SILENT);
    Finished again = run(counted(), true, SILENT);
    assertThat(prepared).hasValue(1);
    assertThat(again.seconds()).isEqualTo(first.seconds());
    assertThat(again.results()).isEqualTo(first.results());
  }

  private static TrainingListener interruptingAtStep20(Thread caller) {
    return new TrainingListener() {
      @Override
      public void progressed(Progress progress) {
        if (progress.step() == 20) {
          caller.interrupt();
          while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
          }
        }
      }
    };
  }

  /** Training leaves it as it is, and a checkpoint does not have it. */
  @Test
  void whatIsCountedIsCountedAgainWhereATrainingResumes() throws IOException {
    Trial.Start start = Trial.Start.counted(model -> prepared.incrementAndGet());
    double undisturbed = run(start, false, SILENT).results().get(0).value();
    assertThat(prepared).hasValue(1);
    TrainingListener stopping = interruptingAtStep20(Thread.currentThread());
    assertThatThrownBy(() -> run(start, false, stopping)).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(run(start, true, SILENT).results().get(0).value()).isEqualTo(undisturbed);
    assertThat(prepared).hasValue(3);
  }

  @Test
  void aCheckpointKnowsBetter() throws IOException {
    double undisturbed = run(counted(), false, SILENT).results().get(0).value();
    prepared.set(0);

    TrainingListener stopping = interruptingAtStep20(Thread.currentThread());
    assertThatThrownBy(() -> run(counted(), false, stopping))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(prepared).hasValue(1);
    Finished resumed = run(counted(), true, SILENT);

    assertThat(prepared).as("not prepared again").hasValue(1);
    assertThat(resumed.results().get(0).value()).isEqualTo(undisturbed);
    assertThat(resumed.results().get(0).seconds()).isPositive().isLessThan(60);
    assertThat(resumed.seconds()).isSorted();
  }

  @Test
  void withoutACheckpointAResumedTrialIsPreparedAgain() throws IOException {
    double undisturbed = run(counted(), false, SILENT).results().get(0).value();
    prepared.set(0);
    Trial.Start interrupted =
        Trial.Start.prepared(
            model -> {
              prepared.incrementAndGet();
              WarmStart.setMarginals(
                  model, new double[] {0.1, 0.1, 0.8}); // half of what it was to do
              throw new CancellationException("interrupted");
            });
    assertThatThrownBy(() -> run(interrupted, false, SILENT))
        .isInstanceOf(CancellationException.class)
        .hasMessage("interrupted");
    assertThat(out.resolve("trials")).doesNotExist();

    assertThat(run(counted(), true, SILENT).results().get(0).value()).isEqualTo(undisturbed);
    assertThat(prepared).hasValue(2);
  }

  @Test
  void aPreparationThatFailsToReadIsTheCallersIoException() {
    Trial.Start failing =
        Trial.Start.prepared(
            model -> {
              throw new IOException("no such disk");
            });
    assertThatThrownBy(() -> run(failing, false, SILENT))
        .isInstanceOf(IOException.class)
        .hasMessage("no such disk");
  }

  @Test
  void onlyTheModelsThatTheUserNamesRun() throws IOException {
    var experiment = new Prepared(Trial.Start.AS_MADE, List.of("1 layer", "2 layers", "base"));
    Path metrics = out.resolve("metrics.jsonl");
    List<Finished> layers =
        new TrialRunner(experiment, settings("layer"), 1, metrics).run(false, trial -> SILENT);
    assertThat(layers)
        .extracting(one -> one.trial().model())
        .containsExactly("1 layer", "2 layers");

    assertThatThrownBy(() -> new TrialRunner(experiment, settings("Layer"), 1, metrics))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no model of prepared has 'Layer' in its name");
  }

  /** Nothing is trained, and yet it takes time and counts. */
  @Test
  void weightsMayBeSetWithoutSteps() throws IOException {
    Trial.Training training =
        Trial.Training.withoutSteps(
            "four rows",
            Trial.Start.prepared(
                model -> {
                  prepared.incrementAndGet();
                  WarmStart.fitBase(model, ROWS);
                }));
    var experiment =
        new Experiment() {
          @Override
          public String name() {
            return "counted";
          }

          @Override
          public String title() {
            return "A base";
          }

          @Override
          public List<Trial> trials(Settings settings, long seed) {
            return List.of(
                new Trial(
                    "D=2",
                    "base",
                    seed,
                    Architecture.of(Space.uniform(2, 3), new FactorizedBase()),
                    training,
                    null,
                    made ->
                        List.of(
                            Trial.Measure.exact(
                                "p", "", Math.exp(made.logProb(ROWS)[0]), null, null))));
          }

          @Override
          public Outcome outcome(Settings settings, List<Finished> finished) {
            throw new AssertionError("nobody asks");
          }
        };
    Path metrics = out.resolve("metrics.jsonl");
    for (boolean resume : new boolean[] {false, true}) {
      Finished finished =
          new TrialRunner(experiment, settings(null), 1, metrics)
              .run(resume, trial -> SILENT)
              .get(0);
      assertThat(finished.trial().takesSteps()).isFalse();
      assertThat(finished.curve()).isNull();
      assertThat(finished.results().get(0).seconds()).isPositive();
      // Half a count more for each symbol: 2.5 of 5.5, and 3.5 of 5.5.
      assertThat(finished.results().get(0).value()).isCloseTo(2.5 * 3.5 / 5.5 / 5.5, within(1e-6));
    }
    assertThat(prepared).hasValue(1);
  }

  @Test
  void aTrialOfAnotherVersionIsTrainedAgain() throws IOException {
    Finished first = run(counted(), false, SILENT);
    Path file = out.resolve("trials").resolve(first.trial().slug() + ".json");
    ObjectNode json = (ObjectNode) new ObjectMapper().readTree(file.toFile());
    assertThat(json.path("version").asInt()).isEqualTo(2);
    run(counted(), true, SILENT);
    assertThat(prepared).hasValue(1);
    assertThat(StoppedRun.results(out)).isEqualTo(first.results());
    Files.writeString(file, json.put("version", 3).toString());
    run(counted(), true, SILENT);
    assertThat(prepared).hasValue(2);
  }
}
