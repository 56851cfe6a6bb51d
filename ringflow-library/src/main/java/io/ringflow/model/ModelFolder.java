package io.ringflow.model;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import io.ringflow.core.Device;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.TorchException;
import io.ringflow.internal.engine.CountsFile;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Layout;
import io.ringflow.internal.engine.StatisticsFile;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.engine.WeightsFile;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.internal.store.ConfigFile;
import io.ringflow.internal.store.FolderWriter;
import io.ringflow.internal.store.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A model on disk: {@code config.json} (the architecture), {@code model.safetensors} (the weights),
 * {@code training.json} (where it comes from, once it is trained) and, where symbols stand for
 * something, {@code codec.json} (for what); where its network has statistics, {@code
 * statistics.bin}; where its text was counted for compression too, {@code counts.bin}.
 *
 * <p>Written whole or not at all. Read strictly: a damaged, foreign or newer folder is an error
 * that says which. Nothing read can run code: the types that {@code config.json} may name are those
 * of {@link Parts}.
 */
final class ModelFolder {
  private static final String FORMAT = "ringflow-model";
  private static final int VERSION = 2;
  private static final String WEIGHTS = "model.safetensors";
  private static final String TRAINING = "training.json";
  private static final String CODEC = "codec.json";
  private static final String COUNTS = "counts.bin";
  private static final String STATISTICS = "statistics.bin";

  /** Stands among the files' checksums for what {@code config.json} itself says. */
  private static final String ARCHITECTURE = "architecture";

  private ModelFolder() {}

  @JsonPropertyOrder({"format", "version", "sha256", "architecture"})
  private record Config(
      String format, int version, Map<String, String> sha256, Architecture architecture) {
    Config {
      Objects.requireNonNull(architecture);
      sha256 = Map.copyOf(sha256);
    }
  }

  static void requireWritable(Path folder) throws IOException {
    FolderWriter.createParents(folder);
    FolderWriter.check(folder, FORMAT);
  }

  static void save(FlowModel model, Weights weights, Path folder) throws IOException {
    FolderWriter.createParents(folder);
    FolderWriter.write(
        folder,
        FORMAT,
        target -> {
          WeightsFile.write(target.resolve(WEIGHTS), weights, weights.values());
          if (!weights.statistics().isEmpty()) {
            StatisticsFile.write(target.resolve(STATISTICS), weights);
          }
          if (model.provenance().isPresent()) {
            Json.write(target.resolve(TRAINING), model.provenance().get());
          }
          if (model.codec().isPresent()) {
            Json.write(target.resolve(CODEC), model.codec().get());
          }
          Optional<Supplier<CountedText>> counts = EngineAccess.counts(model);
          if (counts.isPresent()) {
            CountsFile.write(target.resolve(COUNTS), counts.get().get());
          }
          Map<String, String> sums = new TreeMap<>(ConfigFile.checksums(target));
          sums.put(ARCHITECTURE, Fingerprint.of(model.architecture()));
          Json.write(
              target.resolve(ConfigFile.NAME),
              new Config(FORMAT, VERSION, sums, model.architecture()));
        });
  }

  static FlowModel load(Path folder, Device device, Parts parts) throws IOException {
    FolderWriter.recover(folder);
    if (!Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString(), null, "no such model folder");
    }
    FlowModel model;
    try {
      Config config = ConfigFile.read(folder, FORMAT, VERSION, Config.class, parts.classes());
      Map<String, String> sums = fileSums(folder, config);
      Codec codec = codec(folder, parts);
      model =
          FlowModel.of(config.architecture, codec, layout -> weights(folder, sums, layout, device));
    } catch (TorchException | ArithmeticException | OutOfMemoryError e) {
      // A file may ask for any size: what is too much here must not end the caller.
      throw new ModelFormatException(
          folder.resolve(ConfigFile.NAME),
          "describes a model that is too large here: " + e.getMessage(),
          e);
    }
    try {
      if (Files.exists(folder.resolve(TRAINING))) {
        EngineAccess.setProvenance(model, Json.read(folder.resolve(TRAINING), Provenance.class));
      }
      if (Files.exists(folder.resolve(COUNTS))) {
        EngineAccess.setCounts(model, CountsFile.later(folder.resolve(COUNTS)));
      }
      return model;
    } catch (IOException | RuntimeException e) {
      model.close();
      throw e;
    }
  }

  /** A codec whose type is not among the parts is kept as it is: the flow itself needs none. */
  private static Codec codec(Path folder, Parts parts) throws IOException {
    Path file = folder.resolve(CODEC);
    if (!Files.exists(file)) {
      return null;
    }
    JsonNode tree = Json.read(file, JsonNode.class);
    boolean known =
        parts.classes().stream()
            .filter(Codec.class::isAssignableFrom)
            .map(part -> part.getAnnotation(JsonTypeName.class))
            .anyMatch(name -> name != null && name.value().equals(tree.path("type").asText()));
    return known ? Json.bind(file, tree, Codec.class, parts.classes()) : new UnknownCodec(tree);
  }

  /** A codec that nobody here can read. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
  private record UnknownCodec(@JsonValue JsonNode tree) implements Codec {}

  /** The checksums of the folder's files, once that of the architecture has been compared. */
  private static Map<String, String> fileSums(Path folder, Config config)
      throws ModelFormatException {
    Map<String, String> files = new HashMap<>(config.sha256);
    String recorded = files.remove(ARCHITECTURE);
    if (!Fingerprint.of(config.architecture).equals(recorded)) {
      throw new ModelFormatException(
          folder.resolve(ConfigFile.NAME), "is damaged: its architecture is not the one written");
    }
    return files;
  }

  private static Weights weights(
      Path folder, Map<String, String> sums, Layout layout, Device device) throws IOException {
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
    Path counted = folder.resolve(STATISTICS);
    if (!layout.statistics().isEmpty()) {
      StatisticsFile.requireRoomIn(counted, layout);
    }
    Weights weights = Weights.zeros(layout, device);
    try {
      WeightsFile.read(file, weights, weights.values());
      if (!layout.statistics().isEmpty()) {
        StatisticsFile.read(counted, weights);
      }
      ConfigFile.verify(folder, sums, files(folder, sums));
      return weights;
    } catch (IOException | RuntimeException | Error e) {
      weights.close();
      throw e;
    }
  }

  /** The files that the folder must have: the weights, and the others where they are or were. */
  private static Set<String> files(Path folder, Map<String, String> sums) {
    Set<String> names = new HashSet<>(Set.of(WEIGHTS));
    for (String name : List.of(TRAINING, CODEC, COUNTS, STATISTICS)) {
      if (sums.containsKey(name) || Files.exists(folder.resolve(name))) {
        names.add(name);
      }
    }
    return names;
  }
}
