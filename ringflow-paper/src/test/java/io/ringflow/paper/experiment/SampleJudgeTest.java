package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.paper.corpus.KnownWords;
import io.ringflow.paper.oracle.NgramEntropy;
import io.ringflow.text.Vocabulary;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of rows of text. */
final class SampleJudgeTest {
  private static final int LENGTH = 12;
  private static final Vocabulary LETTERS = Vocabulary.TEXT8;
  private static final KnownWords WORDS = KnownWords.of(List.of(" the cat sat on a mat "));

  private static int[][] rows(String... lines) {
    return Arrays.stream(lines).map(LETTERS::ids).toArray(int[][]::new);
  }

  private static SampleJudge judge(FlowModel model) {
    return new SampleJudge(WORDS, model, LETTERS.size(), LETTERS::text);
  }

  @Test
  void bitsAreTheModelsOwn() {
    Space space = Space.uniform(LENGTH, LETTERS.size());
    try (FlowModel model =
        FlowModel.create(TextSizes.autoregressive(space, new Lstm(4, 8, 1)), 1)) {
      int[][] rows = rows("the cat sat ", "on a mat the", "zzzzzzzzzzzz");
      double[] nats = model.logProb(rows);
      SampleJudge.Verdict verdict = judge(model).judge(rows);
      double bits = -Arrays.stream(nats).sum() / (rows.length * LENGTH * Math.log(2));
      assertThat(verdict.bits().value()).isCloseTo(bits, within(1e-12));
      assertThat(verdict.bits().standardError()).isPositive();
      SampleJudge.Verdict one = judge(model).judge(rows("the cat sat "));
      assertThat(one.bits().value()).isCloseTo(-nats[0] / (LENGTH * Math.log(2)), within(1e-12));
      assertThat(one.bits().standardError()).isNaN();
    }
  }

  @Test
  void spellingAndEntropiesNeedNoModel() {
    int[][] rows = rows("x the cat y ", "e sta sat on", " a a a a a a");
    SampleJudge.Verdict verdict = judge(null).judge(rows);
    assertThat(verdict.bits()).isNull();
    assertThat(verdict.spelling()).isEqualTo(new KnownWords.Count(3 + 2 + 5, 2 + 1 + 5));
    assertThat(verdict.unigram()).isEqualTo(NgramEntropy.bits(rows, 1, 27));
    assertThat(verdict.fourGram()).isEqualTo(NgramEntropy.bits(rows, 4, 27));
  }

  /** A single word is spelled well; that it is the only one, its entropies tell. */
  @Test
  void repetitionHasNoEntropy() {
    SampleJudge.Verdict verdict = judge(null).judge(rows(" cat cat cat", "cat cat cat "));
    assertThat(verdict.spelling().share()).isEqualTo(1);
    assertThat(verdict.unigram()).isCloseTo(2, within(1e-12));
    assertThat(verdict.fourGram()).isZero();
  }
}
