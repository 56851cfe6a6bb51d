package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Words have one key each, whoever hashes them. */
@ExtendWith(LeakCheck.class)
final class WordContextsTest {
  /** Tensors hash words as plain Java does, up to the longest. */
  @Test
  void wordsHaveTheSameKeysEverywhere() {
    int length = 80;
    var random = new SplittableRandom(1);
    Groups natural = Groups.singles(Order.natural(length));
    for (int symbols : new int[] {1, 2, 27, 5000, 65536}) {
      List<Integer> separators = symbols == 1 ? List.of(0) : List.of(0, symbols - 1);
      var table =
          new NgramTable(NgramMixtureTest.alone(0, 9).withWords(separators), symbols, -1, natural);
      WordContexts words = table.words();
      char[] row = new char[length];
      for (int i = 0; i < length; i++) {
        row[i] = (char) (random.nextInt(12) == 0 ? 0 : random.nextInt(symbols));
      }
      row[40] = row[39] = 0; // and then two words that are together as long as they may be
      Arrays.fill(row, 41, 72, (char) Math.min(1, symbols - 1));
      row[72] = 0;
      try (Weights weights = Zoo.wild(table);
          Scope scope = Scope.inference()) {
        EvaluationContext context = NgramMixtureTest.context(weights, false);
        long[] known = new long[length + 1];
        for (int i = 0; i < length; i++) {
          known[i + 1] = row[i] + 1L;
        }
        Tensor keys =
            words.keys(
                Tensors.longs(known, Device.CPU, 1, length + 1L),
                table.neighbours(context),
                context);
        double[] found = Tensors.toDoubles(keys.ne(new Scalar(0L)).flatten());
        for (int i = 0; i < length; i++) {
          long hash = words.hash(row, i, 0, length, -1);
          assertThat(found[i]).as("%d of %d", i, symbols).isEqualTo(hash < 0 ? 0 : 1);
          if (hash >= 0) {
            assertThat(hash).isLessThan((Long.MAX_VALUE - symbols) / symbols);
            assertThat(keys.select(1, i).item_long())
                .isEqualTo(WordContexts.key(hash))
                .isNegative();
          }
        }
        if (symbols > 2) {
          assertThat(found[72]).as("31 letters and one separator").isZero();
          assertThat(found[73]).as("the separator behind them").isZero();
          assertThat(found[71]).as("30 letters and two separators").isOne();
        }
      }
    }
  }
}
