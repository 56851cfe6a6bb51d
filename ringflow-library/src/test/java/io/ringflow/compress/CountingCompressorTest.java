package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.mixing.WordText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of all kinds through the tiers that count, and back; damaged ones are refused. */
final class CountingCompressorTest {
  private static final int FILES = Integer.getInteger("ringflow.fuzz.files", 200);
  private static final byte[] TEXT = WordText.of(400, 1);
  private static CountModel model;

  @TempDir Path folder;

  @BeforeAll
  static void train() {
    model = CountModel.train(TEXT, 1, ProgressListener.IGNORED);
  }

  private static List<Compressor> tiers() {
    return List.of(Compressor.withoutModel(), new Compressor(model));
  }

  private static Map<String, byte[]> zoo() {
    var random = new SplittableRandom(2);
    byte[] noise = new byte[2000];
    random.nextBytes(noise);
    byte[] hugeLine = new byte[5_000];
    Arrays.fill(hugeLine, (byte) 'x');
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < 256; i++) {
      all.write(i);
    }
    byte[] mark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    byte[] invalid = {'a', (byte) 0x80, (byte) 0xC0, (byte) 0x80, (byte) 0xE2, (byte) 0x82, 'b'};
    Map<String, byte[]> zoo = new LinkedHashMap<>();
    zoo.put("empty", new byte[0]);
    for (int value : new int[] {0, 'a', 255}) {
      zoo.put("one byte " + value, new byte[] {(byte) value});
    }
    zoo.put("two bytes", new byte[] {10, 10});
    zoo.put("noise", noise);
    zoo.put("all bytes", all.toByteArray());
    zoo.put("a huge line", hugeLine);
    zoo.put("zeros", new byte[3000]);
    zoo.put("a mark", concatenated(mark, WordText.of(60, 3)));
    zoo.put(
        "invalid UTF-8", concatenated(WordText.of(20, 4), invalid, WordText.of(20, 5), invalid));
    zoo.put(
        "mixed line ends", "a\r\nb\nc\rd\n\n\r\r\n".repeat(50).getBytes(StandardCharsets.UTF_8));
    zoo.put("no line end", "one line".getBytes(StandardCharsets.UTF_8));
    zoo.put("columns", "a,".repeat(2_000).getBytes(StandardCharsets.UTF_8));
    zoo.put("text", WordText.of(600, 6));
    zoo.put("compressed", new Compressor(model).compress(WordText.of(600, 7)));
    return zoo;
  }

  private static byte[] concatenated(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Test
  void everyByteComesBack() throws CompressedFormatException {
    for (Compressor compressor : tiers()) {
      for (Map.Entry<String, byte[]> file : zoo().entrySet()) {
        byte[] bytes = file.getValue();
        byte[] coded = compressor.coded(bytes, ProgressListener.IGNORED).orElseThrow();
        assertThat(compressor.decompress(coded)).as(file.getKey()).isEqualTo(bytes);
        byte[] small = compressor.compress(bytes);
        assertThat(compressor.decompress(small)).as(file.getKey()).isEqualTo(bytes);
        assertThat(small.length)
            .as(file.getKey())
            .isLessThanOrEqualTo(Math.min(coded.length, bytes.length + 23));
      }
    }
  }

  @Test
  void countsOfALikeTextHelp() {
    byte[] other = WordText.of(600, 8);
    int alone = Compressor.withoutModel().compress(other).length;
    assertThat(new Compressor(model).compress(other).length).isLessThan(alone * 9 / 10);
    assertThat(alone).isLessThan(other.length / 2);
  }

  @Test
  void whatNeedsNoModelIsReadByAll() throws CompressedFormatException {
    byte[] small = Compressor.withoutModel(1).compress(TEXT);
    for (Compressor compressor : tiers()) {
      assertThat(compressor.decompress(small)).isEqualTo(TEXT);
    }
    byte[] counted = new Compressor(model).compress(TEXT);
    assertRefused(
        Compressor.withoutModel(),
        counted,
        "was compressed with a model, and takes the same one to decompress");
    var other = new Compressor(CountModel.train(WordText.of(20, 9), 1, ProgressListener.IGNORED));
    assertRefused(other, counted, "was compressed with another model");
    try (var flow = Compressors.model("factorised", 1)) {
      assertRefused(new Compressor(flow), counted, "was compressed with another model");
    }
  }

  private static void assertRefused(Compressor compressor, byte[] bytes, String message) {
    assertThatThrownBy(() -> compressor.decompress(bytes))
        .isInstanceOf(CompressedFormatException.class)
        .hasMessage(message);
  }

  /** Two of three get a right seal again, as somebody with an intent would do. */
  @Test
  void damagedFilesAreRefused() {
    var random = new SplittableRandom(10);
    byte[] original = WordText.of(80, 11);
    List<Compressor> tiers = tiers();
    List<byte[]> wholes = new ArrayList<>();
    for (Compressor compressor : tiers) {
      wholes.add(compressor.coded(original, ProgressListener.IGNORED).orElseThrow());
    }
    int deep = 0;
    for (int i = 0; i < FILES; i++) {
      byte[] damaged = Damage.of(wholes.get(i % 2), random);
      if (i % 3 > 0 && damaged.length > 4) {
        Compressors.reseal(damaged);
      }
      try {
        assertThat(tiers.get(i % 2).decompress(damaged)).as("file %d", i).isEqualTo(original);
      } catch (CompressedFormatException e) {
        assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
        deep += e.getMessage().startsWith("is damaged: ") ? 1 : 0;
      } catch (RuntimeException | Error e) {
        fail("file " + i, e);
      }
    }
    assertThat(deep).as("found behind the seal").isGreaterThan(FILES / 4);
  }

  /** No code at all that claims to be two gigabytes of zeros is refused for less, and soon. */
  @Test
  void claimsTakeNoMemory() {
    for (int method = 9; method < 11; method++) {
      for (int table : method == 9 ? new int[] {0, 11, 12, 27} : new int[1]) {
        var out = new ByteWriter();
        out.bytes(new byte[] {(byte) 0xF1, 'R', 'F', 'C', 7, (byte) method});
        out.number(Integer.MAX_VALUE - 64);
        out.bytes(new byte[8]);
        if (method == 9) {
          out.number(table);
        } else {
          out.bytes(Arrays.copyOf(model.fingerprint(), 16));
        }
        byte[] claim = Arrays.copyOf(out.toBytes(), out.size() + 4);
        Compressors.reseal(claim);
        assertThatThrownBy(() -> new Compressor(model).decompress(claim))
            .isInstanceOf(CompressedFormatException.class)
            .hasMessageStartingWith("is damaged: ");
      }
    }
  }

  /** The model is not kept, but read again; by several blocks, and by several threads. */
  @Test
  void whatIsForOneFileCodesMoreToo() throws IOException {
    Path saved = folder.resolve("once");
    model.save(saved);
    var keeping = new Compressor(model);
    Compressor reading = Compressor.forOneFile(saved);
    List<byte[]> texts = List.of(WordText.of(600, 8), WordText.of(700, 9), WordText.of(500, 10));
    for (byte[] text : texts) {
      byte[] small = keeping.compress(text);
      assertThat(reading.compress(text)).isEqualTo(small);
      assertThat(reading.decompress(small)).isEqualTo(text);
    }
    assertThat(Compressor.forOneFile(saved).inBlocks(1024).compress(texts.get(0)))
        .isEqualTo(keeping.inBlocks(1024).compress(texts.get(0)));
    Compressor together = Compressor.forOneFile(saved);
    assertThat(texts.parallelStream().map(together::compress))
        .containsExactlyElementsOf(texts.stream().map(keeping::compress).toList());
  }

  @Test
  void aModelThatWasReplacedIsNotReadAgain() throws IOException {
    Path saved = folder.resolve("replaced");
    model.save(saved);
    Compressor reading = Compressor.forOneFile(saved);
    byte[] text = WordText.of(600, 8);
    byte[] small = reading.compress(text);
    CountModel.train(WordText.of(50, 11), 1, ProgressListener.IGNORED).save(saved);
    assertThatThrownBy(() -> reading.decompress(small))
        .hasRootCauseInstanceOf(ModelFormatException.class)
        .hasMessageEndingWith("is no longer the model that was read before");
  }

  @Test
  void savedModelsAreTheSame() throws IOException {
    Path saved = folder.resolve("m");
    assertThat(CountModel.isAt(saved)).isFalse();
    model.save(saved);
    assertThat(CountModel.isAt(saved)).isTrue();
    CountModel same = CountModel.load(saved);
    assertThat(same.fingerprint()).isEqualTo(model.fingerprint());
    assertThat(same.trainingBytes()).isEqualTo(TEXT.length);
    assertThat(same.megabytes()).isEqualTo(1);
    byte[] small = new Compressor(model).compress(WordText.of(100, 12));
    assertThat(new Compressor(same).compress(WordText.of(100, 12))).isEqualTo(small);
    assertThat(CountModel.train(TEXT, 2, ProgressListener.IGNORED).fingerprint())
        .isNotEqualTo(model.fingerprint());
    model.save(saved); // replaces its like
  }

  @Test
  void damagedFoldersAreRefused() throws IOException {
    Path saved = folder.resolve("m");
    assertThatThrownBy(() -> CountModel.load(saved))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no such model folder");
    model.save(saved);
    Path counts = saved.resolve("counts.bin");
    byte[] bytes = Files.readAllBytes(counts);
    Files.write(counts, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> CountModel.load(saved))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(counts + ": is damaged: its SHA-256 is not the one in config.json");
    Files.delete(counts);
    assertThatThrownBy(() -> CountModel.load(saved))
        .isInstanceOf(ModelFormatException.class)
        .hasMessage(counts + ": is missing");
    Files.write(counts, bytes);
    Path config = saved.resolve("config.json");
    String json = Files.readString(config);
    for (int megabytes : new int[] {3, 0, 2}) {
      Files.writeString(config, json.replaceFirst("(\"megabytes\" *): *1", "$1: " + megabytes));
      assertThatThrownBy(() -> CountModel.load(saved)).isInstanceOf(ModelFormatException.class);
    }
  }

  @Test
  void sizesThatAreNoneAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Compressor.withoutModel(100))
        .withMessage("megabytes must be 1, 2, 4, 8, ... or 1024, but is 100");
  }

  @Test
  void interruptedWorkEnds() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> Compressor.withoutModel().compress(TEXT))
          .isInstanceOf(CancellationException.class);
    } finally {
      Thread.interrupted();
    }
  }
}
