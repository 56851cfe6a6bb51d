package io.ringflow.train;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringflow.Architecture;
import io.ringflow.FlowModel;
import io.ringflow.Weights;
import io.ringflow.WeightsFile;
import io.ringflow.store.FolderWriter;
import io.ringflow.store.Json;
import io.ringflow.store.ModelFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A training on disk: {@code config.json} (what is trained and how far it is), the weights, the
 * optimiser's two moments, and the best weights so far. Written whole or not at all, so that a
 * killed run finds its last checkpoint.
 */
final class CheckpointFolder {
  private static final String FORMAT = "ringflow-checkpoint";
  private static final int VERSION = 1;
  private static final String CONFIG = "config.json";
  private static final String WEIGHTS = "weights.safetensors";
  private static final String FIRST_MOMENT = "first-moment.safetensors";
  private static final String SECOND_MOMENT = "second-moment.safetensors";
  private static final String BEST = "best.safetensors";

  /**
   * How far training is.
   *
   * @param step steps done
   * @param seconds spent
   */
  record Position(long step, double seconds) {}

  private record Config(
      String format,
      int version,
      Position position,
      boolean hasBest,
      double bestLoss,
      long evaluatedAt,
      int evaluationsSince,
      TrainingOptions options,
      Architecture architecture) {}

  private final Path folder;
  private final FlowModel model;
  private final TrainingOptions options;

  CheckpointFolder(Path folder, FlowModel model, TrainingOptions options) {
    this.folder = folder;
    this.model = model;
    this.options = options;
  }

  void save(AdamW optimizer, BestWeights best, Position position) throws IOException {
    Weights weights = model.weights();
    FolderWriter.write(
        folder,
        FORMAT,
        target -> {
          WeightsFile.write(target.resolve(WEIGHTS), weights, weights.values(), Map.of());
          WeightsFile.write(
              target.resolve(FIRST_MOMENT), weights, optimizer.firstMoment(), Map.of());
          WeightsFile.write(
              target.resolve(SECOND_MOMENT), weights, optimizer.secondMoment(), Map.of());
          if (best.found()) {
            WeightsFile.write(target.resolve(BEST), weights, best.values(), Map.of());
          }
          Json.write(
              target.resolve(CONFIG),
              new Config(
                  FORMAT,
                  VERSION,
                  position,
                  best.found(),
                  best.loss(),
                  best.evaluatedAt(),
                  best.evaluationsSince(),
                  options,
                  model.architecture()));
        });
  }

  /** Reads the checkpoint, if there is one, into model and optimiser. */
  Optional<Position> restore(AdamW optimizer, BestWeights best) throws IOException {
    FolderWriter.recover(folder);
    Path file = folder.resolve(CONFIG);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Config config = config(file);
    Weights weights = model.weights();
    WeightsFile.read(folder.resolve(WEIGHTS), weights, weights.values());
    WeightsFile.read(folder.resolve(FIRST_MOMENT), weights, optimizer.firstMoment());
    WeightsFile.read(folder.resolve(SECOND_MOMENT), weights, optimizer.secondMoment());
    if (config.hasBest) {
      WeightsFile.read(folder.resolve(BEST), weights, best.values());
      best.resume(config.bestLoss, config.evaluatedAt, config.evaluationsSince);
    }
    return Optional.of(config.position);
  }

  private Config config(Path file) throws IOException {
    JsonNode json = Json.read(file, JsonNode.class);
    if (!FORMAT.equals(json.path("format").asText())) {
      throw new ModelFormatException(file, "is not a Ringflow checkpoint's");
    }
    if (json.path("version").asInt() > VERSION) {
      throw new ModelFormatException(file, "is of a newer version: use a newer Ringflow");
    }
    Config config = Json.bind(file, json, Config.class);
    if (!config.architecture.equals(model.architecture()) || !config.options.equals(options)) {
      throw new ModelFormatException(
          file,
          "belongs to a training with another architecture or other options: choose another folder");
    }
    return config;
  }
}
