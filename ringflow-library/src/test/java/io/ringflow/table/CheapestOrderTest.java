package io.ringflow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Order;
import io.ringflow.core.Space;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheapestOrderTest {
  private static final int CAUSES = 4;
  private static final Space SPACE = Space.of(4, 4, 4, 4, 5, 5, 5);

  /** Four causes, and three effects: any function of two causes, in most rows. */
  private static int[][] rows(int count) {
    var random = new SplittableRandom(3);
    int[] values = random.ints(3 * 16, 0, 5).toArray();
    int[][] rows = new int[count][SPACE.size()];
    for (int[] row : rows) {
      for (int i = 0; i < CAUSES; i++) {
        row[i] = random.nextInt(4);
      }
      for (int i = 0; i < 3; i++) {
        boolean known = random.nextDouble() < 0.95;
        row[CAUSES + i] = known ? values[16 * i + 4 * row[i] + row[i + 1]] : random.nextInt(5);
      }
    }
    return rows;
  }

  private static int[][] arranged(int[][] rows, Order order) {
    return Arrays.stream(rows)
        .map(row -> order.positions().stream().mapToInt(d -> row[d]).toArray())
        .toArray(int[][]::new);
  }

  /** The cheapest of all 5,040 orders, whatever the file's. */
  @ParameterizedTest
  @ValueSource(strings = {"0123456", "6543210", "4051623"})
  void findsTheCheapestOfAllOrders(String layout) {
    Order laidOut = new Order(layout.chars().map(c -> c - '0').boxed().toList());
    Space space = SPACE.select(laidOut.positions());
    var costs = new ParentCosts(space, arranged(rows(4000), laidOut));
    Order found = CheapestOrder.of(costs, Order.natural(SPACE.size()));
    double cheapest = cheapest(costs, new int[SPACE.size()], 0, 0);
    assertThat(CheapestOrder.cost(costs, found)).isCloseTo(cheapest, within(1e-9));
  }

  private static double cheapest(ParentCosts costs, int[] order, int chosen, int used) {
    if (chosen == order.length) {
      return CheapestOrder.cost(costs, new Order(Arrays.stream(order).boxed().toList()));
    }
    double best = Double.POSITIVE_INFINITY;
    for (int d = 0; d < order.length; d++) {
      if ((used >> d) % 2 == 0) {
        order[chosen] = d;
        best = Math.min(best, cheapest(costs, order, chosen + 1, used | (1 << d)));
      }
    }
    return best;
  }

  /** An independent column costs its entropy, an effect almost nothing beyond its noise. */
  @Test
  void costsAreEntropies() {
    var costs = new ParentCosts(SPACE, rows(8000));
    List<ParentCosts.Choice> ofCause = costs.choices(0);
    ParentCosts.Choice alone = ofCause.get(ofCause.size() - 1);
    assertThat(alone.first()).isEqualTo(-1);
    assertThat(alone.nats()).isCloseTo(Math.log(4), within(0.01));
    ParentCosts.Choice ofEffect = costs.choices(CAUSES).get(0);
    assertThat(List.of(ofEffect.first(), ofEffect.second())).containsExactlyInAnyOrder(0, 1);
    double noise = -0.96 * Math.log(0.96) - 0.04 * Math.log(0.01);
    assertThat(ofEffect.nats()).isCloseTo(noise, within(0.05));
  }

  @Test
  void twoRowsAreEnough() {
    var costs = new ParentCosts(Space.of(2, 1, 3), new int[][] {{0, 0, 2}, {1, 0, 2}});
    assertThat(CheapestOrder.of(costs, Order.natural(3)).positions())
        .containsExactlyInAnyOrder(0, 1, 2);
  }
}
