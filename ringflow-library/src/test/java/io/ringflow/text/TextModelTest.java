package io.ringflow.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.model.FittedModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextCodec.Unit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Models of texts: scores, pieces and compression agree with the flow underneath. */
@ExtendWith(LeakCheck.class)
final class TextModelTest {
  private static final TextCodec LETTERS = new TextCodec(Unit.CHARACTERS, Vocabulary.of(" abcé😀"));
  private static final TextCodec BYTES = new TextCodec(Unit.BYTES, Vocabulary.BYTES);
  private static final TextCodec ONE = new TextCodec(Unit.CHARACTERS, Vocabulary.of("a"));

  @TempDir Path temporary;

  static List<TextCodec> codecs() {
    return List.of(LETTERS, BYTES, ONE);
  }

  /** Texts of whole pieces and of broken ones, of known symbols and of any bytes. */
  private static Stream<byte[]> texts() {
    byte[] noise = new byte[400];
    var random = new SplittableRandom(1);
    for (int i = 0; i < noise.length; i++) {
      noise[i] = (byte) random.nextInt(256);
    }
    return Stream.concat(
        Stream.of("", "a", "abc é😀 ab", "aaaaaaaaa", "a ba caba 😀😀 é".repeat(40), "xyz ab ü")
            .map(text -> text.getBytes(StandardCharsets.UTF_8)),
        Stream.of(noise));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void aScoreIsWhatCompressionIsEstimatedToTake(TextCodec codec) {
    try (TextModel model = WildModels.text(codec)) {
      ByteText bytes =
          codec.unit() == Unit.BYTES ? ByteText.ofBytes() : ByteText.of(codec.vocabulary());
      var compressor = new Compressor(model.flow(), bytes, model.flow().fingerprint());
      texts()
          .forEach(
              text ->
                  assertThat(model.score(text).bits()).isEqualTo(compressor.estimatedBits(text)));
    }
  }

  /** Of whole pieces: the sum of their rows' log-probabilities. */
  @Test
  void aScoreIsTheFlowsLogProbability() {
    try (TextModel model = WildModels.text(LETTERS)) {
      String text = "abc é😀 abcab é😀  a";
      int[] ids = LETTERS.vocabulary().ids(text);
      assertThat(ids).hasSize(18);
      double[] nats =
          model.flow().logProb(new int[][] {Arrays.copyOf(ids, 9), Arrays.copyOfRange(ids, 9, 18)});
      TextModel.Score score = model.score(text);
      assertThat(score.bits()).isCloseTo(-(nats[0] + nats[1]) / Math.log(2), within(1e-9));
      assertThat(score.symbols()).isEqualTo(18);
      assertThat(score.unknownBytes()).isZero();
      assertThat(score.bitsPerSymbol()).isEqualTo(score.bits() / 18);
    }
  }

  @Test
  void unknownCharactersAreCountedAndLeftOut() {
    try (TextModel model = WildModels.text(LETTERS);
        TextModel ofBytes = WildModels.text(BYTES)) {
      TextModel.Score score = model.score("axb\u00FCc"); // x has one byte in UTF-8, u-umlaut two
      assertThat(score.symbols()).isEqualTo(3);
      assertThat(score.unknownBytes()).isEqualTo(3);
      assertThat(score.bits()).isEqualTo(model.score("abc").bits());
      assertThat(ofBytes.score("axb\u00FCc").symbols()).isEqualTo(6);
      assertThat(ofBytes.score("axb\u00FCc").unknownBytes()).isZero();
      assertThat(model.score("").bits()).isZero();
      assertThat(model.score("xyz").bitsPerSymbol()).isNaN();
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void anyBytesComeBackAlsoFromALoadedModel(TextCodec codec) throws IOException {
    Path folder = temporary.resolve("model");
    try (TextModel model = WildModels.text(codec)) {
      model.save(folder);
      try (FittedModel loaded = RingFlow.load(folder)) {
        TextModel same = (TextModel) loaded;
        assertThat(same.codec()).isEqualTo(codec);
        assertThat(same.sample(5, 2)).isEqualTo(model.sample(5, 2));
        for (byte[] text : texts().toList()) {
          byte[] small = model.compress(text, ProgressListener.IGNORED);
          assertThat(model.decompress(small, ProgressListener.IGNORED)).isEqualTo(text);
          assertThat(same.decompress(small, ProgressListener.IGNORED)).isEqualTo(text);
          assertThat(same.compress(text, ProgressListener.IGNORED)).isEqualTo(small);
          assertThat(same.score(text)).isEqualTo(model.score(text));
        }
      }
    }
  }

  /** Long and likely enough that nothing but the model compresses it best. */
  @Test
  void anotherModelDoesNotDecompress() throws CompressedFormatException {
    try (TextModel model = WildModels.text(LETTERS);
        TextModel other =
            WildModels.text(new TextCodec(Unit.CHARACTERS, Vocabulary.of(" abcè😀")))) {
      byte[] text = String.join("", model.sample(400, 1)).getBytes(StandardCharsets.UTF_8);
      byte[] small = model.compress(text, ProgressListener.IGNORED);
      assertThat(small.length * 8.0)
          .isCloseTo(model.score(text).bits(), within(0.02 * small.length * 8 + 1000));
      assertThat(model.decompress(small, ProgressListener.IGNORED)).isEqualTo(text);
      assertThatThrownBy(() -> other.decompress(small, ProgressListener.IGNORED))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessageContaining("another model");
    }
  }

  @Test
  void piecesBeginAsTheyAreTold() {
    try (TextModel model = WildModels.text(LETTERS);
        TextModel ofBytes = WildModels.text(BYTES)) {
      for (String beginning : List.of("", "a", "é😀 b", "abc é😀 a")) {
        assertThat(model.sample(20, beginning, 3))
            .hasSize(20)
            .allMatch(piece -> piece.startsWith(beginning))
            .allMatch(piece -> piece.codePointCount(0, piece.length()) == model.length());
      }
      // Bytes need not be characters behind the beginning; the beginning itself is.
      assertThat(ofBytes.sample(20, "é😀x", 3)).allMatch(piece -> piece.startsWith("é😀x"));
      assertThat(model.sample(20, "", 3)).isEqualTo(model.sample(20, 3));
      assertThat(model.sample(20, 3)).isNotEqualTo(model.sample(20, 4));
      assertThat(model.sample(20, 3).stream().distinct().count()).isGreaterThan(1);
      assertThat(model.sample(0, "a", 3)).isEmpty();
    }
  }

  @Test
  void beginningsThatCannotBeAreRefused() {
    try (TextModel model = WildModels.text(LETTERS)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.sample(1, "abcabcabca", 1))
          .withMessage("the beginning has 10 symbols, but a piece only 9");
      assertThatIllegalArgumentException().isThrownBy(() -> model.sample(1, "xa", 1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.sample(-1, 1))
          .withMessage("count must not be negative, but is -1");
    }
  }

  @Test
  void aTextOfOneCharacterTakesNothing() {
    try (TextModel model = WildModels.text(ONE)) {
      assertThat(model.sample(2, 1)).containsExactly("aaaaaaaaa", "aaaaaaaaa");
      assertThat(model.score("a".repeat(100))).isEqualTo(new TextModel.Score(100, 0, 0));
    }
  }
}
