package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.compress.CountModel;
import io.ringflow.core.Device;
import io.ringflow.model.FittedModel;
import io.ringflow.table.TableModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a command takes as MODEL. */
final class ModelArgument {
  private static final int BEGINNING = 64;

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

  /** Whether the folder of a model says that it is one of a table, sound or not. */
  static boolean isTable(Path folder) throws IOException {
    Path codec = folder.resolve("codec.json");
    if (!Files.isRegularFile(codec)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(codec)) {
      String beginning = new String(in.readNBytes(BEGINNING), StandardCharsets.ISO_8859_1);
      return beginning.replaceAll("\\s", "").startsWith("{\"type\":\"table\"");
    }
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
