package io.ringflow.text;

import static io.ringflow.core.ProgressListener.IGNORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.RingFlow;
import io.ringflow.base.FactorizedBase;
import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.model.Architecture;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextCodec.Unit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final TextCodec LETTERS = WildModels.characters(" abcé😀");
  private static final TextCodec BYTES = WildModels.bytes();
  private static final TextCodec ONE = WildModels.characters("a");

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

  /** Read from left to right, a symbol costs what the symbols before it in its piece say. */
  @ParameterizedTest
  @MethodSource("codecs")
  void aScoreIsTheSumOfItsSymbols(TextCodec codec) {
    try (TextModel model = WildModels.text(codec)) {
      ByteText bytes =
          ByteText.of(
              codec.unit() == Unit.BYTES, codec.vocabulary().codePoints(), codec.vocabulary()::id);
      texts()
          .forEach(
              text ->
                  assertThat(model.score(text, IGNORED).bits())
                      .isCloseTo(bits(model, bytes.parts(text).symbols()), within(1e-9)));
    }
  }

  private static double bits(TextModel model, char[] symbols) {
    int length = model.length();
    int[][] rows = new int[(symbols.length + length - 1) / length][length];
    for (int i = 0; i < symbols.length; i++) {
      rows[i / length][i % length] = symbols[i];
    }
    double[] bits = new double[1];
    new Conditionals(Models.engine(model.flow()))
        .visit(
            rows,
            (row, turn, symbol, logProbs, from) ->
                bits[0] -=
                    row * length + turn < symbols.length
                        ? logProbs[from + symbol] / Math.log(2)
                        : 0);
    return bits[0];
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
        var compressor = new Compressor(model);
        var another = new Compressor(same);
        for (byte[] text : texts().toList()) {
          byte[] small = compressor.compress(text);
          assertThat(compressor.decompress(small)).isEqualTo(text);
          assertThat(another.decompress(small)).isEqualTo(text);
          assertThat(another.compress(text)).isEqualTo(small);
          assertThat(same.score(text, IGNORED)).isEqualTo(model.score(text, IGNORED));
        }
      }
    }
  }

  /** Long and likely enough that nothing but the model compresses it best. */
  @Test
  void anotherModelDoesNotDecompress() throws CompressedFormatException {
    try (TextModel model = WildModels.text(LETTERS);
        TextModel other = WildModels.text(WildModels.characters(" abcè😀"))) {
      byte[] text = String.join("", model.sample(400, 1)).getBytes(StandardCharsets.UTF_8);
      var compressor = new Compressor(model);
      byte[] small = compressor.compress(text);
      assertThat(small.length * 8.0)
          .isCloseTo(model.score(text, IGNORED).bits(), within(0.02 * small.length * 8 + 1000));
      assertThat(compressor.decompress(small)).isEqualTo(text);
      assertThatThrownBy(() -> new Compressor(other).decompress(small))
          .isInstanceOf(CompressedFormatException.class)
          .hasMessageContaining("another model");
    }
  }

  @Test
  void piecesBeginAsTheyAreTold() {
    try (TextModel model = WildModels.text(LETTERS);
        TextModel ofBytes = WildModels.text(BYTES)) {
      for (String beginning : List.of("", "a", "é😀 b", "abc é😀 a")) {
        assertThat(model.sample(20, beginning, 3).pieces())
            .hasSize(20)
            .allMatch(piece -> piece.startsWith(beginning))
            .allMatch(piece -> piece.codePointCount(0, piece.length()) == model.length());
      }
      // Bytes need not be characters behind the beginning; the beginning itself is.
      assertThat(ofBytes.sample(20, "é😀x", 3).pieces())
          .allMatch(piece -> piece.startsWith("é😀x"));
      assertThat(model.sample(20, "", 3).pieces()).isEqualTo(model.sample(20, 3));
      assertThat(model.sample(20, 3)).isNotEqualTo(model.sample(20, 4));
      assertThat(model.sample(20, 3).stream().distinct().count()).isGreaterThan(1);
      assertThat(model.sample(0, "a", 3).pieces()).isEmpty();
      TextModel.Sample sample = model.sample(20, "a", 3);
      assertThat(sample.exact()).as("from left to right").isTrue();
      assertThat(sample.effective()).isEqualTo(20);
    }
  }

  @Test
  void precisionAndProgressAreTheCallers() {
    try (TextModel model = WildModels.text(LETTERS)) {
      for (String beginning : List.of("", "ab")) {
        List<Long> done = new ArrayList<>();
        ProgressListener progress = (count, total) -> done.add(count * 100 + total);
        assertThat(model.sample(20, beginning, 3, SamplingOptions.DEFAULTS, progress))
            .isEqualTo(model.sample(20, beginning, 3));
        assertThat(done).as("in pieces").containsExactly(2020L);
        assertThat(
                model
                    .sample(
                        20,
                        beginning,
                        3,
                        SamplingOptions.DEFAULTS.withPrecision(Precision.FLOAT32),
                        progress)
                    .pieces())
            .hasSize(20)
            .allMatch(piece -> piece.startsWith(beginning));
        assertThatIllegalArgumentException()
            .isThrownBy(
                () ->
                    model.sample(
                        1,
                        beginning,
                        1,
                        SamplingOptions.DEFAULTS.withPrecision(Precision.BFLOAT16),
                        progress))
            .withMessage("precision bfloat16 needs a GPU; a CPU computes in float32 or float64");
      }
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

  @Test
  void aFlowOfOtherSymbolsIsRefused() {
    try (FlowModel flow =
        FlowModel.create(Architecture.of(Space.uniform(12, 11), new FactorizedBase()), 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new TextModel(flow, BYTES))
          .withMessage("the text has 256 symbols, but the model is of 12 x 11");
    }
    try (FlowModel flow =
        FlowModel.create(Architecture.of(Space.of(6, 6, 5), new FactorizedBase()), 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new TextModel(flow, LETTERS))
          .withMessageContaining("the text has 6 symbols, but the model is of ");
    }
  }

  @Test
  void aCodecIsChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TextCodec(Unit.BYTES, Vocabulary.of("ab"), List.of(1L, 1L)))
        .withMessage("a text of bytes has the 256 bytes as its vocabulary");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new TextCodec(Unit.CHARACTERS, Vocabulary.of("a", "end"), List.of(1L, 1L)))
        .withMessage("a text of characters has no specials, but this one has [end]");
    for (List<Long> counts : List.of(List.of(1L), List.of(1L, -1L), List.of(1L, 1L, 1L))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new TextCodec(Unit.CHARACTERS, Vocabulary.of("ab"), counts))
          .withMessageStartingWith("counts must be 2 numbers from 0, one for each symbol");
    }
  }
}
