package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.NativeCount;
import io.ringflow.testing.Toys;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing that a user can call leaves native objects behind. */
@Tag("slow")
final class NativeLeakTest {
  private static final TrainingOptions SHORT =
      TrainingOptions.builder(5).logEvery(2).checkpointEvery(3).build();

  @TempDir Path folder;

  private static Batches data(Architecture architecture) {
    return Batches.shuffled(
        new io.ringflow.train.Batch(
            Toys.rows(architecture.space(), 40, 1), Toys.condition(architecture, 40, 2)),
        8,
        3);
  }

  @Test
  void aThousandTrainingStepsWithValidation() throws Exception {
    Architecture tables = Toys.tables();
    TrainingOptions options =
        TrainingOptions.builder(1000).logEvery(10).evaluateEvery(50).checkpointEvery(250).build();
    long[] atStep = new long[1001];
    TrainingListener counter =
        new TrainingListener() {
          @Override
          public void progressed(Progress progress) {
            atStep[(int) progress.step()] = Pointer.totalCount();
          }
        };
    try (FlowModel model = FlowModel.create(tables, 1)) {
      new Trainer(model, options)
          .validation(Toys.rows(tables.space(), 20, 5))
          .checkpoints(folder.resolve("checkpoint"))
          .listener(counter)
          .train(data(tables));
      assertThat(atStep[1000]).isEqualTo(atStep[100]);
      NativeCount.assertFlat(
          200,
          () -> {
            int[][] drawn = model.sample(3, 1);
            double[] scores = model.logProb(drawn);
            assertThat(model.decode(model.encode(drawn))).isDeepEqualTo(drawn);
            assertThat(scores).hasSize(3);
          });
    }
  }

  static java.util.stream.Stream<String> architectures() {
    return Toys.architectures().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("architectures")
  void wholeLives(String name) throws Exception {
    Architecture architecture = Toys.architectures().get(name);
    int[][] rows = Toys.rows(architecture.space(), 5, 1);
    int[][] condition = Toys.condition(architecture, 5, 1);
    NativeCount.assertFlat(
        3,
        () -> {
          try (FlowModel model = FlowModel.create(architecture, 1)) {
            new Trainer(model, SHORT).train(data(architecture));
            int[][] drawn = condition.length > 0 ? model.sample(condition, 1) : model.sample(5, 1);
            assertThat(model.decode(model.encode(rows, condition), condition)).isDeepEqualTo(rows);
            assertThat(model.logProb(drawn, condition)).hasSize(5);
            model.save(folder.resolve("model"));
            FlowModel.load(folder.resolve("model")).close();
          }
        });
  }

  @Test
  void whatFails() throws Exception {
    Architecture tables = Toys.tables();
    Path checkpoint = folder.resolve("checkpoint");
    Path broken = folder.resolve("broken");
    try (FlowModel model = FlowModel.create(tables, 1)) {
      model.save(broken);
      new Trainer(model, SHORT).checkpoints(checkpoint).train(data(tables));
      Files.write(checkpoint.resolve("second-moment.safetensors"), new byte[9]);
      Files.write(broken.resolve("model.safetensors"), new byte[9]);
      TrainingListener thrower =
          new TrainingListener() {
            @Override
            public void progressed(Progress progress) {
              throw new IllegalStateException("stop");
            }
          };
      NativeCount.assertFlat(
          3,
          () -> {
            Trainer toBroken = new Trainer(model, SHORT).checkpoints(checkpoint);
            assertThat(catchThrowable(() -> toBroken.train(data(tables))))
                .isInstanceOf(IOException.class);
            Trainer throwing = new Trainer(model, SHORT).listener(thrower);
            assertThat(catchThrowable(() -> throwing.train(data(tables)))).hasMessage("stop");
            Batches wrong = Batches.sampled(1, random -> new int[][] {{9, 9}});
            assertThat(catchThrowable(() -> new Trainer(model, SHORT).train(wrong)))
                .isInstanceOf(IllegalArgumentException.class);
            assertThat(catchThrowable(() -> FlowModel.load(broken)))
                .isInstanceOf(IOException.class);
            assertThat(catchThrowable(() -> model.logProb(new int[][] {{7, 7}})))
                .isInstanceOf(IllegalArgumentException.class);
          });
    }
  }
}
