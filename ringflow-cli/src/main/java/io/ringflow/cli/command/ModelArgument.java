package io.ringflow.cli.command;

import io.ringflow.compress.CountModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells the folder of a model from a folder of files. */
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
}
