package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.store.Safetensors;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Provenance;
import io.ringflow.spi.Scope;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import io.ringflow.train.TrainingListener.Evaluation;
import io.ringflow.train.TrainingListener.Progress;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How trainings end: well, early, late, and badly. */
final class TrainerTest extends ToyTraining {
  private static final int[][] NOTHING = {};

  private static TrainingListener onProgress(java.util.function.Consumer<Progress> action) {
    return new TrainingListener() {
      @Override
      public void progressed(Progress progress) {
        action.accept(progress);
      }
    };
  }

  private double validationLoss(int[][] rows) {
    double[] scores = model.logProb(rows, NOTHING, Precision.FLOAT32);
    return -Arrays.stream(scores).average().orElseThrow();
  }

  @Test
  void trainingLowersTheLoss() throws IOException {
    int[][] rows = Toys.rows(SPACE, 200, 1);
    double before = validationLoss(rows);
    assertThat(model.logProb(rows)).hasSize(200); // makes the 64-bit copy, which must not go stale
    TrainingReport report =
        new Trainer(model, options(300).temperature(Temperature.annealed(2, 0.2)).build())
            .train(DATA);
    assertThat(report.reason()).isEqualTo(StopReason.COMPLETED);
    assertThat(report.steps()).isEqualTo(300);
    assertThat(report.bestValidation()).isEmpty();
    assertThat(validationLoss(rows)).isLessThan(before - 0.3);
    // The 64-bit copy that scores are computed with has followed the training.
    double exact = -Arrays.stream(model.logProb(rows)).average().orElseThrow();
    assertThat(exact).isEqualTo(validationLoss(rows), within(1e-3));
  }

  @Test
  void earlyStoppingKeepsTheBestWeightsNotTheLast() throws IOException {
    int[][] heldOut = Toys.rows(SPACE, 50, 9);
    List<Evaluation> evaluations = new ArrayList<>();
    TrainingReport report =
        new Trainer(model, options(5000).learningRate(0.2).evaluateEvery(10).patience(4).build())
            .validation(heldOut)
            .listener(
                new TrainingListener() {
                  @Override
                  public void evaluated(Evaluation evaluation) {
                    evaluations.add(evaluation);
                  }
                })
            .train(Batches.shuffled(Toys.rows(SPACE, 6, 1), 6, 2));
    assertThat(report.reason()).isEqualTo(StopReason.EARLY_STOPPED);
    double best = evaluations.stream().mapToDouble(Evaluation::loss).min().orElseThrow();
    assertThat(report.bestValidation()).hasValue(best);
    assertThat(validationLoss(heldOut)).isEqualTo(best);
    assertThat(evaluations.get(evaluations.size() - 1).loss()).isGreaterThan(best);
    // Exactly so many evaluations after the best one, and no run of so many before.
    List<Boolean> improved = evaluations.stream().map(Evaluation::best).toList();
    assertThat(improved.lastIndexOf(true)).isEqualTo(improved.size() - 5);
    assertThat(report.steps()).isEqualTo(evaluations.size() * 10L);
  }

  @Test
  void theTimeBudgetEndsTrainingNearIt() throws IOException {
    long began = System.nanoTime();
    TrainingReport report =
        new Trainer(model, options(100_000_000).timeBudget(Duration.ofMillis(700)).build())
            .train(DATA);
    double seconds = (System.nanoTime() - began) * 1e-9;
    assertThat(report.reason()).isEqualTo(StopReason.TIME_BUDGET);
    assertThat(report.seconds()).isBetween(0.7, seconds);
    assertThat(seconds).isLessThan(3);
  }

  @Test
  void anInterruptLeavesACheckpointToGoOnFrom() throws IOException {
    TrainingOptions options = options(100).build();
    new Trainer(model, options).train(DATA);
    double[] undisturbed = weights();
    model.close();

    model = FlowModel.create(Toys.tables(), 1);
    Path metrics = folder.resolve("metrics.jsonl");
    TrainingReport report =
        new Trainer(model, options)
            .checkpoints(checkpoint)
            .listener(new MetricsLog(metrics))
            .listener(
                onProgress(
                    progress -> {
                      if (progress.step() == 50) {
                        Thread.currentThread().interrupt();
                      }
                    }))
            .train(DATA);
    assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
    assertThat(report.reason()).isEqualTo(StopReason.INTERRUPTED);
    assertThat(report.steps()).isEqualTo(50);
    model.close();

    model = FlowModel.create(Toys.tables(), 77);
    TrainingReport rest =
        new Trainer(model, options)
            .checkpoints(checkpoint)
            .listener(new MetricsLog(metrics))
            .train(DATA);
    assertThat(rest.reason()).isEqualTo(StopReason.COMPLETED);
    assertThat(weights()).isEqualTo(undisturbed);
    assertThat(Files.readAllLines(metrics)).hasSize(1 + 10 + 1);

    TrainingReport again = new Trainer(model, options).checkpoints(checkpoint).train(DATA);
    assertThat(again.loss()).as("known after all is done").isEqualTo(rest.loss());
    assertThat(weights()).isEqualTo(undisturbed);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void aLossThatIsNoNumberEndsTraining(double poison) throws IOException {
    TrainingOptions options = options(100).build();
    Trainer trainer =
        new Trainer(model, options)
            .checkpoints(checkpoint)
            .listener(
                onProgress(
                    progress -> {
                      if (progress.step() == 30) {
                        try (Scope scope = Scope.inference()) {
                          Models.weights(model).values().fill_(new Scalar(poison));
                          Models.weights(model).values().narrow(0, 0, 1).neg_();
                        }
                      }
                    }));
    assertThatThrownBy(() -> trainer.train(DATA))
        .isInstanceOf(TrainingException.class)
        .hasMessageMatching(".* is NaN after step 40: .*; the last checkpoint still stands");
    for (double value : checkpointed("weights")) {
      assertThat(value).isFinite();
    }
  }

  @Test
  void aZeroFirstGradientEndsTraining() {
    Architecture uniform = Architecture.of(Space.uniform(2, 2), new FactorizedBase());
    try (FlowModel nothingToLearn = FlowModel.create(uniform, 1)) {
      int[][] all = uniform.space().enumerate();
      assertThatThrownBy(
              () ->
                  new Trainer(nothingToLearn, options(10).build())
                      .train(Batches.shuffled(all, all.length, 1)))
          .isInstanceOf(TrainingException.class)
          .hasMessageContaining("gradient of the first step is zero")
          .message()
          .hasLineCount(1);
    }
  }

  @Test
  void aListenerThatThrowsEndsTrainingWithItsException() throws IOException {
    TrainingOptions options = options(60).build();
    RuntimeException boom = new RuntimeException("boom");
    Trainer trainer =
        new Trainer(model, options)
            .checkpoints(checkpoint)
            .listener(
                onProgress(
                    progress -> {
                      if (progress.step() == 50) {
                        throw boom;
                      }
                    }));
    assertThatThrownBy(() -> trainer.train(DATA)).isSameAs(boom);
    List<Long> from = new ArrayList<>();
    new Trainer(model, options)
        .checkpoints(checkpoint)
        .listener(
            new TrainingListener() {
              @Override
              public void started(long fromStep, long totalSteps) {
                from.add(fromStep);
              }
            })
        .train(DATA);
    assertThat(from).containsExactly(40L);
  }

  /** The first moment after one step is a tenth of the gradient the optimiser saw. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 1e3})
  void longGradientsAreClipped(double clipNorm) throws IOException {
    List<Progress> seen = new ArrayList<>();
    new Trainer(model, options(1).clipNorm(clipNorm).build())
        .checkpoints(checkpoint)
        .listener(onProgress(seen::add))
        .train(DATA);
    double unclipped = seen.get(0).gradientNorm();
    assertThat(unclipped).isBetween(1e-2, 1e2);
    double squares = Arrays.stream(checkpointed("first-moment")).map(x -> x * x).sum();
    double wanted = 0.1 * Math.min(unclipped, clipNorm);
    assertThat(Math.sqrt(squares)).isEqualTo(wanted, within(1e-4 * wanted));
  }

  @Test
  void provenanceIsStoredWithTheModel() throws IOException {
    new Trainer(model, options(40).build()).validation(Toys.rows(SPACE, 20, 3)).train(DATA);
    model.save(folder.resolve("model"));
    Provenance details = model.provenance().orElseThrow();
    assertThat(details.device()).isEqualTo("cpu");
    assertThat(details.steps()).isEqualTo(40);
    assertThat(details.stopReason()).isEqualTo("COMPLETED");
    assertThat(details.java()).isNotEmpty();
    assertThat(details.seconds()).isPositive();
    assertThat(details.loss()).isPositive();
    assertThat(details.bestValidation()).isPositive();
    assertThat(details.libtorch()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(details.ringflow()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(details.data()).contains("200 rows").containsPattern("[0-9a-f]{64}");
    assertThat(Instant.parse(details.finishedAt())).isBefore(Instant.now());
    assertThat(details.options()).containsEntry("learningRate", 0.02);
    try (FlowModel loaded = FlowModel.load(folder.resolve("model"))) {
      assertThat(loaded.provenance()).contains(details);
    }
  }

  @Test
  void descriptionsTellDataApart() {
    int[][] rows = Toys.rows(SPACE, 10, 1);
    String description = Batches.shuffled(rows, 4, 1).description();
    assertThat(Batches.shuffled(Toys.rows(SPACE, 10, 1), 4, 1).description())
        .isEqualTo(description);
    rows[9][1] ^= 1;
    assertThat(Batches.shuffled(rows, 4, 1).description()).isNotEqualTo(description);
    assertThat(Batches.sampled(7, random -> rows).description())
        .isEqualTo("rows sampled afresh, seed 7");
  }

  private double[] checkpointed(String name) throws IOException {
    List<Double> all = new ArrayList<>();
    Safetensors.read(
        checkpoint.resolve(name + ".safetensors"),
        (tensor, entry) -> {
          FloatBuffer values = entry.data().asFloatBuffer();
          while (values.hasRemaining()) {
            all.add((double) values.get());
          }
        });
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
