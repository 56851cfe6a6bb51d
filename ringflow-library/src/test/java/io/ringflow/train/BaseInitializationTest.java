package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Groups;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where models start, and what they answer. */
@ExtendWith(LeakCheck.class)
final class BaseInitializationTest {
  private static final Space SPACE = Space.of(4, 3, 5);
  private static final List<Network> NETWORKS =
      List.of(new LookupTable(), new Made(9, 1), new Lstm(4, 5, 1), new Transformer(8, 1, 2, 8));

  @Test
  void withAHeadStartLayersMoveNothing() {
    int[][] rows = SPACE.enumerate();
    for (Network network : NETWORKS) {
      for (SymbolMap map : List.of(new Shift(20), new ShiftScale(20))) {
        Architecture architecture =
            Architecture.of(SPACE, new FactorizedBase())
                .with(new Autoregressive(Order.reversed(3), network, map))
                .with(new Bipartite(Mask.odd(3), network, map));
        try (FlowModel model = FlowModel.create(architecture, 5)) {
          assertThat(model.encode(rows)).isDeepEqualTo(rows);
          assertThat(model.decode(rows)).isDeepEqualTo(rows);
        }
      }
    }
  }

  @Test
  void withoutOneTheyMoveSomething() {
    Architecture architecture =
        Architecture.of(SPACE, new FactorizedBase())
            .with(new Autoregressive(Order.reversed(3), new LookupTable(), new Shift()));
    try (FlowModel model = FlowModel.create(architecture, 5)) {
      assertThat(Arrays.deepEquals(model.encode(SPACE.enumerate()), SPACE.enumerate())).isFalse();
    }
  }

  @Test
  void aTiltedBaseFavoursSymbolZero() {
    try (FlowModel model =
        FlowModel.create(Architecture.of(SPACE, new FactorizedBase(null, Math.log(3))), 1)) {
      // Of K symbols one weighs 3 and the others 1: 3/6 * 3/5 * 3/7.
      double[] logProb = model.logProb(new int[][] {{0, 0, 0}, {1, 2, 3}});
      assertThat(Math.exp(logProb[0])).isCloseTo(27 / 210.0, within(1e-6));
      assertThat(Math.exp(logProb[1])).isCloseTo(1 / 210.0, within(1e-7));
      // Refitting takes the tilt into account.
      WarmStart.fitBase(model, SPACE.enumerate());
      assertThat(model.logProb(new int[][] {{0, 0, 0}, {1, 2, 3}}))
          .containsExactly(new double[] {-Math.log(60), -Math.log(60)}, within(1e-6));
    }
  }

  @Test
  void startsMustBeNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Shift(-1))
        .withMessage("logitBias must be finite and not negative, but is -1.0");
    assertThatIllegalArgumentException().isThrownBy(() -> new ShiftScale(Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FactorizedBase(null, Double.POSITIVE_INFINITY))
        .withMessage("logitBias must be finite and not negative, but is Infinity");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AutoregressiveBase(Order.natural(2), new LookupTable(), -2));
  }

  /** Each symbol of the answer is the likeliest, given those that the base drew before it. */
  @Test
  void greedyTakesTheLikeliestSymbolAtEveryStep() {
    Space space = Space.of(3, 4, 2);
    Space condition = Space.of(5);
    Order order = Order.of(1, 2, 0);
    Layer layer = new Bipartite(Mask.odd(3), new LookupTable(), new Shift());
    for (Base base :
        List.of(
            new AutoregressiveBase(order, new Lstm(4, 5, 1)),
            new GroupBase(Groups.cut(order, 1, 2), new Made(9, 1)),
            new GroupBase(Groups.cut(order, 2, 1), new Transformer(8, 1, 2, 8)),
            new FactorizedBase(new Made(9, 1)),
            new FactorizedBase())) {
      Architecture plain = new Architecture(space, condition, base, List.of());
      int[][] all = condition.enumerate();
      try (FlowModel model = Zoo.wild(plain);
          FlowModel moved = Zoo.wild(plain.with(layer))) {
        int[][] answers = model.greedy(all);
        for (int i = 0; i < all.length; i++) {
          assertThat(answers[i]).isEqualTo(byEnumeration(model, order, all[i]));
        }
        // Layers carry the base's answer to the data.
        assertThat(moved.greedy(all)).hasDimensions(all.length, 3);
        int[][] encoded = moved.encode(moved.greedy(all), all);
        for (int i = 0; i < all.length; i++) {
          assertThat(encoded[i]).isEqualTo(byEnumerationOfBase(moved, order, all[i]));
        }
      }
    }
  }

  private static int[] byEnumeration(FlowModel model, Order order, int[] condition) {
    int[][] rows = model.architecture().space().enumerate();
    return likeliest(model, order, condition, rows, rows);
  }

  private static int[] byEnumerationOfBase(FlowModel model, Order order, int[] condition) {
    int[][] baseRows = model.architecture().space().enumerate();
    int[][] givens = new int[baseRows.length][];
    Arrays.fill(givens, condition);
    return likeliest(model, order, condition, baseRows, model.decode(baseRows, givens));
  }

  private static int[] likeliest(
      FlowModel model, Order order, int[] condition, int[][] baseRows, int[][] rows) {
    int[][] givens = new int[rows.length][];
    Arrays.fill(givens, condition);
    double[] p = Arrays.stream(model.logProb(rows, givens)).map(Math::exp).toArray();
    boolean[] alive = new boolean[rows.length];
    Arrays.fill(alive, true);
    int[] answer = new int[order.size()];
    for (int position : order.positions()) {
      double[] mass = new double[model.architecture().space().cardinality(position)];
      for (int i = 0; i < rows.length; i++) {
        mass[baseRows[i][position]] += alive[i] ? p[i] : 0;
      }
      int best = 0;
      for (int k = 1; k < mass.length; k++) {
        best = mass[k] > mass[best] ? k : best;
      }
      answer[position] = best;
      for (int i = 0; i < rows.length; i++) {
        alive[i] &= baseRows[i][position] == best;
      }
    }
    return answer;
  }
}
