package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.MixedBlocks;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.internal.mixing.TextPredictor;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A network and counts, mixed: what one has written step by step, the other side reads at once. */
@ExtendWith(LeakCheck.class)
final class MixedCompressorTest {
  private static final int MIXED = 6;

  private static byte[] text(int length, long seed) {
    return Compressors.text(length, new SplittableRandom(seed)).getBytes(StandardCharsets.UTF_8);
  }

  private static CountedText counts(long seed) {
    var predictor = new TextPredictor(TextPredictor.MIN_SLOT_BITS);
    byte[] text = text(300, seed);
    predictor.learn(text, 0, text.length);
    byte[] hash = new byte[32];
    hash[0] = (byte) seed;
    return new CountedText(predictor, hash);
  }

  private static Compressor compressor(TextModel model, CountedText counts, int streams) {
    return new Compressor(
        new MixedCoding(
            model,
            counts,
            (conditionals, spellings) -> new MixedBlocks(conditionals, spellings, streams)));
  }

  @Test
  void everyFileComesBack() throws CompressedFormatException {
    CountedText counts = counts(1);
    try (TextModel model = Compressors.model("lstm", 7)) {
      for (int streams : new int[] {0, 2}) {
        Compressor compressor = compressor(model, counts, streams);
        Compressor other = compressor(model, counts, 1);
        for (Map.Entry<String, byte[]> file : Compressors.files().entrySet()) {
          byte[] bytes = file.getValue();
          byte[] own = compressor.coded(bytes, ProgressListener.IGNORED).orElseThrow();
          assertThat(own[5]).isEqualTo((byte) MIXED);
          assertThat(other.decompress(own)).as(file.getKey()).isEqualTo(bytes);
        }
      }
    }
  }

  /** Streams that end at different turns, in the middle of characters, among unknown bytes. */
  @Test
  void streamsOfAnyKindComeBack() throws CompressedFormatException {
    CountedText counts = counts(1);
    byte[] bytes = text(5000, 2);
    for (int i = 0; i < 150; i++) {
      bytes[i * 29] = (byte) (i * 7); // unknown bytes, and characters cut in two
    }
    for (String name : new String[] {"lstm", "transformer"}) {
      try (TextModel model = Compressors.model(name, 7)) {
        for (int streams : new int[] {2, 5}) {
          byte[] small = compressor(model, counts, streams).compress(bytes);
          assertThat(small[5]).isEqualTo((byte) MIXED);
          assertThat(compressor(model, counts, 0).decompress(small)).isEqualTo(bytes);
        }
      }
    }
  }

  @Test
  void damageIsFoundOrHarmless() {
    CountedText counts = counts(1);
    byte[] bytes = text(400, 3);
    var random = new SplittableRandom(4);
    try (TextModel model = Compressors.model("lstm", 7)) {
      for (int streams : new int[] {0, 1}) {
        Compressor compressor = compressor(model, counts, streams);
        byte[] whole = compressor.coded(bytes, ProgressListener.IGNORED).orElseThrow();
        for (int i = 0; i < 15; i++) {
          byte[] damaged = Damage.of(whole, random);
          Compressors.reseal(damaged);
          try {
            assertThat(compressor.decompress(damaged)).isEqualTo(bytes);
          } catch (CompressedFormatException e) {
            assertThat(e).hasMessageNotContaining("null");
          }
        }
      }
    }
  }

  @Test
  void countsAreKeptWithTheModel(@TempDir Path folder) throws IOException {
    byte[] bytes = text(600, 5);
    Path saved = folder.resolve("model");
    byte[] small;
    try (TextModel model = Compressors.model("lstm", 7)) {
      CountedText counts = counts(1);
      EngineAccess.setCounts(model.flow(), () -> counts);
      small = new Compressor(model).compress(bytes);
      assertThat(small[5]).isEqualTo((byte) MIXED);
      model.save(saved);
      CountedText others = counts(2);
      EngineAccess.setCounts(model.flow(), () -> others);
      assertThatThrownBy(() -> new Compressor(model).decompress(small))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessage("was compressed with another model");
    }
    try (FlowModel flow = FlowModel.load(saved)) {
      var compressor = new Compressor(new TextModel(flow, Compressors.CODEC));
      assertThat(compressor.compress(bytes)).isEqualTo(small);
      assertThat(compressor.decompress(small)).isEqualTo(bytes);
    }
    Path file = saved.resolve("counts.bin");
    byte[] damaged = Files.readAllBytes(file);
    damaged[damaged.length / 2] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(() -> FlowModel.load(saved))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageContaining("counts.bin");
    Files.delete(file);
    assertThatThrownBy(() -> FlowModel.load(saved)).isInstanceOf(IOException.class);
  }
}
