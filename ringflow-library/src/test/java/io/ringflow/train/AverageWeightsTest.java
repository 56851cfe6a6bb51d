package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.Precision;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.Models;
import io.ringflow.testing.NativeCount;
import io.ringflow.testing.Toys;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Averages of weights are what they are said to be, and chosen where they are better. */
final class AverageWeightsTest extends ToyTraining {
  private static final int[][] HELD_OUT = Toys.rows(SPACE, 50, 9);

  /** Remembers the weights a model has at every event. */
  private static final class Recorder implements TrainingListener {
    private final FlowModel model;
    private final List<double[]> trained = new ArrayList<>();
    private final List<Evaluation> evaluations = new ArrayList<>();
    private final List<double[]> evaluated = new ArrayList<>();

    Recorder(FlowModel model) {
      this.model = model;
    }

    @Override
    public void progressed(Progress progress) {
      trained.add(weights(model));
    }

    @Override
    public void evaluated(Evaluation evaluation) {
      evaluations.add(evaluation);
      evaluated.add(weights(model));
    }

    /** The average after each step, as the options' Javadoc has it. */
    double[] plainAverage(double decay) {
      double[] average = new double[trained.get(0).length];
      for (int t = 1; t <= trained.size(); t++) {
        double kept = Math.min(decay, (t - 1.0) / (t + 8));
        double[] now = trained.get(t - 1);
        Arrays.setAll(average, i -> kept * average[i] + (1 - kept) * now[i]);
      }
      return average;
    }
  }

  private static double[] afterLastBest(Recorder seen) {
    int last = seen.evaluations.stream().map(e -> e.best()).toList().lastIndexOf(true);
    return seen.evaluated.get(last);
  }

  /** A decay of 0.4 is reached at step 7; a base may follow by a running average of its own. */
  @ParameterizedTest
  @CsvSource({"1, 0.4, 0", "2, 0.4, 0", "6, 0.4, 0", "12, 0.4, 0", "5, 0.999, 0", "12, 0.4, 0.1"})
  void isThatOfAPlainComputation(int steps, double decay, double baseAveraging) throws IOException {
    TrainingOptions.Builder options = options(12).logEvery(1).baseAveraging(baseAveraging);
    Recorder without = new Recorder(model);
    new Trainer(model, options.build())
        .listener(without)
        .until(() -> without.trained.size() == steps)
        .train(DATA);
    try (FlowModel averaged = FlowModel.create(Toys.tables(), 1)) {
      Recorder with = new Recorder(averaged);
      new Trainer(averaged, options.averageWeights(decay).build())
          .listener(with)
          .until(() -> with.trained.size() == steps)
          .train(DATA);
      for (int i = 0; i < steps; i++) {
        assertThat(with.trained.get(i))
            .as("weights that are trained")
            .isEqualTo(without.trained.get(i));
      }
      assertThat(weights(averaged)).containsExactly(with.plainAverage(decay), within(1e-6));
      if (steps == 1) {
        assertThat(weights(averaged)).isEqualTo(with.trained.get(0));
      } else {
        assertThat(weights(averaged)).isNotEqualTo(with.trained.get(steps - 1));
      }
    }
  }

  @Test
  void whatStandsStillKeepsItsBits() throws IOException {
    double[] before = weights();
    new Trainer(
            model, options(30).learningRate(0).baseLearningRate(0.05).averageWeights(0.9).build())
        .train(DATA);
    double[] after = weights();
    int layers = Math.toIntExact(Models.weights(model).layerElements());
    assertThat(layers).isPositive();
    assertThat(Arrays.copyOf(after, layers)).isEqualTo(Arrays.copyOf(before, layers));
    assertThat(after).isNotEqualTo(before);
  }

  /** Losses of last weights and of averages by turns; the lowest is the first of its kind. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "5 4 6 6 6 6",
        "4 5 6 6 6 6",
        "6 5 4 3 5 5",
        "6 5 3 4 5 5",
        "9 8 7 6 5 4",
        "3 3 3 3 3 3"
      })
  void theBestOfBothKindsIsKept(String losses) throws IOException {
    double[] script = Arrays.stream(losses.split(" ")).mapToDouble(Double::parseDouble).toArray();
    Recorder seen = new Recorder(model);
    TrainingReport report =
        new Trainer(model, options(30).evaluateEvery(10).averageWeights(0.95).build())
            .validation(HELD_OUT, scores -> script[seen.evaluations.size()])
            .listener(seen)
            .train(DATA);
    double lowest = Arrays.stream(script).min().orElseThrow();
    int best = IntStream.range(0, 6).filter(i -> script[i] == lowest).findFirst().orElseThrow();
    assertThat(seen.evaluations).hasSize(6);
    for (int i = 0; i < 6; i++) {
      TrainingListener.Evaluation one = seen.evaluations.get(i);
      assertThat(one.step()).isEqualTo(10L * (i / 2 + 1));
      assertThat(one.averaged()).isEqualTo(i % 2 == 1);
    }
    assertThat(report.bestValidation()).hasValue(lowest);
    assertThat(weights()).isEqualTo(seen.evaluated.get(best)).isEqualTo(afterLastBest(seen));
    assertThat(seen.evaluated.get(best % 2 == 0 ? best + 1 : best - 1)).isNotEqualTo(weights());
  }

  @Test
  void anAverageOfNoisyWeightsScoresBetter() throws IOException {
    Recorder seen = new Recorder(model);
    new Trainer(
            model,
            options(200)
                .learningRate(0.3)
                .minimumRate(1)
                .logEvery(200)
                .evaluateEvery(200)
                .averageWeights(0.98)
                .build())
        .validation(HELD_OUT)
        .listener(seen)
        .train(Batches.shuffled(Toys.rows(SPACE, 200, 1), 4, 2));
    assertThat(seen.evaluations).hasSize(2);
    assertThat(seen.evaluations.get(1).loss()).isLessThan(seen.evaluations.get(0).loss() - 0.01);
    double[] scores = model.logProb(HELD_OUT, new int[0][], Precision.FLOAT32);
    assertThat(Trainer.meanLoss(scores)).isEqualTo(seen.evaluations.get(1).loss());
    // Scores in float64 are of the same weights.
    assertThat(Trainer.meanLoss(model.logProb(HELD_OUT)))
        .isEqualTo(seen.evaluations.get(1).loss(), within(1e-4));
  }

  /** Two scores of one evaluation do not try patience twice. */
  @Test
  void patienceCountsEvaluations() throws IOException {
    Recorder seen = new Recorder(model);
    TrainingReport report =
        new Trainer(model, options(1000).evaluateEvery(5).patience(3).averageWeights(0.9).build())
            .validation(HELD_OUT, scores -> seen.evaluations.size() == 3 ? 1 : 2)
            .listener(seen)
            .train(DATA);
    assertThat(report.reason()).isEqualTo(StopReason.EARLY_STOPPED);
    assertThat(report.steps()).isEqualTo(5 * (2 + 3));
  }

  @Test
  void theMetricsLogTellsThemApart() throws IOException {
    Path metrics = folder.resolve("metrics.jsonl");
    new Trainer(model, options(20).evaluateEvery(10).averageWeights(0.9).build())
        .validation(HELD_OUT)
        .listener(new MetricsLog(metrics))
        .train(DATA);
    List<String> seen = new ArrayList<>();
    for (String line : Files.readAllLines(metrics)) {
      JsonNode event = new ObjectMapper().readTree(line);
      if (event.get("event").asText().equals("evaluation")) {
        seen.add(event.get("step") + " " + event.get("averaged"));
      }
    }
    assertThat(seen).containsExactly("10 false", "10 true", "20 false", "20 true");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStoppedTrainingResumesInTheSameBits(boolean validated) throws IOException {
    TrainingOptions options = options(60).evaluateEvery(15).averageWeights(0.9).build();
    train(model, options, validated, new TrainingListener() {}, null);
    double[] undisturbed = weights();
    model.close();

    model = FlowModel.create(Toys.tables(), 1);
    TrainingListener stop =
        new TrainingListener() {
          @Override
          public void progressed(Progress progress) {
            if (progress.step() == 40) {
              Thread.currentThread().interrupt();
            }
          }
        };
    assertThat(train(model, options, validated, stop, checkpoint).reason())
        .isEqualTo(StopReason.INTERRUPTED);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(checkpoint.resolve("average.safetensors")).exists();
    for (int time = 0; time < 2; time++) { // the second has nothing left to do
      model.close();
      model = FlowModel.create(Toys.tables(), 77);
      train(model, options, validated, new TrainingListener() {}, checkpoint);
      assertThat(weights()).isEqualTo(undisturbed);
    }
  }

  private static TrainingReport train(
      FlowModel model,
      TrainingOptions options,
      boolean validated,
      TrainingListener listener,
      Path checkpoint)
      throws IOException {
    Trainer trainer = new Trainer(model, options).listener(listener);
    if (validated) {
      trainer.validation(HELD_OUT);
    }
    if (checkpoint != null) {
      trainer.checkpoints(checkpoint);
    }
    return trainer.train(DATA);
  }

  /** Stopped before its first step, a training has no average, and so has its checkpoint. */
  @Test
  void withoutAStepThereIsNone() throws IOException {
    TrainingOptions options = options(20).averageWeights(0.9).build();
    double[] before = weights();
    new Trainer(model, options).until(() -> true).checkpoints(checkpoint).train(DATA);
    assertThat(weights()).isEqualTo(before);
    assertThat(checkpoint.resolve("average.safetensors")).doesNotExist();
    TrainingReport rest = new Trainer(model, options).checkpoints(checkpoint).train(DATA);
    assertThat(rest.steps()).isEqualTo(20);
    assertThat(checkpoint.resolve("average.safetensors")).exists();
  }

  @Test
  void aCheckpointWithoutAnAverageIsAnotherTrainings() throws IOException {
    TrainingOptions without = options(10).build();
    TrainingOptions with = options(10).averageWeights(0.9).build();
    TrainingOptions other = options(10).averageWeights(0.8).build();
    Path averaged = folder.resolve("averaged");
    new Trainer(model, without).checkpoints(checkpoint).train(DATA);
    new Trainer(model, with).checkpoints(averaged).train(DATA);
    assertThat(checkpoint.resolve("average.safetensors")).doesNotExist();
    assertRefused(with, checkpoint);
    assertRefused(without, averaged);
    assertRefused(other, averaged);
  }

  private void assertRefused(TrainingOptions options, Path checkpoints) {
    assertThatThrownBy(() -> new Trainer(model, options).checkpoints(checkpoints).train(DATA))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("another set of options");
  }

  @Test
  void theDecayIsStoredWithTheModel() throws IOException {
    new Trainer(model, options(5).averageWeights(0.75).build()).train(DATA);
    model.save(folder.resolve("model"));
    try (FlowModel loaded = FlowModel.load(folder.resolve("model"))) {
      assertThat(loaded.provenance().orElseThrow().options()).containsEntry("averageWeights", 0.75);
      assertThat(weights(loaded)).isEqualTo(weights());
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1, Double.NaN})
  void whatIsNoDecayIsRefused(double decay) {
    assertThatThrownBy(() -> options(5).averageWeights(decay).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("averageWeights must be at least 0 and below 1, but is " + decay);
  }

  @Test
  void leavesNoNativeObjectsBehind() throws Exception {
    TrainingOptions options = options(6).evaluateEvery(2).averageWeights(0.9).build();
    NativeCount.assertFlat(3, () -> train(model, options, true, new TrainingListener() {}, null));
    TrainingListener broken =
        new TrainingListener() {
          @Override
          public void evaluated(Evaluation evaluation) {
            if (evaluation.averaged()) {
              throw new IllegalStateException("enough");
            }
          }
        };
    NativeCount.assertFlat(
        3,
        () ->
            assertThatThrownBy(() -> train(model, options, true, broken, null))
                .hasMessage("enough"));
  }
}
