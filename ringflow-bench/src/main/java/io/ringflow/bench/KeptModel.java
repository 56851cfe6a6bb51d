package io.ringflow.bench;

import io.ringflow.RingFlow;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The model of a table that is there, or one that is trained, and kept for the next time. */
final class KeptModel {
  private KeptModel() {}

  /** Trains a model. */
  @FunctionalInterface
  interface Training {
    TableModel train() throws IOException;
  }

  /**
   * The model of a folder.
   *
   * @param folder null to keep none
   */
  static TableModel of(Path folder, Training training) throws IOException {
    if (folder != null && Files.exists(folder)) {
      return (TableModel) RingFlow.load(folder);
    }
    TableModel model = training.train();
    if (folder != null) {
      model.save(folder);
    }
    return model;
  }
}
