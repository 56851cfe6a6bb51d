package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.table.TableModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.train.FitOptions.Family;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a table's rows, and files that hardly are, through a model and back. */
@ExtendWith(LeakCheck.class)
final class TableCompressorTest {
  private static final int FILES = Integer.getInteger("ringflow.fuzz.files", 300);
  private static final int TABLE = 11;
  private static final String HEADER = "city,size,of,kind\n";

  /** Rows of {@link WildModels#TABLE}: with numbers in bins, rare, missing and unseen cells. */
  private static String rows(int count, long seed) {
    var random = new SplittableRandom(seed);
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      List<String> cities = List.of("Rome", "Oslo", "Lima", "Bonn", "Kiel", "Graz");
      String size = random.nextInt(9) == 0 ? "" : "" + (6 + random.nextInt(29)) / 4.0;
      text.append(cities.get(random.nextInt(random.nextInt(20) == 0 ? 6 : 5)));
      text.append(',').append(size.endsWith(".0") ? size.substring(0, size.length() - 2) : size);
      text.append(",x,").append(List.of("a", "b", "", "NA").get(random.nextInt(4))).append('\n');
    }
    return text.toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] with(byte[] mark, String text) {
    var all = new ByteArrayOutputStream();
    all.writeBytes(mark);
    all.writeBytes(bytes(text));
    return all.toByteArray();
  }

  private static Map<String, byte[]> zoo() {
    var random = new SplittableRandom(2);
    byte[] noise = new byte[500];
    random.nextBytes(noise);
    byte[] invalid = {(byte) 0x80, (byte) 0xC0, ',', '2', ',', 'x', ',', (byte) 0xE2, '\n'};
    String rows = rows(40, 3);
    Map<String, byte[]> zoo = new LinkedHashMap<>();
    zoo.put("rows", bytes(HEADER + rows));
    zoo.put("no header", bytes(rows));
    zoo.put("no line end", bytes(HEADER + rows + "Rome,2,x,a"));
    zoo.put("a return at the end", bytes(rows + "Rome,2,x,a\r"));
    zoo.put("CRLF", bytes((HEADER + rows).replace("\n", "\r\n")));
    zoo.put("mixed ends", bytes(rows + rows.replace("\n", "\r\n") + rows + "\n\r\n\r\r\n\n"));
    zoo.put("semicolons", bytes((HEADER + rows).replace(',', ';')));
    zoo.put("quotes", bytes(HEADER + rows.replaceAll("(\\w+),", "\"$1\",")));
    zoo.put(
        "odd quotes", bytes(rows + "\"Ro\"\"me\",2,x,a\nRo\"me,2,x,a\n\"Rome,2,x\n\"R\"x,2,x,a\n"));
    zoo.put("lines in quotes", bytes(rows + "\"Ro\nme\",2,x,a\n\"a\nb\",\"\n\",\"\\n\",\"\\\"\n"));
    zoo.put("broken lines", bytes(HEADER + rows + "Rome,2\n\n,,,,,\n#,,,\nRome,2,x,a,b\n" + rows));
    zoo.put("numbers", bytes(rows + numbers()));
    zoo.put("unseen", bytes(HEADER + rows.replace("Rome", "Zürich").replace("x", "y")));
    zoo.put("a mark", with(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, HEADER + rows));
    zoo.put("invalid UTF-8", with(invalid, rows));
    zoo.put("empty", new byte[0]);
    zoo.put("one byte", bytes("x"));
    zoo.put("a line end", bytes("\n"));
    zoo.put("header only", bytes(HEADER));
    zoo.put("one row", bytes("Rome,2,x,a"));
    zoo.put("noise", noise);
    zoo.put("commas", bytes(",".repeat(500)));
    zoo.put("an open quote", bytes("\"".repeat(501) + rows));
    return zoo;
  }

  private static String numbers() {
    return List.of(
            "2.0",
            "2.00",
            "02",
            "+2",
            "-0",
            "-2",
            "2.",
            ".5",
            "2e0",
            " 2",
            "8.51",
            "8.5",
            "1.5",
            "1.499",
            "9999999999999999999999",
            "3.123456789012345678901",
            "2.250",
            "NaN",
            "--2",
            "2.2.5",
            "8.49")
        .stream()
        .map(number -> "Rome," + number + ",x,a\n")
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @EnumSource(value = Family.class, names = "BIPARTITE", mode = EnumSource.Mode.EXCLUDE)
  void everyByteComesBack(Family family) throws CompressedFormatException {
    try (TableModel model = WildModels.table(family)) {
      for (int rowsPerPart : new int[] {20, 1 << 14}) {
        var compressor = new Compressor(model, 5, rowsPerPart);
        for (Map.Entry<String, byte[]> file : zoo().entrySet()) {
          byte[] original = file.getValue();
          byte[] coded = compressor.coded(original, ProgressListener.IGNORED).orElseThrow();
          assertThat(compressor.decompress(coded)).as(file.getKey()).isEqualTo(original);
          if (rowsPerPart > 20) {
            byte[] small = compressor.compress(original);
            assertThat(compressor.decompress(small)).as(file.getKey()).isEqualTo(original);
            assertThat(small.length)
                .as(file.getKey())
                .isLessThanOrEqualTo(Math.min(coded.length, original.length + 23));
          }
          boolean asTable = rowsOf(file.getKey());
          assertThat(coded[5] == TABLE).as(file.getKey()).isEqualTo(asTable);
        }
      }
    }
  }

  private static boolean rowsOf(String name) {
    return !List.of(
            "empty", "one byte", "a line end", "header only", "noise", "commas", "an open quote")
        .contains(name);
  }

  @ParameterizedTest
  @EnumSource(value = Family.class, names = "BIPARTITE", mode = EnumSource.Mode.EXCLUDE)
  void rowsAreReadAlone(Family family) throws CompressedFormatException {
    String[] lines = rows(60, 4).split("(?<=\n)");
    lines[20] += "broken\n";
    byte[] original = bytes(HEADER + String.join("", lines));
    try (TableModel model = WildModels.table(family)) {
      var compressor = new Compressor(model, 4, 16);
      byte[] coded = compressor.coded(original, ProgressListener.IGNORED).orElseThrow();
      var random = new SplittableRandom(5);
      for (int i = 0; i < 20; i++) {
        int from = random.nextInt(60);
        int to = from + random.nextInt(61 - from);
        String expected = String.join("", Arrays.copyOfRange(lines, from, to));
        if (to == 21 && from < to) {
          expected = expected.replace("broken\n", ""); // behind the last row
        }
        assertThat(new String(rows(compressor, coded, from, to), StandardCharsets.UTF_8))
            .as(from + ":" + to)
            .isEqualTo(expected);
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> rows(compressor, coded, 50, 61))
          .withMessage("has 60 rows, but row 61 is asked for");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> rows(compressor, coded, 5, 4))
          .withMessage("rows must be a range, but are 5 to 4");
      byte[] other = Compressor.withoutModel(1).compress(original);
      assertThat(rows(compressor, other, 7, 30)).isEqualTo(rows(compressor, coded, 7, 30));
      for (byte[] any : List.of(coded, other)) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> rows(Compressor.withoutModel(1), any, 0, 1))
            .withMessage("takes the model of its table to read rows");
      }
    }
  }

  private static byte[] rows(Compressor compressor, byte[] coded, long from, long to)
      throws CompressedFormatException {
    return compressor.rows(coded, from, to, ProgressListener.IGNORED);
  }

  /** Two of three get a right seal again, as somebody with an intent would do. */
  @Test
  void damagedFilesAreRefused() {
    var random = new SplittableRandom(6);
    byte[] original = bytes(HEADER + rows(30, 7));
    try (TableModel model = WildModels.table(Family.GROUP)) {
      var compressor = new Compressor(model, 8, 16);
      byte[] whole = compressor.coded(original, ProgressListener.IGNORED).orElseThrow();
      int deep = 0;
      for (int i = 0; i < FILES; i++) {
        byte[] damaged = Damage.of(whole, random);
        if (i % 3 > 0 && damaged.length > 4) {
          Compressors.reseal(damaged);
        }
        try {
          assertThat(compressor.decompress(damaged)).as("file %d", i).isEqualTo(original);
        } catch (CompressedFormatException e) {
          assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
          deep += e.getMessage().startsWith("is damaged: ") ? 1 : 0;
        } catch (RuntimeException | Error e) {
          fail("file " + i, e);
        }
      }
      assertThat(deep).as("found behind the seal").isGreaterThan(FILES / 4);
    }
  }

  @Test
  void whatAnEarlierSnapshotCompressedIsRefusedAsSuch() {
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE)) {
      var compressor = new Compressor(model);
      byte[] coded = compressor.coded(bytes(rows(40, 3)), ProgressListener.IGNORED).orElseThrow();
      for (byte[] earlier : new byte[][] {{3, 5}, {5, 7}, {6, 8}, {2, 3}, {2, 4}}) {
        coded[4] = earlier[0];
        coded[5] = earlier[1];
        Compressors.reseal(coded);
        assertThatThrownBy(() -> compressor.decompress(coded))
            .isInstanceOf(CompressedFormatException.class)
            .hasMessage(
                "was compressed by an earlier snapshot of Ringflow, in a way that is no longer"
                    + " read: decompress it with that one");
      }
    }
  }

  /** A column that follows from another, and neighbours that are alike, cost next to nothing. */
  @Test
  void whatFollowsFromOthersIsLearned() {
    var text = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      int size = 2 + i / 400;
      text.append(size < 4 ? "Rome," : "Oslo,").append(size).append(",x,a\n");
    }
    byte[] original = bytes(text.toString());
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE)) {
      // The model is a wild one, and expects something else.
      assertThat(new Compressor(model).compress(original).length).isLessThan(220);
    }
  }

  @Test
  void otherModelsAreRefused() {
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE);
        TableModel other = WildModels.table(Family.GROUP);
        TableModel moving = WildModels.table(Family.BIPARTITE)) {
      byte[] coded =
          new Compressor(model)
              .coded(bytes(HEADER + rows(50, 8)), ProgressListener.IGNORED)
              .orElseThrow();
      assertThat(coded[5]).isEqualTo((byte) TABLE);
      assertThatThrownBy(() -> new Compressor(other).decompress(coded))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessage("was compressed with another model");
      assertThatThrownBy(() -> Compressor.withoutModel().decompress(coded))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessage("was compressed with a model, and takes the same one to decompress");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Compressor(moving))
          .withMessageStartingWith("layers of this model move symbols");
    }
  }

  @ParameterizedTest
  @EnumSource(value = Family.class, names = "BIPARTITE", mode = EnumSource.Mode.EXCLUDE)
  void anyNumberOfThreadsWritesTheSame(Family family) throws CompressedFormatException {
    byte[] original = bytes(HEADER + rows(500, 10));
    try (TableModel model = WildModels.table(family)) {
      byte[] byOne = coded(new Compressor(model, 32, 64, 1), original);
      for (int threads : new int[] {2, 3, 8}) {
        var compressor = new Compressor(model, 32, 64, threads);
        assertThat(coded(compressor, original)).as("%d threads", threads).isEqualTo(byOne);
        assertThat(compressor.decompress(byOne)).as("%d threads", threads).isEqualTo(original);
        assertThat(rows(compressor, byOne, 60, 130))
            .isEqualTo(rows(new Compressor(model, 32, 64, 1), byOne, 60, 130));
      }
    }
  }

  private static byte[] coded(Compressor compressor, byte[] original) {
    return compressor.coded(original, ProgressListener.IGNORED).orElseThrow();
  }

  /** Of several parts at a time, each damaged in its own way, one error comes out. */
  @Test
  void damageInAnyPartIsOneError() {
    byte[] original = bytes(rows(200, 11));
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE)) {
      var compressor = new Compressor(model, 8, 50, 4);
      byte[] whole = coded(compressor, original);
      for (int from = whole.length / 3; from < whole.length - 40; from += 9) {
        byte[] damaged = whole.clone();
        for (int i = from; i < whole.length - 8; i += 31) {
          damaged[i] ^= 0x55;
        }
        Compressors.reseal(damaged);
        assertThatThrownBy(() -> compressor.decompress(damaged))
            .isInstanceOf(CompressedFormatException.class)
            .message()
            .isNotBlank()
            .hasLineCount(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void interruptedWorkEnds(int threads) {
    try (TableModel model = WildModels.table(Family.AUTOREGRESSIVE)) {
      var compressor = new Compressor(model, 8, 10, threads);
      byte[] original = bytes(rows(50, 9));
      byte[] whole = coded(compressor, original);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> compressor.compress(original))
          .isInstanceOf(CancellationException.class);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> compressor.decompress(whole))
          .isInstanceOf(CancellationException.class);
    } finally {
      Thread.interrupted();
    }
  }
}
