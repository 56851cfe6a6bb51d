package io.ringflow.paper.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.train.Batches;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class CutSentencesTest {
  private static final int END = 8;
  private static final int PADDING = 9;

  /** A sentence of all lengths from none to one that fills its row. */
  private static final int[][] SENTENCES = {
    {END, PADDING, PADDING, PADDING},
    {1, END, PADDING, PADDING},
    {2, 3, END, PADDING},
    {4, 5, 6, END}
  };

  private static CutSentences cut(long seed) {
    return new CutSentences(Batches.shuffled(SENTENCES, 4, 1), END, PADDING, seed);
  }

  private static Set<String> rows(Batches batches, double share) {
    Set<String> all = new TreeSet<>();
    for (long step = 0; step < 200; step++) {
      Arrays.stream(batches.batch(step, share).rows()).map(Arrays::toString).forEach(all::add);
    }
    return all;
  }

  @Test
  void sentencesLoseTheirFirstCharactersAndNothingElse() {
    Set<String> whole = Arrays.stream(SENTENCES).map(Arrays::toString).collect(Collectors.toSet());
    Set<String> ends = Set.of("[3, 8, 9, 9]", "[5, 6, 8, 9]", "[6, 8, 9, 9]");
    assertThat(rows(cut(3), 0)).containsAll(ends).containsAll(whole).hasSize(7);
  }

  @Test
  void inTheEndAllAreWhole() {
    assertThat(rows(cut(3), 1)).hasSize(SENTENCES.length);
    assertThat(cut(3).batch(5).rows()).isDeepEqualTo(cut(3).batch(5, 1).rows());
  }

  @Test
  void theSameStepGivesTheSameRows() {
    assertThat(cut(3).batch(7, 0.4).rows()).isDeepEqualTo(cut(3).batch(7, 0.4).rows());
    assertThat(rows(cut(3), 0.9)).isNotEqualTo(rows(cut(3), 1));
    assertThat(cut(3).description()).endsWith("cut at random at first");
  }
}
