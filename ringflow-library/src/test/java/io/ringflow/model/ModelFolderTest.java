package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ringflow.RingFlow;
import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.store.Safetensors;
import io.ringflow.internal.store.Safetensors.Entry;
import io.ringflow.spi.Tensors;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions.Family;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models on disk: what is written comes back, and what is damaged is refused. */
final class ModelFolderTest {
  @TempDir Path temporary;
  private Path folder;

  @BeforeEach
  void name() {
    folder = temporary.resolve("model");
  }

  static Stream<String> architectures() {
    return Toys.architectures().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("architectures")
  void whatIsSavedComesBackBitByBit(String name) throws IOException {
    Architecture architecture = Toys.architectures().get(name);
    int[][] rows = Toys.rows(architecture.space(), 30, 1);
    int[][] condition = Toys.condition(architecture, 30, 2);
    try (FlowModel model = FlowModel.create(architecture, 3)) {
      EngineAccess.setProvenance(model, Toys.provenance(12));
      model.save(folder);
      try (FlowModel loaded = FlowModel.load(folder)) {
        assertThat(loaded.architecture()).isEqualTo(architecture);
        assertThat(loaded.provenance()).isEqualTo(model.provenance());
        assertThat(Tensors.toDoubles(Models.weights(loaded).values()))
            .isEqualTo(Tensors.toDoubles(Models.weights(model).values()));
        assertThat(loaded.logProb(rows, condition)).isEqualTo(model.logProb(rows, condition));
        // A second save writes the same bytes.
        loaded.save(temporary.resolve("again"));
        assertThat(contents(temporary.resolve("again"))).isEqualTo(contents(folder));
      }
    }
  }

  private void save() throws IOException {
    save(Toys.tables(), 1);
  }

  private void save(Architecture architecture, long seed) throws IOException {
    try (FlowModel model = FlowModel.create(architecture, seed)) {
      EngineAccess.setProvenance(model, Toys.provenance(seed));
      model.save(folder);
    }
  }

  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        contents.put(
            file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private void assertRefused(Path named, String reason) {
    assertThatThrownBy(() -> FlowModel.load(folder).close())
        .isInstanceOf(ModelFormatException.class)
        .hasMessageStartingWith(named.toString())
        .hasMessageContaining(reason)
        .message()
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"config.json", "model.safetensors", "training.json"})
  void aDamagedFileIsNamed(String name) throws IOException {
    save();
    Path file = folder.resolve(name);
    byte[] whole = Files.readAllBytes(file);

    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertRefused(file, "");
    Files.write(file, new byte[0]);
    assertRefused(file, "");
    byte[] flipped = whole.clone();
    flipped[whole.length - 4] ^= 1;
    Files.write(file, flipped);
    assertRefused(file, "");
    Files.delete(file);
    assertRefused(name.equals("config.json") ? folder : file, "");
    Files.createDirectory(file);
    assertRefused(file, "is a folder");
    Files.delete(file);
    Files.write(file, whole);
    FlowModel.load(folder).close();
  }

  @Test
  void aFlippedBitAmongTheWeightsIsSeen() throws IOException {
    save();
    Path weights = folder.resolve("model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    bytes[bytes.length - 1] ^= 0x40;
    Files.write(weights, bytes);
    assertRefused(weights, "is damaged: its SHA-256 is not the one in config.json");
  }

  private void rewriteTensors(UnaryOperator<Map<String, Entry>> change) throws IOException {
    Path weights = folder.resolve("model.safetensors");
    Safetensors.Contents whole = Safetensors.read(weights);
    Map<String, Entry> changed = change.apply(new LinkedHashMap<>(whole.tensors()));
    Safetensors.write(weights, changed, whole.metadata());
  }

  @Test
  void tensorsAreExactlyThoseOfTheArchitecture() throws IOException {
    Path weights = folder.resolve("model.safetensors");
    save();
    rewriteTensors(
        tensors -> {
          tensors.put("extra", new Entry("F32", List.of(1L), ByteBuffer.allocate(4)));
          return tensors;
        });
    assertRefused(weights, "holds 'extra', which this architecture has no place for");

    save();
    rewriteTensors(
        tensors -> {
          Entry logits = tensors.remove("base.logits");
          tensors.put("base.logits", new Entry("F32", List.of(10L), logits.data()));
          return tensors;
        });
    assertRefused(weights, "'base.logits' is F32[10], but should be F32[2, 5]");

    save();
    rewriteTensors(
        tensors -> {
          tensors.put("base.logits", new Entry("F64", List.of(2L, 5L), ByteBuffer.allocate(80)));
          return tensors;
        });
    assertRefused(weights, "is F64[2, 5]");

    save();
    rewriteTensors(
        tensors -> {
          tensors.remove("base.logits");
          return tensors;
        });
    assertRefused(weights, "");
  }

  private void rewriteConfig(String what, String with) throws IOException {
    Path config = folder.resolve("config.json");
    String text = Files.readString(config);
    assertThat(text).contains(what);
    Files.writeString(config, text.replace(what, with));
  }

  @Test
  void theConfigIsReadStrictly() throws IOException {
    Path config = folder.resolve("config.json");
    save();
    rewriteConfig("\"version\": 2", "\"version\": 3");
    assertRefused(config, "is of version 3, but this Ringflow reads up to 2");
    save();
    rewriteConfig("\"version\": 2", "\"version\": 1");
    assertRefused(config, "is of version 1, which this Ringflow no longer reads");
    save();
    rewriteConfig("\"version\": 2", "\"version\": 1e3");
    assertRefused(config, "has no valid version");
    save();
    rewriteConfig("\"version\": 2", "\"version\": 2, \"surprise\": true");
    assertRefused(config, "surprise: unknown field");
    save();
    rewriteConfig("\"bipartite\"", "\"tripartite\"");
    assertRefused(config, "unknown type 'tripartite'");
    save();
    rewriteConfig("\"bipartite\"", "\"java.lang.ProcessBuilder\"");
    assertRefused(config, "architecture.layers[0]");
    save();
    rewriteConfig("\"10\"", "\"11\"");
    assertRefused(config, "keeps every position");
    save();
    rewriteConfig("\"10\"", "null");
    assertRefused(config, "null");
    save();
    rewriteConfig("\"space\": [ 5, 5 ]", "\"space\": [ 5, 0 ]");
    assertRefused(config, "position 1 has cardinality 0");
    save();
    rewriteConfig("ringflow-model", "somebody-elses");
    assertRefused(config, "is not that of a ringflow-model");
  }

  @Test
  void aModelTooLargeForItsFileIsRefusedBeforeMemoryIsAskedFor() throws IOException {
    save(Toys.architectures().get("made"), 1);
    rewriteConfig("\"hidden\": 12", "\"hidden\": 30000");
    assertThat(catchThrowable(() -> FlowModel.load(folder).close()))
        .isInstanceOf(ModelFormatException.class)
        .message()
        .hasLineCount(1);
  }

  @Test
  void whatIsNoModelIsSaidToBeNone() throws IOException {
    assertThatThrownBy(() -> FlowModel.load(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("no such model folder");
    Files.writeString(folder, "a file");
    assertThatThrownBy(() -> FlowModel.load(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(folder.toString());
    Files.delete(folder);
    Files.createDirectory(folder);
    assertRefused(folder, "it has no config.json");
  }

  @Test
  void aFolderOfSomethingElseIsNotOverwritten() throws IOException {
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("thesis.tex"), "years of work");
    assertThatThrownBy(this::save)
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(folder.toString());
    assertThat(folder.resolve("thesis.tex")).hasContent("years of work");
  }

  @Test
  void aFailedSaveLeavesTheOldModel() throws IOException {
    save();
    Map<String, String> before = contents(folder);
    FlowModel closed = FlowModel.create(Toys.tables(), 2);
    closed.close();
    assertThatThrownBy(() -> closed.save(folder))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this model is closed");
    assertThat(contents(folder)).isEqualTo(before);
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).containsExactly(folder);
    }
    save(Toys.tables(), 2);
    assertThat(contents(folder)).isNotEqualTo(before);
  }

  @Test
  void provenanceThatJsonDoesNotKnowIsNotSaved() throws IOException {
    Provenance known = Toys.provenance(1);
    Provenance unknown =
        new Provenance(
            known.ringflow(),
            known.libtorch(),
            known.java(),
            known.device(),
            known.finishedAt(),
            known.data(),
            known.steps(),
            known.seconds(),
            known.loss(),
            known.bestValidation(),
            known.stopReason(),
            Map.of("when", Instant.EPOCH),
            null);
    try (FlowModel model = FlowModel.create(Toys.tables(), 1)) {
      EngineAccess.setProvenance(model, unknown);
      assertThatThrownBy(() -> model.save(folder)).isInstanceOf(IllegalArgumentException.class);
    }
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void anUntrainedModelHasNoRecordOfATraining() throws IOException {
    try (FlowModel model = FlowModel.create(Toys.tables(), 1)) {
      model.save(folder);
    }
    assertThat(folder.resolve("training.json")).doesNotExist();
    try (FlowModel loaded = FlowModel.load(folder)) {
      assertThat(loaded.provenance()).isEmpty();
      assertThat(loaded.codec()).isEmpty();
    }
  }

  /** Whoever loads a table's flow alone, and saves it, still has a table. */
  @Test
  void anUnknownCodecIsKeptAsItIs() throws IOException {
    Path copy = temporary.resolve("copy");
    try (TableModel table = WildModels.table(Family.GROUP)) {
      table.save(folder);
      try (FlowModel flow = FlowModel.load(folder)) {
        assertThat(flow.codec()).isPresent();
        assertThat(flow.codec().get()).isNotInstanceOf(TableCodec.class);
        assertThat(flow.fingerprint()).isEqualTo(table.flow().fingerprint());
        flow.save(copy);
      }
      assertThat(contents(copy)).isEqualTo(contents(folder));
      try (FittedModel loaded = RingFlow.load(copy)) {
        assertThat(loaded.codec()).isEqualTo(table.codec());
        assertThat(((TableModel) loaded).score(WildModels.TABLE))
            .isEqualTo(table.score(WildModels.TABLE));
      }
    }
  }
}
