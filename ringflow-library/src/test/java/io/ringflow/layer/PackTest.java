package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Estimators;
import io.ringflow.train.WarmStart;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Neighbours as one symbol: every row of every small space. */
@ExtendWith(LeakCheck.class)
final class PackTest {
  /** Some positions, packed so many at a time. */
  record Case(int positions, int size, int most) {}

  static Stream<Case> cases() {
    return Stream.of(
        new Case(1, 1, 5),
        new Case(2, 1, 4),
        new Case(2, 2, 5),
        new Case(3, 3, 4),
        new Case(4, 2, 3),
        new Case(4, 4, 3),
        new Case(6, 2, 2),
        new Case(6, 3, 2));
  }

  /**
   * All rows in their order, the last position fastest, are all packed rows in theirs: a number
   * whose last digit is the last symbol counts up with them.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void rowsKeepTheirOrder(Case test) {
    for (int[] lessThanCardinalities : Space.uniform(test.positions, test.most).enumerate()) {
      Space space = Space.of(Arrays.stream(lessThanCardinalities).map(k -> k + 1).toArray());
      int[][] rows = space.enumerate();
      Bijection pack = new Pack(test.size).on(space, Space.NONE);
      assertThat(pack.dataSpace()).isEqualTo(space);
      assertThat(pack.passes()).isZero();
      Space packed = pack.baseSpace();
      assertThat(packed.size()).isEqualTo(test.positions / test.size);
      assertThat(packed.cells()).isEqualTo(space.cells());
      int[][] packedRows = packed.enumerate();
      try (Weights weights = Zoo.wild(pack);
          Scope scope = Scope.inference()) {
        EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
        Tensor data = Tensors.ids(rows, space.size(), Device.CPU);
        Tensor base = Tensors.ids(packedRows, packed.size(), Device.CPU);
        assertThat(pack.inverse(Symbols.of(data), context).ids().equal(base)).isTrue();
        assertThat(pack.forward(Symbols.of(base), context).ids().equal(data)).isTrue();
      }
    }
  }

  @Test
  void thePackedSpaceHasASymbolForEachCombination() {
    assertThat(new Pack(2).on(Space.of(2, 3, 4, 1), Space.NONE).baseSpace())
        .isEqualTo(Space.of(6, 4));
    assertThat(new Pack(1).on(Space.of(2, 3), Space.NONE).baseSpace()).isEqualTo(Space.of(2, 3));
    assertThat(new Pack(2).on(Space.uniform(8, 27), Space.NONE).baseSpace())
        .isEqualTo(Space.uniform(4, 729));
  }

  @Test
  void whatCanNotBePackedIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Pack(0))
        .withMessage("size must be at least 1, but is 0");
    assertThatIllegalArgumentException().isThrownBy(() -> new Pack(-2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Pack(2).on(Space.uniform(5, 3), Space.NONE))
        .withMessage(
            "packing 2 at a time needs a multiple of as many positions, but the space has 5");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Architecture.of(Space.uniform(3, 2), new FactorizedBase())
                    .with(new Bipartite(Mask.even(3), new LookupTable(), new Shift()))
                    .with(new Pack(3)))
        .withMessage("layer 0: the mask has 3 positions, but the space has 1");
  }

  @Test
  void aSymbolHasAtMostAMillionValues() {
    Space most = Space.of(3, 3, 1024, 1024);
    assertThat(new Pack(2).on(most, Space.NONE).baseSpace()).isEqualTo(Space.of(9, 1 << 20));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Pack(2).on(Space.of(3, 3, 1024, 1025), Space.NONE))
        .withMessage("packing 2 positions from 2 on makes more than 1048576 symbols");
    // So many combinations that counting them would overflow.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Pack(64).on(Space.uniform(64, Integer.MAX_VALUE), Space.NONE))
        .withMessage("packing 64 positions from 0 on makes more than 1048576 symbols");
  }

  /** The largest alphabet there may be: its last symbol comes back. */
  @Test
  void theLastSymbolOfAMillionComesBack() {
    Space space = Space.uniform(2, 1024);
    Architecture architecture = Architecture.of(space, new FactorizedBase()).with(new Pack(2));
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      int[][] rows = {{1023, 1023}, {0, 0}, {1023, 0}, {0, 1023}, {517, 3}};
      int[][] packed = model.encode(rows);
      assertThat(packed)
          .isDeepEqualTo(
              new int[][] {{(1 << 20) - 1}, {0}, {1023 << 10}, {1023}, {517 * 1024 + 3}});
      assertThat(model.decode(packed)).isDeepEqualTo(rows);
      assertThat(model.logProb(rows)[0]).isCloseTo(-20 * Math.log(2), within(1e-9));
    }
  }

  /** A base of one position after a packing knows every row: any distribution, in no pass. */
  @Test
  void aPackedBaseIsAJointDistribution() {
    Space space = Space.of(2, 3);
    Architecture architecture = Architecture.of(space, new FactorizedBase()).with(new Pack(2));
    int[][] rows = {{0, 0}, {1, 2}, {1, 2}, {1, 2}, {0, 1}};
    try (FlowModel model = FlowModel.create(architecture, 1)) {
      WarmStart.fitBase(model, rows);
      assertThat(model.samplingPasses()).isZero();
      // Half a count more for each of six rows.
      assertThat(model.logProb(new int[][] {{1, 2}, {0, 0}, {1, 0}}))
          .containsExactly(
              new double[] {Math.log(3.5 / 8), Math.log(1.5 / 8), Math.log(0.5 / 8)}, within(1e-6));
    }
  }

  /** On either side of a packing, layers know their own space. */
  @Test
  void layersMayLieOnBothSides() {
    Space space = Space.of(2, 3, 4, 1);
    Base base = new AutoregressiveBase(Order.of(1, 0), new LookupTable());
    List<Layer> layers =
        List.of(
            new Bipartite(Mask.even(2), new Made(9, 1), new ShiftScale()),
            new Autoregressive(Order.of(1, 0), new LookupTable(), new Permute()),
            new Pack(2),
            new Autoregressive(Order.of(3, 1, 2, 0), new Made(9, 1), new ShiftScale()),
            new Bipartite(Mask.even(4), new LookupTable(), new Permute()));
    Architecture architecture = new Architecture(space, Space.NONE, base, layers);
    try (FlowModel model = Zoo.wild(architecture)) {
      // Two for the base, one and two on its side, four and one on the data's.
      assertThat(model.samplingPasses()).isEqualTo(2 + 1 + 2 + 4 + 1);
      int[][] rows = space.enumerate();
      int[][] packed = Space.of(6, 4).enumerate();
      int[][] encoded = model.encode(rows);
      Space.of(6, 4).check("base row", encoded);
      assertThat(Arrays.stream(encoded).map(Arrays::toString).distinct()).hasSize(rows.length);
      assertThat(model.decode(encoded)).isDeepEqualTo(rows);
      assertThat(model.encode(model.decode(packed))).isDeepEqualTo(packed);
      double total = Arrays.stream(model.logProb(rows)).map(Math::exp).sum();
      assertThat(total).isCloseTo(1, within(1e-12));
      space.check("sample", model.sample(200, 1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> model.decode(new int[][] {{5, 4}}))
          .withMessage("base row 0, position 1: symbol 4 is not in 0..3");
    }
  }

  @Test
  void straightThroughGradientsEndHere() {
    Space space = Space.uniform(4, 3);
    Layer onDataSide = new Bipartite(Mask.even(4), new LookupTable(), new Shift());
    Bijection bijection = Chain.of(new Pack(2), onDataSide).on(space, Space.NONE);
    try (Weights weights = Zoo.wild(bijection);
        Scope scope = Scope.training()) {
      weights.trackGradients();
      EvaluationContext context = Estimators.straightThrough(weights, Condition.NONE, 1);
      Symbols data = Symbols.withOneHot(Tensors.ids(new int[1][4], 4, Device.CPU), 3);
      assertThatIllegalStateException()
          .isThrownBy(() -> bijection.inverse(data, context))
          .withMessage(
              "straight-through gradients do not pass through Pack: train the layers on its data"
                  + " side by layer-wise cross-entropy");
    }
  }
}
