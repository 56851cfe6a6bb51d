package io.ringflow.train;

import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A small model, its data and a folder, for tests of the trainer. */
@ExtendWith(LeakCheck.class)
abstract class ToyTraining {
  static final Space SPACE = Toys.tables().space();
  static final Batches DATA = Batches.shuffled(Toys.rows(SPACE, 200, 1), 16, 2);

  @TempDir Path folder;
  FlowModel model;
  Path checkpoint;

  @BeforeEach
  void create() {
    model = FlowModel.create(Toys.tables(), 1);
    checkpoint = folder.resolve("checkpoint");
  }

  @AfterEach
  void close() {
    model.close();
  }

  static TrainingOptions.Builder options(long steps) {
    return TrainingOptions.builder(steps).learningRate(0.02).logEvery(10).checkpointEvery(20);
  }

  double[] weights() {
    return weights(model);
  }

  static double[] weights(FlowModel model) {
    try (Scope scope = Scope.inference()) {
      return Tensors.toDoubles(Models.weights(model).values());
    }
  }
}
