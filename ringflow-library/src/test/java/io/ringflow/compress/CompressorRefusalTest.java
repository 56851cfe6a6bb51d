package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Space;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextModel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What can't be done is said clearly. */
@ExtendWith(LeakCheck.class)
final class CompressorRefusalTest {
  private static final byte[] LETTERS =
      Compressors.text(700, new SplittableRandom(3)).getBytes(StandardCharsets.UTF_8);

  @Test
  void anotherModelIsToldApart() {
    try (TextModel model = Compressors.model("made", 7);
        TextModel other = Compressors.model("made", 8)) {
      byte[] compressed = new Compressor(model).compress(LETTERS);
      var others = new Compressor(other);
      assertRefused(others, compressed, "was compressed with another model");
      // Whoever says that it was the other model: the end of the stream or the checksum tells.
      byte[] hash = Compressors.hash(model);
      int at = 0;
      while (!Arrays.equals(hash, Arrays.copyOfRange(compressed, at, at + hash.length))) {
        at++;
      }
      System.arraycopy(Compressors.hash(other), 0, compressed, at, hash.length);
      Compressors.reseal(compressed);
      assertThatThrownBy(() -> others.decompress(compressed))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessageStartingWith("is damaged: ");
    }
  }

  @Test
  void foreignNewerAndBrokenFilesAreToldApart() {
    try (TextModel model = Compressors.model("factorised", 7)) {
      var compressor = new Compressor(model);
      byte[] compressed = compressor.compress(LETTERS);
      assertRefused(compressor, LETTERS, "was not compressed by Ringflow");
      assertRefused(compressor, new byte[0], "was not compressed by Ringflow");
      byte[] newer = compressed.clone();
      newer[4] = 8;
      assertRefused(compressor, newer, "has format version 8, but this Ringflow knows 7 at most");
      byte[] flipped = compressed.clone();
      flipped[100] ^= 1;
      assertRefused(compressor, flipped, "is damaged or cut short");
      assertRefused(compressor, Arrays.copyOf(compressed, 200), "is damaged or cut short");
      assertRefused(
          compressor, Arrays.copyOf(compressed, compressed.length + 1), "is damaged or cut short");
    }
  }

  private static void assertRefused(Compressor compressor, byte[] bytes, String message) {
    assertThatThrownBy(() -> compressor.decompress(bytes))
        .isInstanceOf(CompressedFormatException.class)
        .hasMessage(message);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Architecture huge =
        new Architecture(
            Space.uniform(10, 4), Space.NONE, new FactorizedBase(), List.of(new Pack(10)));
    try (TextModel model = Compressors.model(huge, WildModels.characters("acgt"), 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Compressor(model))
          .withMessageContaining("at most 262144")
          .withMessageContaining("1048576");
    }
  }
}
