package io.ringflow.paper.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials whose batches are made by the model that they train. */
final class OwnSamplesTest {
  private static final int[][] ALL = {{0}, {1}, {2}};

  @TempDir Path whole;
  @TempDir Path broken;

  /** Symbol 0 is worth something: a model of its own samples comes to prefer it. */
  private static final class Rewarded implements Experiment {
    @Override
    public String name() {
      return "rewarded";
    }

    @Override
    public String title() {
      return "A reward";
    }

    @Override
    public List<Trial> trials(Settings settings, long seed) {
      TrainingOptions options = TrainingOptions.builder(40).learningRate(0.1).logEvery(5).build();
      return List.of(
          new Trial(
              "K=3",
              "base",
              seed,
              Architecture.of(Space.uniform(1, 3), new FactorizedBase()),
              Trial.Training.onOwnSamples(options, "rewards", OwnSamplesTest::rewards),
              null,
              trained ->
                  List.of(
                      Trial.Measure.exact(
                          "p", "", Math.exp(trained.logProb(ALL)[0]), null, null))));
    }

    @Override
    public Outcome outcome(Settings settings, List<Finished> finished) {
      throw new AssertionError("nobody asks");
    }
  }

  private static Batches rewards(FlowModel model) {
    return step -> {
      int[][] rows = model.sample(32, step);
      double[] weights = new double[rows.length];
      for (int i = 0; i < rows.length; i++) {
        weights[i] = rows[i][0] == 0 ? 1 : -0.5;
      }
      return Batch.weighted(rows, weights);
    };
  }

  private static double run(Path out, boolean resume, TrainingListener listener)
      throws IOException {
    Settings settings = new Settings(out, 1, 1, "cpu", Effort.QUICK, null, null, List.of());
    return new TrialRunner(new Rewarded(), settings, 1, out.resolve("metrics.jsonl"))
        .run(resume, trial -> listener)
        .get(0)
        .results()
        .get(0)
        .value();
  }

  @Test
  void aStoppedRunResumesToTheSameResult() throws IOException {
    double expected = run(whole, false, new TrainingListener() {});
    assertThat(expected).as("was a third").isGreaterThan(0.8);
    TrainingListener stopping =
        new TrainingListener() {
          @Override
          public void progressed(Progress progress) {
            if (progress.step() == 15) {
              Thread.currentThread().interrupt();
            }
          }
        };
    assertThatThrownBy(() -> run(broken, false, stopping))
        .isInstanceOf(CancellationException.class);
    assertThat(run(broken, true, new TrainingListener() {})).isEqualTo(expected);
  }

  @Test
  void withoutAModelThereAreNoBatches() {
    Trial.Training training = new Rewarded().trials(null, 1).get(0).training();
    assertThat(training.batches().description()).isEqualTo("rewards");
    assertThatThrownBy(() -> training.batches().batch(1)).isInstanceOf(IllegalStateException.class);
  }
}
