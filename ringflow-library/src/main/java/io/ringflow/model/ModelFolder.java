package io.ringflow.model;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.ringflow.core.Device;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.TorchException;
import io.ringflow.internal.engine.Layout;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.engine.WeightsFile;
import io.ringflow.internal.store.ConfigFile;
import io.ringflow.internal.store.FolderWriter;
import io.ringflow.internal.store.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A model on disk: {@code config.json} (the architecture), {@code model.safetensors} (the weights),
 * {@code training.json} (where it comes from) and, where symbols stand for something, {@code
 * codec.json} (for what).
 *
 * <p>Written whole or not at all. Read strictly: a damaged, foreign or newer folder is an error
 * that says which. Nothing read can run code: the types that {@code config.json} may name are
 * fixed.
 */
final class ModelFolder {
  private static final String FORMAT = "ringflow-model";
  private static final int VERSION = 1;
  private static final String WEIGHTS = "model.safetensors";
  private static final String TRAINING = "training.json";
  private static final String CODEC = "codec.json";

  /** Stands among the files' checksums for what {@code config.json} itself says. */
  private static final String ARCHITECTURE = "architecture";

  private static final Set<String> FILES = Set.of(WEIGHTS, TRAINING);
  private static final Set<String> FILES_WITH_CODEC = Set.of(WEIGHTS, TRAINING, CODEC);

  private ModelFolder() {}

  @JsonPropertyOrder({"format", "version", "sha256", "architecture"})
  private record Config(
      String format, int version, Map<String, String> sha256, Architecture architecture) {
    Config {
      Objects.requireNonNull(architecture);
      sha256 = Map.copyOf(sha256);
    }
  }

  static void save(FlowModel model, Path folder) throws IOException {
    Weights weights = model.weights();
    FolderWriter.createParents(folder);
    FolderWriter.write(
        folder,
        FORMAT,
        target -> {
          WeightsFile.write(target.resolve(WEIGHTS), weights, weights.values());
          Json.write(target.resolve(TRAINING), model.provenance());
          if (!model.codec().isEmpty()) {
            Json.write(target.resolve(CODEC), model.codec());
          }
          Map<String, String> sums = new TreeMap<>(ConfigFile.checksums(target));
          sums.put(ARCHITECTURE, Fingerprint.of(model.architecture()));
          Json.write(
              target.resolve(ConfigFile.NAME),
              new Config(FORMAT, VERSION, sums, model.architecture()));
        });
  }

  static FlowModel load(Path folder, Device device) throws IOException {
    FolderWriter.recover(folder);
    if (!Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString(), null, "no such model folder");
    }
    FlowModel model;
    try {
      Config config = undamaged(folder, ConfigFile.read(folder, FORMAT, VERSION, Config.class));
      model = FlowModel.of(config.architecture, layout -> weights(folder, config, layout, device));
    } catch (TorchException | ArithmeticException | OutOfMemoryError e) {
      // A file may ask for any size: what is too much here must not end the caller.
      throw new ModelFormatException(
          folder.resolve(ConfigFile.NAME),
          "describes a model that is too large here: " + e.getMessage(),
          e);
    }
    try {
      model.provenance(map(folder.resolve(TRAINING)));
      if (Files.exists(folder.resolve(CODEC))) {
        model.codec(map(folder.resolve(CODEC)));
      }
      return model;
    } catch (IOException | RuntimeException e) {
      model.close();
      throw e;
    }
  }

  /** Folders of before there was a checksum of the architecture are taken at their word. */
  private static Config undamaged(Path folder, Config config) throws ModelFormatException {
    Map<String, String> files = new HashMap<>(config.sha256);
    String recorded = files.remove(ARCHITECTURE);
    if (recorded != null && !recorded.equals(Fingerprint.of(config.architecture))) {
      throw new ModelFormatException(
          folder.resolve(ConfigFile.NAME), "is damaged: its architecture is not the one written");
    }
    return new Config(config.format, config.version, files, config.architecture);
  }

  private static Weights weights(Path folder, Config config, Layout layout, Device device)
      throws IOException {
    Path file = folder.resolve(WEIGHTS);
    if (!Files.exists(file)) {
      throw new ModelFormatException(file, "is missing");
    }
    // Before memory is asked for, which config.json may call for without end.
    long bytes = Math.multiplyExact(layout.count(), Float.BYTES);
    if (Files.size(file) < bytes) {
      throw new ModelFormatException(
          file,
          String.format(
              "has %d bytes, but the architecture in %s needs %d and more",
              Files.size(file), ConfigFile.NAME, bytes));
    }
    Weights weights = Weights.zeros(layout, device);
    try {
      WeightsFile.read(file, weights, weights.values());
      boolean meant = config.sha256.containsKey(CODEC) || Files.exists(folder.resolve(CODEC));
      ConfigFile.verify(folder, config.sha256, meant ? FILES_WITH_CODEC : FILES);
      return weights;
    } catch (IOException | RuntimeException | Error e) {
      weights.close();
      throw e;
    }
  }

  @SuppressWarnings("unchecked") // JSON objects are maps by string
  private static Map<String, Object> map(Path file) throws IOException {
    return Json.read(file, Map.class);
  }
}
