package io.ringflow.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Between independent symbols and one after the other. */
@ExtendWith(LeakCheck.class)
final class GroupBaseTest {
  private static final Space SPACE = Space.of(3, 2, 4, 2);

  static Stream<Network> networks() {
    return Stream.of(
        new LookupTable(), new LookupTable(1), new Made(14, 2), new Transformer(8, 2, 2, 12));
  }

  private static Architecture groups(Groups groups, Network network) {
    return Architecture.of(SPACE, new GroupBase(groups, network));
  }

  /** How likely it is to find a row's symbols at some positions. */
  private static double probability(double[] logProbs, int[] row, Integer... positions) {
    int[][] rows = SPACE.enumerate();
    return IntStream.range(0, rows.length)
        .filter(i -> Arrays.stream(positions).allMatch(d -> rows[i][d] == row[d]))
        .mapToDouble(i -> Math.exp(logProbs[i]))
        .sum();
  }

  /** One group: every row is as likely as its symbols are by themselves. */
  @ParameterizedTest
  @MethodSource("networks")
  void oneGroupIsIndependence(Network network) {
    try (FlowModel model = Zoo.wild(groups(Groups.blocks(4, 1), network))) {
      double[] logProbs = model.logProb(SPACE.enumerate());
      int[][] rows = SPACE.enumerate();
      for (int i = 0; i < rows.length; i++) {
        int[] row = rows[i];
        double product = 1;
        for (int d = 0; d < 4; d++) {
          product *= probability(logProbs, row, d);
        }
        assertThat(Math.exp(logProbs[i])).isCloseTo(product, within(1e-12));
      }
      assertThat(model.samplingPasses()).isEqualTo(1);
      assertThat(Arrays.stream(logProbs).distinct().count()).isGreaterThan(20); // and not flat
    }
  }

  /** Given the earlier groups, the symbols of one are independent, and depend on those. */
  @ParameterizedTest
  @MethodSource("networks")
  void symbolsOfAGroupAreIndependentGivenEarlierOnes(Network network) {
    Groups groups = Groups.cut(Order.of(2, 0, 3, 1), 1, 2, 1);
    try (FlowModel model = Zoo.wild(groups(groups, network))) {
      double[] logProbs = model.logProb(SPACE.enumerate());
      double dependence = 0;
      for (int[] row : SPACE.enumerate()) {
        double first = probability(logProbs, row, 2);
        double then0 = probability(logProbs, row, 2, 0) / first;
        double then3 = probability(logProbs, row, 2, 3) / first;
        double both = probability(logProbs, row, 2, 0, 3) / first;
        assertThat(both).isCloseTo(then0 * then3, within(1e-12));
        double alone = probability(logProbs, row, 0);
        dependence = Math.max(dependence, Math.abs(then0 - alone));
      }
      assertThat(dependence).isGreaterThan(0.01);
      assertThat(model.samplingPasses()).isEqualTo(3);
    }
  }

  /** Groups of one position are the autoregressive base: the same weights, scores and draws. */
  @ParameterizedTest
  @MethodSource("networks")
  void groupsOfOneAreTheAutoregressiveBase(Network network) {
    Order order = Order.of(2, 0, 3, 1);
    Architecture causal = Architecture.of(SPACE, new AutoregressiveBase(order, network));
    try (FlowModel one = Zoo.wild(causal);
        FlowModel other = Zoo.wild(groups(Groups.singles(order), network))) {
      assertThat(Models.weights(other).parameters().keySet())
          .containsExactlyElementsOf(Models.weights(one).parameters().keySet());
      int[][] rows = SPACE.enumerate();
      assertThat(other.logProb(rows)).containsExactly(one.logProb(rows));
      assertThat(other.sample(300, 7)).isDeepEqualTo(one.sample(300, 7));
      assertThat(other.samplingPasses()).isEqualTo(one.samplingPasses()).isEqualTo(4);
    }
  }

  @Test
  void groupsMustBeOfTheSpace() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> groups(Groups.blocks(3, 2), new Made(9, 1)))
        .withMessage("the base's order has 3 positions, but the space has 4");
  }

  /** Not the data's space, but the base's own. */
  @Test
  void theBaseOfPackedSymbolsHasFewerPositions() {
    GroupBase base = new GroupBase(Groups.growing(2, 1), new Made(9, 1));
    Architecture packed = new Architecture(SPACE, Space.NONE, base, List.of(new Pack(2)));
    try (FlowModel model = Zoo.wild(packed)) {
      assertThat(model.samplingPasses()).isEqualTo(1);
      assertThat(Models.layers(model).baseSpace()).isEqualTo(Space.of(6, 8));
    }
  }
}
