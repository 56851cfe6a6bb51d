package io.ringflow.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonTest {
  enum Kind {
    FIRST,
    SECOND
  }

  record Layer(String name, int width) {
    Layer {
      if (width < 1) {
        throw new IllegalArgumentException("width: at least 1, got " + width);
      }
    }
  }

  record Config(String zeta, int count, double rate, Kind kind, List<Layer> layers) {}

  private static final Config CONFIG =
      new Config("ü 🙂", 3, 0.1, Kind.SECOND, List.of(new Layer("a", 1), new Layer("b", 2)));

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void file() {
    file = folder.resolve("config.json");
  }

  @Test
  void aRecordComesBack() throws IOException {
    Json.write(file, CONFIG);
    assertThat(Json.read(file, Config.class)).isEqualTo(CONFIG);
    assertThat(folder).isDirectoryNotContaining(p -> !p.equals(file));
  }

  @Test
  void theTextKeepsItsOrderAndItsLineEnds() throws IOException {
    Json.write(file, new Config("z", 1, 2, Kind.FIRST, List.of(new Layer("a", 1))));
    assertThat(Files.readString(file))
        .isEqualTo(
            """
            {
              "zeta": "z",
              "count": 1,
              "rate": 2.0,
              "kind": "FIRST",
              "layers": [ {
                "name": "a",
                "width": 1
              } ]
            }
            """);
  }

  @Test
  void figuresThatAreNotNumbersComeBack() throws IOException {
    double[] metrics = {Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -0.0, 1e300};
    Json.write(file, metrics);
    assertThat(Json.read(file, double[].class)).containsExactly(metrics);
  }

  @Test
  void aVersionCanBeSeenBeforeTheRestIsBound() throws IOException {
    Json.write(file, CONFIG);
    JsonNode tree = Json.read(file, JsonNode.class);
    assertThat(tree.path("count").intValue()).isEqualTo(3);
    assertThat(Json.bind(file, tree, Config.class)).isEqualTo(CONFIG);
    assertThatThrownBy(() -> Json.bind(file, tree, Layer.class))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(file + ": name: missing field");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'name':'a','width':1,'depth':2}        | depth: unknown field",
        "{'name':'a'}                            | width: missing field",
        "{'name':'a','width':null}               | width: Cannot map `null` into type `int`",
        "{'name':'a','width':'1'}                | width: Cannot coerce String value",
        "{'name':'a','width':1.5}                | width: Cannot coerce Floating-point value",
        "{'name':'a','width':99999999999}        | width: Numeric value (99999999999) out of range",
        "{'name':'a','width':0}                  | width: at least 1, got 0",
        "{'name':'a','width':1,'width':1}        | Duplicate field 'width'",
        "{'name':'a','width':1} {}               | Trailing token",
        "{'name':'a','width':1                   | not valid JSON at line 1, column ",
        "[]                                      | Cannot deserialize value of type",
        "null                                    | holds no value",
        "``                                      | No content"
      })
  void whatDoesNotFitIsRefusedInOneLine(String text, String reason) throws IOException {
    Files.writeString(file, text.replace('\'', '"'));
    assertThatThrownBy(() -> Json.read(file, Layer.class))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(reason)
        .extracting(Throwable::getMessage)
        .satisfies(
            message -> {
              assertThat(message.lines()).hasSize(1);
              assertThat(message).doesNotContain("Source", "reference chain");
            });
  }

  @Test
  void theReasonSaysWhere() throws IOException {
    Json.write(file, CONFIG);
    Files.writeString(file, Files.readString(file).replace("\"width\": 2", "\"width\": true"));
    assertThatThrownBy(() -> Json.read(file, Config.class))
        .hasMessageStartingWith(file + ": layers[1].width: ");
  }

  @Test
  void anEnumIsAName() throws IOException {
    for (String kind : List.of("0", "\"THIRD\"", "\"\"")) {
      Json.write(file, CONFIG);
      Files.writeString(file, Files.readString(file).replace("\"SECOND\"", kind));
      assertThatThrownBy(() -> Json.read(file, Config.class))
          .isInstanceOf(ModelFormatException.class)
          .hasMessageStartingWith(file + ": kind: ");
    }
  }

  @Test
  void everyTruncationAndFlippedBitIsRefusedOrRead() throws IOException {
    Json.write(file, CONFIG);
    byte[] sound = Files.readAllBytes(file);
    // All but the last byte, a line end, is needed.
    for (int length = 0; length < sound.length - 1; length++) {
      Files.write(file, Arrays.copyOf(sound, length));
      assertThatThrownBy(() -> Json.read(file, Config.class))
          .isInstanceOf(ModelFormatException.class);
    }
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(file, damaged);
      try {
        assertThat(Json.read(file, Config.class)).isNotNull();
      } catch (ModelFormatException e) {
        assertThat(e.getMessage().lines()).hasSize(1);
      }
    }
  }

  @Test
  void nestingAsDeepAsTheFileIsRefused() throws IOException {
    Files.writeString(file, "[".repeat(1_000_000));
    assertThatThrownBy(() -> Json.read(file, JsonNode.class))
        .isInstanceOf(ModelFormatException.class);
  }

  @Test
  void textInAnotherEncodingIsRefused() throws IOException {
    Files.write(file, "{\"a\": \"ü\"}".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> Json.read(file, JsonNode.class))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(file + ": text is not valid UTF-8");
    Files.write(file, "{}".getBytes(StandardCharsets.UTF_16));
    assertThatThrownBy(() -> Json.read(file, JsonNode.class))
        .isInstanceOf(ModelFormatException.class);
  }

  @Test
  void whatCannotBeWrittenLeavesTheOldFile() throws IOException {
    Json.write(file, CONFIG);
    for (Object value : List.of(new Object(), Map.of("k", "half \ud800"))) {
      assertThatThrownBy(() -> Json.write(file, value))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Json.read(file, Config.class)).isEqualTo(CONFIG);
    assertThat(folder).isDirectoryNotContaining(p -> !p.equals(file));
  }

  @Test
  void whatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Json.read(file, Config.class))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(file + ": no such file");
    assertThatThrownBy(() -> Json.write(folder.resolve("no/such.json"), CONFIG))
        .hasMessage(folder.resolve("no") + ": no such folder");
  }
}
