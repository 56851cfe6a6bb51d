package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which neighbours an n-gram has, and that their vectors are looked up as plain Java would. */
@ExtendWith(LeakCheck.class)
final class NeighbourGramsTest {
  private static final int SYMBOLS = 3;
  private static final Transformer SIZES = new Transformer(10, 1, 2, 8, 101);

  /** All vectors of rows, {@code [B][D * width]}, in the order of the groups. */
  private static double[][] vectors(Groups groups, int[]... rowsInOrder) {
    NeighbourGrams grams = grams(groups);
    double[][] all = new double[rowsInOrder.length][];
    try (Weights weights = Zoo.wild(grams);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      for (int i = 0; i < all.length; i++) {
        int size = rowsInOrder[i].length;
        Tensor known = grams.unknown(1, context);
        NeighbourGrams.tell(known, 0, Tensors.ids(new int[][] {rowsInOrder[i]}, size, Device.CPU));
        all[i] = Tensors.toDoubles(grams.at(known, 0, size, context).flatten());
      }
    }
    return all;
  }

  private static NeighbourGrams grams(Groups groups) {
    return NeighbourGrams.of(SIZES, Space.uniform(groups.positions(), SYMBOLS), groups);
  }

  private static boolean[] changed(double[][] vectors) {
    int width = SIZES.width();
    boolean[] changed = new boolean[vectors[0].length / width];
    for (int i = 0; i < changed.length; i++) {
      changed[i] =
          !Arrays.equals(
              vectors[0], i * width, (i + 1) * width, vectors[1], i * width, (i + 1) * width);
    }
    return changed;
  }

  /** From left to right, the last two, three, four and five symbols have a part each. */
  @Test
  void fromLeftToRightTheyAreTheLastSymbols() {
    int[] row = {2, 0, 1, 1, 2, 0, 2};
    NeighbourGrams grams = grams(Groups.singles(Order.natural(row.length)));
    try (Weights weights = Zoo.wild(grams);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      Tensor known = grams.unknown(1, context);
      NeighbourGrams.tell(known, 0, Tensors.ids(new int[][] {row}, row.length, Device.CPU));
      double[] vectors = Tensors.toDoubles(grams.at(known, 0, row.length, context).flatten());
      double[] table = Tensors.toDoubles(weights.values()); // its only parameter
      int part = 3; // a quarter of ten, the last of which is cut
      for (int position = 0; position < row.length; position++) {
        for (int i = 0; i < SIZES.width(); i++) {
          int kind = i / part;
          long bucket = kind;
          for (int digit = 0; digit < 5; digit++) {
            int length = kind + 2;
            int neighbour = position - length + digit;
            long symbol = digit < length && neighbour >= 0 ? row[neighbour] + 1L : 0;
            bucket = (bucket * (SYMBOLS + 1) + symbol) % SIZES.ngrams();
          }
          assertThat(vectors[position * SIZES.width() + i])
              .isEqualTo(table[(int) bucket * part + i % part]);
        }
      }
    }
  }

  /** Of a run that grows at both ends, each position knows what stands next to it by then. */
  @Test
  void theyAreOfWhatEarlierGroupsKnow() {
    Groups groups = new Groups(List.of(List.of(3), List.of(2, 4), List.of(1, 5), List.of(0)));
    int[] order = groups.order().positions().stream().mapToInt(Integer::intValue).toArray();
    int[] group = groups.inOrder();
    for (int place = 0; place < order.length; place++) {
      int[] row = new int[order.length];
      int[] other = row.clone();
      other[place] = 1;
      boolean[] changed = changed(vectors(groups, row, other));
      for (int at = 0; at < order.length; at++) {
        int far = order[at] - order[place];
        boolean near = far >= -2 && far <= 3;
        assertThat(changed[at])
            .as("position %d of symbol %d", order[at], order[place])
            .isEqualTo(near && group[place] < group[at]);
      }
    }
  }

  /** What steps look up one group after the other is what all have at once. */
  @Test
  void groupAfterGroupTheyAreTheSame() {
    Groups groups = Groups.growing(9, 3, 1);
    int[] row = new SplittableRandom(1).ints(9, 0, SYMBOLS).toArray();
    NeighbourGrams grams = grams(groups);
    int[] starts = groups.starts();
    double[] steps;
    try (Weights weights = Zoo.wild(grams);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      Tensor known = grams.unknown(1, context);
      steps =
          IntStream.range(0, groups.count())
              .mapToObj(
                  step -> {
                    int from = starts[step];
                    int count = starts[step + 1] - from;
                    Tensor vectors = grams.at(known, from, count, context).flatten();
                    int[][] ids = {Arrays.copyOfRange(row, from, from + count)};
                    NeighbourGrams.tell(known, from, Tensors.ids(ids, count, Device.CPU));
                    return Tensors.toDoubles(vectors);
                  })
              .flatMapToDouble(Arrays::stream)
              .toArray();
    }
    assertThat(steps).isEqualTo(vectors(groups, row)[0]);
  }

  @Test
  void asManyWeightsAsLayersHave() {
    Transformer with = new Transformer(512, 12, 8, 2048).withNgrams();
    assertThat(BigInteger.valueOf(with.ngrams()).isProbablePrime(50)).isTrue();
    assertThat((double) with.ngrams() * 512 / 4)
        .isBetween(0.999 * 12 * 12 * 512 * 512, 12. * 12 * 512 * 512);
    assertThat(with.withNgrams(0)).isEqualTo(new Transformer(512, 12, 8, 2048));
  }

  @Test
  void whereNobodyKnowsTwoNeighboursThereAreNone() {
    assertThat(grams(Groups.blocks(2, 1))).isNull();
    assertThat(grams(Groups.singles(Order.natural(2)))).isNull();
    assertThat(grams(Groups.singles(Order.natural(3)))).isNotNull();
  }

  @Test
  void theyNeedGroupsAndOneAlphabet() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SIZES.causal(Space.of(2, 3, 2), Groups.blocks(3, 3), Space.NONE, 3))
        .withMessageContaining("one alphabet");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SIZES.bipartite(Space.uniform(4, 3), Mask.even(4), Space.NONE, 3))
        .withMessageContaining("use ngrams 0, not 101");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Transformer(8, 1, 2, 8, -1))
        .withMessageContaining("ngrams");
  }
}
