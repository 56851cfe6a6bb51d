package io.ringflow.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.store.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A codec survives a file, and a damaged file never surprises. */
final class TableCodecJsonTest {
  private static final DataTable TABLE =
      DataTable.of(
          List.of("age", "job \"now\""),
          List.of(
              List.of("17", "clerk"),
              List.of("30.5", "clerk"),
              List.of("1e2", "cook"),
              List.of("", "smith 😀"),
              List.of("31", ""),
              List.of("31", "clerk"),
              List.of("31", "clerk")));
  private static final TableCodec CODEC =
      TableCodec.fit(TABLE, CodecOptions.DEFAULTS.withMaxCategories(3).withBins(2));

  private static Path folder;

  @BeforeContainer
  static void open() throws IOException {
    folder = Files.createTempDirectory("codec");
  }

  @AfterContainer
  static void close() throws IOException {
    Files.deleteIfExists(file());
    Files.delete(folder);
  }

  private static Path file() {
    return folder.resolve("codec.json");
  }

  @Example
  void isPlainJson() throws IOException {
    Json.write(file(), CODEC);
    assertThat(file())
        .hasContent(
            """
            {
              "type": "table",
              "columns": [ {
                "type": "bins",
                "name": "age",
                "bins": [ {
                  "min": "17",
                  "max": "30.5",
                  "count": 2,
                  "repeated": {
                    "values": [ ],
                    "counts": [ ]
                  }
                }, {
                  "min": "31",
                  "max": "1e2",
                  "count": 4,
                  "repeated": {
                    "values": [ "31" ],
                    "counts": [ 3 ]
                  }
                } ],
                "minDecimals": 0,
                "maxDecimals": 1,
                "missing": {
                  "values": [ "" ],
                  "counts": [ 1 ]
                }
              }, {
                "type": "categories",
                "name": "job \\"now\\"",
                "values": {
                  "values": [ "clerk" ],
                  "counts": [ 4 ]
                },
                "rare": {
                  "values": [ "cook", "smith 😀" ],
                  "counts": [ 1, 1 ]
                },
                "missing": {
                  "values": [ "" ],
                  "counts": [ 1 ]
                }
              } ]
            }
            """);
    assertThat(Json.read(file(), TableCodec.class)).isEqualTo(CODEC);
  }

  /** Codecs of before repeated numbers were kept have none. */
  @Example
  void olderBinsHaveNoRepeatedNumbers() throws IOException {
    Json.write(file(), CODEC);
    String older = Files.readString(file()).replaceAll(",\\s*\"repeated\": \\{[^}]*}", "");
    assertThat(older).doesNotContain("repeated");
    Files.writeString(file(), older);
    var bins = (TableColumn.Bins) Json.read(file(), TableCodec.class).columns().get(0);
    assertThat(bins.bins())
        .containsExactly(new TableColumn.Bin("17", "30.5", 2), new TableColumn.Bin("31", "1e2", 4));
  }

  @Property(tries = 50, shrinking = ShrinkingMode.BOUNDED)
  void everyCodecComesBack(
      @ForAll("tables") DataTable table, @ForAll("options") CodecOptions options)
      throws IOException {
    TableCodec codec = TableCodec.fit(table, options);
    Json.write(file(), codec);
    assertThat(Json.read(file(), TableCodec.class)).isEqualTo(codec);
  }

  @Provide
  Arbitrary<DataTable> tables() {
    return TableCodecPropertiesTest.tables();
  }

  @Provide
  Arbitrary<CodecOptions> options() {
    return TableCodecPropertiesTest.options();
  }

  /** Every codec that can be read, damaged or not, encodes, decodes and describes itself. */
  @Example
  void damageIsRefusedOrHarmless() throws IOException {
    Json.write(file(), CODEC);
    byte[] sound = Files.readAllBytes(file());
    var random = new SplittableRandom(4);
    int refused = 0;
    for (int i = 0; i < 3 * sound.length + 1000; i++) {
      byte[] damaged = sound.clone();
      if (i < 3 * sound.length) {
        damaged[i / 3] ^= (byte) (1 << random.nextInt(8));
      } else {
        for (int hits = random.nextInt(1, 4); hits > 0; hits--) {
          damaged[random.nextInt(damaged.length)] = sound[random.nextInt(sound.length)];
        }
        damaged =
            random.nextInt(5) > 0
                ? damaged
                : Arrays.copyOf(damaged, random.nextInt(damaged.length));
      }
      Files.delete(file()); // a new file is faster than an emptied one
      Files.write(file(), damaged);
      try {
        use(Json.read(file(), TableCodec.class));
      } catch (ModelFormatException e) {
        assertThat(e.getMessage()).startsWith(file() + ": ").doesNotContain("\n", "\r");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(sound.length);
  }

  private static void use(TableCodec codec) {
    int[] last = codec.space().cardinalities().stream().mapToInt(k -> k - 1).toArray();
    DataTable decoded = codec.decode(new int[][] {new int[last.length], last}, 1);
    TableCodec.Encoded encoded = codec.encode(decoded);
    assertThat(encoded.symbols()).isDeepEqualTo(new int[][] {new int[last.length], last});
    assertThat(encoded.unseenRows()).isZero();
    for (int d = 0; d < last.length; d++) {
      assertThat(codec.symbolOf(d, decoded.cell(1, d))).isEqualTo(last[d]);
      assertThat(codec.columns().get(d).toString()).isNotEmpty();
    }
  }

  @Example
  void contradictionsAreTold() throws IOException {
    Json.write(file(), CODEC);
    String sound = Files.readString(file());
    assertRefused(sound.replace("[ \"clerk\" ]", "[ \"cook\" ]"), "a value has two symbols");
    assertRefused(sound.replace("\"smith 😀\"", "\"cook\""), "value 1, 'cook', is there twice");
    assertRefused(sound.replace("[ 1, 1 ]", "[ 1 ]"), "there are 2 values, but 1 counts");
    assertRefused(sound.replace("[ 1, 1 ]", "[ 1, 2 ]"), "count 1 must be in 1..1, but is 2");
    assertRefused(sound.replace("[ 1, 1 ]", "[ 1, 0 ]"), "count 1 must be in 1..1, but is 0");
    assertRefused(
        sound.replace("[ 4 ]", "[ 5 ]"),
        "column 'job \"now\"' counts 8 rows, but column 'age' counts 7");
    String min = "min\": \"";
    assertRefused(sound.replace(min + "31", min + "30.5"), "bin 1 must be above 17 to 30.5");
    assertRefused(sound.replace(min + "31", min + "x"), "min must be a number, but is 'x'");
    assertRefused(sound.replace(min + "31", min + "101"), "min must be at most 1e2, but is 101");
    assertRefused(
        sound.replace("[ \"31\" ]", "[ \"30.9\" ]"),
        "repeated numbers must be in 31 to 1e2, but 30.9 is not");
    assertRefused(
        sound.replace("[ \"31\" ]", "[ \"x\" ]"), "a repeated value must be a number, but is 'x'");
    assertRefused(
        sound
            .replace("[ \"31\" ]", "[ \"31\", \"31.0\" ]")
            .replace("[ 3 ]", "[ 3, 3 ]")
            .replace("\"count\": 4", "\"count\": 6"),
        "the repeated number 31.0 is there twice");
    assertRefused(sound.replace("[ 3 ]", "[ 5 ]"), "count must be in 5..2147483647, but is 4");
    assertRefused(
        sound.replace("maxDecimals\": 1", "maxDecimals\": 0"),
        "maxDecimals must be in 1..1063, but is 0");
    assertRefused(
        sound.replace("maxDecimals\": 1", "maxDecimals\": 100000000"),
        "maxDecimals must be in 1..1063, but is 100000000");
    assertRefused(
        sound.replace("minDecimals\": 0", "minDecimals\": 2"),
        "minDecimals must be in 0..1, but is 2");
    assertRefused(sound.replace("\"age\"", "\"job \\\"now\\\"\""), "two columns are named");
    assertRefused(sound.replace("\"age\"", "null"), "the name of a column is null");
    assertRefused(sound.replace("\"age\"", "\"\\ud800\""), "is not valid Unicode");
    assertRefused(sound.replace("\"bins\",", "\"other\","), "type");
    assertRefused(
        "{\"type\": \"table\", \"columns\": []}",
        "a table has 1 to 10000 columns, but this one has 0");
  }

  private static void assertRefused(String json, String reason) throws IOException {
    Files.write(file(), json.getBytes(UTF_8));
    assertThatThrownBy(() -> Json.read(file(), TableCodec.class))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining(reason);
  }
}
