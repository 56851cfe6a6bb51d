package io.ringflow.train;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.StatisticsFile;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.engine.WeightsFile;
import io.ringflow.internal.store.ConfigFile;
import io.ringflow.internal.store.FolderWriter;
import io.ringflow.internal.store.Json;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;

/**
 * A training on disk: {@code config.json} (what is trained and how far it is), the weights, the
 * optimiser's two moments, the best weights so far, the weights' average where one is kept, and
 * what batches remember. Written whole or not at all, so that a killed run finds its last
 * checkpoint.
 */
final class CheckpointFolder {
  private static final String FORMAT = "ringflow-checkpoint";
  private static final int VERSION = 2;
  private static final String WEIGHTS = "weights.safetensors";
  private static final String FIRST_MOMENT = "first-moment.safetensors";
  private static final String SECOND_MOMENT = "second-moment.safetensors";
  private static final String BEST = "best.safetensors";
  private static final String AVERAGE = "average.safetensors";
  private static final String BATCHES = "batches.bin";

  /** What options were before there was a choice: checkpoints of that time do not name them. */
  private static final Map<String, Object> LATER_OPTIONS =
      Map.of(
          "rateDecay",
          RateDecay.COSINE,
          "optimizer",
          Optimizer.ADAMW,
          "matrixLearningRate",
          0.0,
          "averageWeights",
          0.0,
          "hiddenSymbols",
          0.0);

  /**
   * How far training is.
   *
   * @param step steps done
   * @param seconds spent
   * @param loss at the last report
   * @param bestLoss the lowest validation loss; infinite before the first
   * @param evaluatedAt the step of the last evaluation; -1 before the first
   * @param evaluationsSince evaluations since the best one
   */
  record Position(
      long step,
      double seconds,
      double loss,
      double bestLoss,
      long evaluatedAt,
      int evaluationsSince) {}

  /**
   * What {@code config.json} holds.
   *
   * @param data what it trains on, see {@link Batches#description()}, and what was counted before
   * @param options as JSON, because those of older checkpoints are not complete
   */
  private record Config(
      String format,
      int version,
      Map<String, String> sha256,
      Position position,
      String data,
      JsonNode options,
      JsonNode architecture) {
    Config {
      Objects.requireNonNull(position);
      sha256 = Map.copyOf(sha256);
    }
  }

  private final Path folder;
  private final FlowModel model;
  private final TrainingOptions options;
  private String statistics; // that training leaves as they are

  CheckpointFolder(Path folder, FlowModel model, TrainingOptions options) {
    this.folder = folder;
    this.model = model;
    this.options = options;
  }

  static boolean isThere(Path folder) {
    return Files.exists(folder.resolve(ConfigFile.NAME));
  }

  static void delete(Path folder) throws IOException {
    FolderWriter.delete(folder, FORMAT);
  }

  void save(
      WeightUpdate optimizer,
      BestWeights best,
      AverageWeights average,
      Position position,
      Batches data)
      throws IOException {
    byte[] remembered = data.state();
    Weights weights = EngineAccess.of(model).weights();
    FolderWriter.write(
        folder,
        FORMAT,
        target -> {
          WeightsFile.write(target.resolve(WEIGHTS), weights, weights.values());
          WeightsFile.write(target.resolve(FIRST_MOMENT), weights, optimizer.firstMoment());
          WeightsFile.write(target.resolve(SECOND_MOMENT), weights, optimizer.secondMoment());
          if (best.found()) {
            WeightsFile.write(target.resolve(BEST), weights, best.values());
          }
          if (average.found()) {
            WeightsFile.write(target.resolve(AVERAGE), weights, average.values());
          }
          if (remembered.length > 0) {
            Files.write(target.resolve(BATCHES), remembered);
          }
          Json.write(
              target.resolve(ConfigFile.NAME),
              new Config(
                  FORMAT,
                  VERSION,
                  ConfigFile.checksums(target),
                  position,
                  described(data),
                  Json.tree(options),
                  Json.tree(model.architecture())));
        });
  }

  /**
   * Reads the checkpoint, if there is one, into model, optimiser and the rest: all of it or
   * nothing.
   *
   * @throws IOException if it is damaged or another training's, or if something else is in the
   *     folder's place
   */
  Optional<Position> restore(
      WeightUpdate optimizer, BestWeights best, AverageWeights average, Batches data)
      throws IOException {
    FolderWriter.recover(folder);
    if (!isThere(folder)) {
      FolderWriter.createParents(folder);
      FolderWriter.check(folder, FORMAT); // better now than at the first checkpoint
      return Optional.empty();
    }
    Config config = ConfigFile.read(folder, FORMAT, VERSION, Config.class, Set.of());
    requireSame(
        "architecture (other data or options, or another version of ringflow)",
        config.architecture,
        Json.tree(model.architecture()));
    requireSame("set of options", complete(config.options), Json.tree(Json.plain(options)));
    requireSame("set of data", config.data, described(data));
    Weights weights = EngineAccess.of(model).weights();
    boolean hasBest = config.sha256.containsKey(BEST);
    boolean hasAverage = average.isWanted() && config.position.step > 0;
    try (Scope scope = Scope.inference()) {
      Tensor values = read(WEIGHTS);
      Tensor firstMoment = read(FIRST_MOMENT);
      Tensor secondMoment = read(SECOND_MOMENT);
      Tensor bestValues = hasBest ? read(BEST) : null;
      Tensor averageValues = hasAverage ? read(AVERAGE) : null;
      Set<String> files = new HashSet<>(Set.of(WEIGHTS, FIRST_MOMENT, SECOND_MOMENT));
      if (hasBest) {
        files.add(BEST);
      }
      if (hasAverage) {
        files.add(AVERAGE);
      }
      int remembered = data.state().length;
      if (remembered > 0) {
        files.add(BATCHES);
      }
      ConfigFile.verify(folder, config.sha256, files);
      if (remembered > 0) {
        byte[] state = Files.readAllBytes(folder.resolve(BATCHES));
        requireSame("set of data", state.length, remembered);
        data.restore(state);
      }
      weights.values().copy_(values);
      optimizer.firstMoment().copy_(firstMoment);
      optimizer.secondMoment().copy_(secondMoment);
      if (hasBest) {
        best.values().copy_(bestValues);
      }
      if (hasAverage) {
        average.values().copy_(averageValues);
      }
    }
    Position position = config.position;
    best.resume(position.bestLoss, position.evaluatedAt, position.evaluationsSince);
    return Optional.of(position);
  }

  private static JsonNode complete(JsonNode options) {
    Map<String, Object> named = new HashMap<>(LATER_OPTIONS);
    options.properties().forEach(field -> named.put(field.getKey(), field.getValue()));
    return Json.tree(named);
  }

  private String described(Batches data) {
    if (statistics == null) {
      statistics = StatisticsFile.sha256(EngineAccess.of(model).weights());
    }
    return statistics.isEmpty()
        ? data.description()
        : data.description() + "; counted, SHA-256 " + statistics;
  }

  private Tensor read(String name) throws IOException {
    Weights weights = EngineAccess.of(model).weights();
    Tensor vector = Tensors.zeros(weights.values(), weights.values().numel());
    WeightsFile.read(folder.resolve(name), weights, vector);
    return vector;
  }

  private void requireSame(String what, Object found, Object wanted) throws ModelFormatException {
    if (!wanted.equals(found)) {
      throw new ModelFormatException(
          folder,
          String.format(
              "is the checkpoint of a training with another %s: choose another folder, or delete it",
              what));
    }
  }
}
