package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.Container.Method;
import io.ringflow.internal.coding.PartWriter;
import io.ringflow.internal.mixing.BytePredictor;
import io.ringflow.internal.mixing.WordText;
import io.ringflow.table.TableModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions.Family;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is too long for one container: parts that continue each other, or stand on their own. */
@ExtendWith(LeakCheck.class)
final class StreamTest {
  private static final int FILES = Integer.getInteger("ringflow.fuzz.files", 90);
  private static final int SERIES = 15;
  private static final CountModel COUNTS =
      CountModel.train(WordText.of(300, 1), 1, ProgressListener.IGNORED);

  private static byte[] noise(int length) {
    byte[] noise = new byte[length];
    new SplittableRandom(length).nextBytes(noise);
    return noise;
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] bytes(Compressor compressor, byte[] compressed, long from, long to)
      throws IOException {
    var out = new ByteArrayOutputStream();
    compressor.bytes(new ByteArrayInputStream(compressed), from, to, out, ProgressListener.IGNORED);
    return out.toByteArray();
  }

  /** Noise is stored, and learned from on both sides; noise at the begin leaves nothing learned. */
  @Test
  void partsContinueEachOther() throws IOException {
    byte[] text = WordText.of(500, 2);
    List<byte[]> files =
        List.of(
            text,
            joined(text, noise(900), text),
            joined(noise(700), text, noise(900)),
            noise(2000),
            new byte[3000],
            Arrays.copyOf(text, 601),
            Arrays.copyOf(text, 600));
    for (Compressor whole : List.of(Compressor.withoutModel(1), new Compressor(COUNTS))) {
      Compressor parts = whole.inParts(300);
      for (byte[] file : files) {
        byte[] small = parts.compress(file);
        assertThat(small[5]).isEqualTo((byte) SERIES);
        assertThat(whole.decompress(small)).isEqualTo(file);
        assertThat(small.length).isLessThan(file.length + 50 + 22 * (file.length / 300 + 1));
        int length = file.length;
        assertThat(bytes(whole, small, 0, length)).isEqualTo(file);
        assertThat(bytes(whole, small, 299, 600)).isEqualTo(Arrays.copyOfRange(file, 299, 600));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> bytes(whole, small, 0, length + 1))
            .withMessage("has " + length + " bytes, but byte " + (length + 1) + " is asked for");
      }
      int parted = parts.compress(text).length;
      assertThat(parted - whole.compress(text).length)
          .as("only heads and ends are lost")
          .isBetween(0, 26 * (text.length / 300 + 1) + 50);
      assertThat(parts.compress(new byte[300])[5]).isNotEqualTo((byte) SERIES);
    }
  }

  @Test
  void blocksAreReadAlone() throws IOException {
    byte[] text = WordText.of(2000, 3);
    Compressor compressor = Compressor.withoutModel(1).inParts(400).inBlocks(1024);
    byte[] small = compressor.compress(text);
    assertThat(compressor.decompress(small)).isEqualTo(text);
    int damaged = small.length / 2; // of some block in the middle
    byte[] broken = small.clone();
    broken[damaged] ^= 4;
    int last = text.length - 500;
    assertThat(bytes(compressor, broken, last, text.length))
        .isEqualTo(Arrays.copyOfRange(text, last, text.length));
    assertThat(bytes(compressor, broken, 10, 1500)).isEqualTo(Arrays.copyOfRange(text, 10, 1500));
    assertThatThrownBy(() -> compressor.decompress(broken))
        .isInstanceOf(CompressedFormatException.class)
        .hasMessageMatching("is damaged: part \\d+ was changed");
    assertThat(compressor.compress(Arrays.copyOf(text, 300))[5]).isNotEqualTo((byte) SERIES);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> compressor.inBlocks(1023))
        .withMessage("length must be 1024 to 1073741824, but is 1023");
  }

  @Test
  void partsOfModelsStandAlone() throws IOException {
    byte[] letters =
        Compressors.text(2000, new SplittableRandom(4)).getBytes(StandardCharsets.UTF_8);
    byte[] mixed = joined(letters, WordText.of(400, 5), noise(100), letters);
    try (TextModel model = Compressors.model("made", 7)) {
      Compressor compressor = new Compressor(model).inParts(500);
      byte[] small = compressor.compress(mixed);
      assertThat(compressor.decompress(small)).isEqualTo(mixed);
      assertThat(bytes(compressor, small, 2345, 3456))
          .isEqualTo(Arrays.copyOfRange(mixed, 2345, 3456));
      assertThatThrownBy(() -> Compressor.withoutModel(1).decompress(small))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessage("was compressed with a model, and takes the same one to decompress");
    }
  }

  /** By the model, by counting where it is no good, and stored where nothing is. */
  @Test
  void bytesAreCountedByWhatCodedThem() throws IOException {
    byte[] text = Compressors.text(2000, new SplittableRandom(4)).getBytes(StandardCharsets.UTF_8);
    byte[] letters = Arrays.copyOf(text, 2000);
    try (TextModel model = Compressors.model("made", 7)) {
      Compressor compressor = new Compressor(model).inParts(2000);
      assertThat(bytesBy(compressor, letters)).isEqualTo(Map.of(CodedBy.MODEL, 2000L));
      byte[] words = Arrays.copyOf(WordText.of(1000, 5), 2000);
      assertThat(bytesBy(compressor, joined(words, letters, noise(100))))
          .isEqualTo(Map.of(CodedBy.COUNTING, 2000L, CodedBy.MODEL, 2000L, CodedBy.STORING, 100L));
      assertThat(bytesBy(compressor, new byte[0])).isEqualTo(Map.of(CodedBy.STORING, 0L));
    }
    assertThat(bytesBy(new Compressor(COUNTS), WordText.of(500, 2)))
        .containsOnlyKeys(CodedBy.MODEL);
    assertThat(bytesBy(Compressor.withoutModel(1), WordText.of(500, 2)))
        .containsOnlyKeys(CodedBy.COUNTING);
  }

  private static Map<CodedBy, Long> bytesBy(Compressor compressor, byte[] bytes)
      throws IOException {
    return compressor.compress(
        new ByteArrayInputStream(bytes), new ByteArrayOutputStream(), ProgressListener.IGNORED);
  }

  @Test
  void rowsOfPartsAreReadAlone() throws IOException {
    var text = new StringBuilder("city,size,of,kind\n");
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add((i % 3 == 0 ? "Rome," : "Oslo,") + (2 + i % 5) + ",x,a\n");
      if (i % 50 == 7) {
        rows.set(i, "broken\n\n" + rows.get(i));
      }
    }
    text.append(String.join("", rows));
    byte[] file = text.toString().getBytes(StandardCharsets.UTF_8);
    try (TableModel model = WildModels.table(Family.GROUP)) {
      Compressor compressor = new Compressor(model, 20, 100).inParts(1100);
      byte[] small = compressor.compress(file);
      assertThat(small[5]).isEqualTo((byte) SERIES);
      assertThat(compressor.decompress(small)).isEqualTo(file);
      for (int[] range : new int[][] {{0, 300}, {10, 20}, {5, 250}, {299, 300}, {120, 180}}) {
        String some =
            new String(
                compressor.rows(small, range[0], range[1], ProgressListener.IGNORED),
                StandardCharsets.UTF_8);
        assertThat(some).isEqualTo(String.join("", rows.subList(range[0], range[1])));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> compressor.rows(small, 10, 301, ProgressListener.IGNORED))
          .withMessage("has 300 rows, but row 301 is asked for");
    }
  }

  /** No part can be cut off, left out or taken for another, and no claim takes memory. */
  @Test
  void damagedSeriesAreRefused() {
    var random = new SplittableRandom(6);
    byte[] original = joined(WordText.of(200, 7), noise(300), WordText.of(100, 8));
    List<Compressor> tiers =
        List.of(
            Compressor.withoutModel(1).inParts(300),
            new Compressor(COUNTS).inParts(300),
            Compressor.withoutModel(1).inParts(300).inBlocks(1024));
    List<byte[]> wholes = tiers.stream().map(tier -> tier.compress(original)).toList();
    int refused = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] damaged = Damage.of(wholes.get(i % 3), random);
      try {
        assertThat(tiers.get(i % 3).decompress(damaged)).as("file %d", i).isEqualTo(original);
      } catch (CompressedFormatException e) {
        assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
        refused++;
      } catch (RuntimeException | Error e) {
        fail("file " + i, e);
      }
    }
    assertThat(refused).isGreaterThan(FILES * 9 / 10);
  }

  private interface Series {
    void write(PartWriter parts) throws IOException;
  }

  private static void assertRefused(String message, Series series) throws IOException {
    var out = new ByteArrayOutputStream();
    var parts = new PartWriter(out, 0);
    series.write(parts);
    parts.finish();
    assertThatThrownBy(() -> Compressor.withoutModel(1).decompress(out.toByteArray()))
        .isInstanceOf(CompressedFormatException.class)
        .hasMessage("is damaged: " + message);
  }

  /** With the right checksums, but parts that nobody would write. */
  @Test
  void forgedSeriesAreRefused() throws IOException {
    byte[] some = WordText.of(20, 9);
    byte[] code = {BytePredictor.MIN_SLOT_BITS};
    assertRefused(
        "a part continues what is not before it",
        parts -> parts.write(Method.ADAPTIVE, true, some, code));
    assertRefused(
        "a part continues what is not before it",
        parts -> {
          parts.write(Method.STORED, false, some, some);
          parts.write(Method.STORED, true, some, some);
        });
    assertRefused(
        "what came out of part 1 is not what went in",
        parts -> parts.write(Method.STORED, false, some, code));
    assertRefused(
        "part 1 is empty", parts -> parts.write(Method.STORED, false, new byte[0], new byte[0]));
    assertRefused(
        "its code ends too early", // 32 MB of no code at all
        parts -> parts.write(Method.ADAPTIVE, false, new byte[PartWriter.MAX_LENGTH], code));
    assertRefused(
        "a part's length exceeds 33554432",
        parts -> parts.write(Method.STORED, false, new byte[PartWriter.MAX_LENGTH + 1], code));
    var out = new ByteArrayOutputStream();
    new PartWriter(out, 0).write(Method.STORED, false, some, some);
    assertThatThrownBy(() -> Compressor.withoutModel(1).decompress(out.toByteArray()))
        .hasMessage("is damaged: it ends in part 2");
  }
}
