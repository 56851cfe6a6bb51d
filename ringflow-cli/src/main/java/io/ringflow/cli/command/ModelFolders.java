package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.core.Device;
import io.ringflow.model.FittedModel;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Path;

/** Models of people's own data, read from their folders. */
final class ModelFolders {
  private ModelFolders() {}

  /**
   * Reads a model that must be of a text.
   *
   * @throws IllegalArgumentException if it is of a table
   */
  static TextModel text(Path folder, Device device) throws IOException {
    FittedModel model = RingFlow.load(folder, device);
    if (model instanceof TextModel text) {
      return text;
    }
    model.close();
    throw new IllegalArgumentException(
        folder
            + " is a model of a table, but files are compressed by models of texts; make one with"
            + " ringflow train FILE --text or --bytes");
  }
}
