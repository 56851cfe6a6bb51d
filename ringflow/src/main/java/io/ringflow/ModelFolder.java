package io.ringflow;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import io.ringflow.store.FolderWriter;
import io.ringflow.store.Json;
import io.ringflow.store.ModelFormatException;
import io.ringflow.torch.Device;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * A model on disk: {@code config.json} (the architecture), {@code model.safetensors} (the weights)
 * and {@code training.json} (where it comes from).
 *
 * <p>Written whole or not at all. Read strictly: a damaged, foreign or newer folder is an error
 * that says which. Nothing read can run code: the types that {@code config.json} may name are
 * fixed.
 */
final class ModelFolder {
  static final String FORMAT = "ringflow-model";
  static final int VERSION = 1;
  static final String CONFIG = "config.json";
  static final String WEIGHTS = "model.safetensors";
  static final String TRAINING = "training.json";

  private ModelFolder() {}

  @JsonPropertyOrder({"format", "version", "weightsSha256", "architecture"})
  record Config(String format, int version, String weightsSha256, Architecture architecture) {}

  static void save(FlowModel model, Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    FolderWriter.write(folder, FORMAT, target -> writeTo(target, model));
  }

  /** Writes the files of a model into a folder that is being made. */
  static void writeTo(Path target, FlowModel model) throws IOException {
    Path weights = target.resolve(WEIGHTS);
    WeightsFile.write(weights, model.weights(), model.weights().values(), Map.of("format", FORMAT));
    Json.write(
        target.resolve(CONFIG), new Config(FORMAT, VERSION, sha256(weights), model.architecture()));
    Json.write(target.resolve(TRAINING), model.provenance());
  }

  static FlowModel load(Path folder, Device device) throws IOException {
    FolderWriter.recover(folder);
    Config config = config(folder);
    FlowModel model = FlowModel.create(config.architecture, device, 0);
    try {
      readWeights(folder, config, model);
      model.provenance(provenance(folder));
      return model;
    } catch (IOException | RuntimeException e) {
      model.close();
      throw e;
    }
  }

  static Config config(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString(), null, "no such model folder");
    }
    Path file = folder.resolve(CONFIG);
    if (!Files.exists(file)) {
      throw new ModelFormatException(folder, "is not a Ringflow model: it has no " + CONFIG);
    }
    JsonNode json = Json.read(file, JsonNode.class);
    if (!FORMAT.equals(json.path("format").asText())) {
      throw new ModelFormatException(file, "is not a Ringflow model's");
    }
    int version = json.path("version").asInt(-1);
    if (version > VERSION) {
      throw new ModelFormatException(
          file,
          "is of version "
              + version
              + ", but this Ringflow reads up to "
              + VERSION
              + ": use a newer one");
    }
    if (version < 1) {
      throw new ModelFormatException(file, "has no valid version");
    }
    return Json.bind(file, json, Config.class);
  }

  static void readWeights(Path folder, Config config, FlowModel model) throws IOException {
    Path weights = folder.resolve(WEIGHTS);
    if (!Files.exists(weights)) {
      throw new ModelFormatException(weights, "is missing");
    }
    WeightsFile.read(weights, model.weights(), model.weights().values());
    if (!sha256(weights).equals(config.weightsSha256)) {
      throw new ModelFormatException(
          weights, "is damaged: its SHA-256 is not the one in " + CONFIG);
    }
  }

  @SuppressWarnings("unchecked") // JSON objects are maps by string
  static Map<String, Object> provenance(Path folder) throws IOException {
    return Json.read(folder.resolve(TRAINING), Map.class);
  }

  static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new UncheckedIOException(new IOException("every Java has SHA-256", e));
    }
  }
}
