package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.text.Vocabulary;
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
    try (FlowModel model = FlowModel.create(Compressors.architectures().get("made"), 7);
        FlowModel other = FlowModel.create(Compressors.architectures().get("made"), 8)) {
      byte[] compressed = Compressors.compressor(model).compress(LETTERS);
      var others = new Compressor(other, Compressors.TEXT, Compressors.hash(2));
      assertThatThrownBy(() -> others.decompress(compressed))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessage("was compressed with another model");
      // Whoever gives another model for the same: the end of the stream or the checksum tells.
      assertThatThrownBy(() -> Compressors.compressor(other).decompress(compressed))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessageStartingWith("is damaged: ");
    }
  }

  @Test
  void foreignNewerAndBrokenFilesAreToldApart() {
    try (FlowModel model = FlowModel.create(Compressors.architectures().get("factorised"), 7)) {
      Compressor compressor = Compressors.compressor(model);
      byte[] compressed = compressor.compress(LETTERS);
      assertRefused(compressor, LETTERS, "was not compressed by Ringflow");
      assertRefused(compressor, new byte[0], "was not compressed by Ringflow");
      byte[] newer = compressed.clone();
      newer[4] = 2;
      assertRefused(compressor, newer, "has format version 2, but this Ringflow knows 1 at most");
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
    try (FlowModel model = FlowModel.create(Compressors.architectures().get("factorised"), 7)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Compressor(model, ByteText.ofBytes(), new byte[32]))
          .withMessageContaining("256 symbols")
          .withMessageContaining("12 x 12");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Compressor(model, Compressors.TEXT, new byte[16]))
          .withMessageContaining("32 bytes, but has 16");
    }
    Architecture huge =
        new Architecture(
            Space.uniform(10, 4), Space.NONE, new FactorizedBase(), List.of(new Pack(10)));
    ByteText four = ByteText.of(Vocabulary.of("acgt"));
    try (FlowModel model = FlowModel.create(huge, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Compressor(model, four, new byte[32]))
          .withMessageContaining("at most 262144")
          .withMessageContaining("1048576");
    }
  }
}
