package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.compress.CountModel;
import io.ringflow.core.Device;
import io.ringflow.model.FittedModel;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a command takes as MODEL. */
final class ModelArgument {
  private ModelArgument() {}

  /** Whether a path is a folder that says it holds a model, sound or not. */
  static boolean isModel(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return false;
    }
    if (CountModel.isAt(path)) {
      return true;
    }
    Path config = path.resolve("config.json");
    return Files.isRegularFile(config)
        && new String(Files.readAllBytes(config), StandardCharsets.ISO_8859_1)
            .contains("\"ringflow-");
  }

  /** A model of a table, for commands that make no sense with texts. */
  static TableModel loadTable(Path folder, Device device) throws IOException {
    FittedModel model = RingFlow.load(folder, device);
    if (model instanceof TableModel table) {
      return table;
    }
    model.close();
    throw new IllegalArgumentException(folder + ": is a model of texts, not of a table");
  }
}
