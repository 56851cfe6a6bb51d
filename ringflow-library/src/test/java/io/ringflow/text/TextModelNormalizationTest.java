package io.ringflow.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.Architecture;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scores of texts are probabilities: enumerated, those of all texts of a length sum to one, whether
 * the texts fill their pieces or not.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class TextModelNormalizationTest {
  private static final int MAX_LETTERS = 8;

  /** A model of every kind, in pieces of four and of six letters. */
  record Case(String name, int length, Architecture architecture) {
    TextModel model() {
      return WildModels.text(architecture, WildModels.characters("ab"));
    }

    @Override
    public String toString() {
      return name + ", pieces of " + length;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(4, 6)
        .flatMap(
            length ->
                WildModels.ofTwoLetters(length).entrySet().stream()
                    .map(kind -> new Case(kind.getKey(), length, kind.getValue())));
  }

  static Stream<Case> leftToRight() {
    return cases().filter(test -> test.name.startsWith("left to right"));
  }

  /** The probabilities of all texts of so many letters, in alphabetic order. */
  private static double[] probabilities(TextModel model, int letters) {
    double[] all = new double[1 << letters];
    for (int number = 0; number < all.length; number++) {
      var text = new StringBuilder();
      for (int i = letters - 1; i >= 0; i--) {
        text.append((number >> i & 1) == 0 ? 'a' : 'b');
      }
      all[number] = Math.pow(2, -model.score(text.toString()).bits());
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void probabilitiesOfAllTextsOfALengthSumToOne(Case test) {
    try (TextModel model = test.model()) {
      for (int letters = 1; letters <= MAX_LETTERS; letters++) {
        double sum = 0;
        for (double probability : probabilities(model, letters)) {
          sum += probability;
        }
        assertThat(sum).as("%d letters", letters).isCloseTo(1, within(1e-9));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("leftToRight")
  void aTextIsAsLikelyAsAllItsContinuations(Case test) {
    try (TextModel model = test.model()) {
      double[] shorter = {1};
      for (int letters = 1; letters <= MAX_LETTERS; letters++) {
        double[] longer = probabilities(model, letters);
        for (int number = 0; number < shorter.length; number++) {
          assertThat(longer[2 * number] + longer[2 * number + 1])
              .isCloseTo(shorter[number], within(1e-9));
        }
        shorter = longer;
      }
    }
  }

  /** Texts that the model samples, so that no other method is shorter; all end within a piece. */
  @Test
  void longTextsTakeWhatTheirScoresSay() throws CompressedFormatException {
    Case test = cases().filter(one -> one.name.equals("3 groups")).findFirst().orElseThrow();
    try (TextModel model = test.model()) {
      var compressor = new Compressor(model);
      var random = new SplittableRandom(5);
      for (int rows : new int[] {3_000, 10_000, 30_000}) {
        String end = "ab".repeat(4).substring(0, random.nextInt(1, test.length));
        byte[] text =
            (String.join("", model.sample(rows, rows)) + end).getBytes(StandardCharsets.UTF_8);
        byte[] compressed = compressor.compress(text);
        double promised = model.score(text, ProgressListener.IGNORED).bits() / 8;
        assertThat(compressed.length - promised).isBetween(0.0, 0.01 * promised + 64);
        assertThat(compressor.decompress(compressed)).isEqualTo(text);
      }
    }
  }
}
