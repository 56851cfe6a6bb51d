package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What one group hands to the next, its network can tell apart. */
@ExtendWith(LeakCheck.class)
final class HandedSymbolsTest {
  /** Of five symbols handed to one position, the network can tell which was which. */
  @Test
  void symbolsHandedToOnePositionStayApart() {
    Space space = Space.uniform(6, 3);
    Zoo.Setting setting = new Zoo.Setting(space, Space.NONE);
    Network network = new Transformer(8, 1, 2, 8);
    // The last position receives all: from its left, and from either side.
    for (int last : new int[] {5, 2}) {
      Groups groups = Groups.of(6, position -> position == last ? 1 : 0);
      CausalCase test = new CausalCase(network, setting, groups, Precision.FLOAT64);
      CausalConditionerTest.withWeights(
          test,
          (conditioner, weights) -> {
            for (int a = 0; a < 5; a++) {
              for (int b = a + 1; b < 5; b++) {
                int[][] rows = new int[2][6];
                rows[0][a] = 1;
                rows[0][b] = 2;
                rows[1][a] = 2;
                rows[1][b] = 1;
                Tensor logits =
                    CausalConditionerTest.logits(
                        conditioner, rows, CausalConditionerTest.zeros(rows, test), test, weights);
                Tensor ofLast = logits.select(1, 5);
                double apart =
                    Tensors.scalar(ofLast.select(0, 0).sub(ofLast.select(0, 1)).abs().max());
                assertThat(apart).as("places %d and %d swapped", a, b).isGreaterThan(1e-3);
              }
            }
          });
    }
  }

  /** Every row of the earlier group gives the later one other logits. */
  @Test
  void everyCombinationThatIsHandedOnIsToldApart() {
    for (Space space : List.of(Space.uniform(4, 3), Space.of(2, 3, 4, 2))) {
      Zoo.Setting setting = new Zoo.Setting(space, Space.NONE);
      for (Groups groups :
          List.of(
              Groups.cut(Order.natural(4), 3, 1),
              Groups.cut(Order.natural(4), 2, 2),
              Groups.cut(Order.of(1, 2, 0, 3), 2, 2))) {
        CausalCase test =
            new CausalCase(new Transformer(8, 1, 2, 8), setting, groups, Precision.FLOAT64);
        int from = groups.starts()[1];
        CausalConditionerTest.withWeights(
            test,
            (conditioner, weights) -> {
              Space earlier = space.select(groups.order().positions().subList(0, from));
              int[][] rows =
                  Arrays.stream(earlier.enumerate())
                      .map(row -> Arrays.copyOf(row, 4))
                      .toArray(int[][]::new);
              Tensor logits =
                  CausalConditionerTest.logits(
                      conditioner, rows, CausalConditionerTest.zeros(rows, test), test, weights);
              double[] flat = Tensors.toDoubles(logits.narrow(1, from, 4 - from));
              int width = flat.length / rows.length;
              long different =
                  IntStream.range(0, rows.length)
                      .mapToObj(
                          i ->
                              Arrays.toString(Arrays.copyOfRange(flat, i * width, (i + 1) * width)))
                      .distinct()
                      .count();
              assertThat(different).isEqualTo(rows.length);
            });
      }
    }
  }
}
