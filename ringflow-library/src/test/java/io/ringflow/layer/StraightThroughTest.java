package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.FlowModel;
import io.ringflow.network.CausalityTest;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Network;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Estimators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The value of the one-hot is the one-hot of the ids; its gradient is that of the dense soft form.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
public final class StraightThroughTest {
  private static final int ROWS = 6;
  private static final int WIDTH = 5;

  @ParameterizedTest
  @MethodSource("io.ringflow.testing.Zoo#straightThrough")
  void theValueIsTheOneHotOfTheIdsAfterEveryLayer(Zoo.Specimen specimen) {
    Space space = specimen.architecture().space();
    Space condition = specimen.architecture().condition();
    List<Layer> layers = specimen.architecture().layers();
    int[][] rows = space.enumerate();
    for (int first = 0; first < layers.size(); first++) {
      Bijection after = new Chain(layers.subList(first, layers.size())).on(space, condition);
      try (Weights weights = Zoo.wild(after);
          Scope scope = Scope.training()) {
        weights.trackGradients();
        Condition conditions = Zoo.condition(condition, new int[rows.length][condition.size()]);
        Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
        EvaluationContext context =
            Estimators.straightThrough(weights, conditions, DenseForms.TEMPERATURE);
        Symbols base = after.inverse(Symbols.withOneHot(ids, space.maxCardinality()), context);
        assertThat(base.carriesGradient()).isEqualTo(weights.count() > 0);
        int width = after.baseSpace().maxCardinality(); // a packing makes it another
        Tensor hot = Tensors.oneHot(base.ids(), width, ScalarType.Float);
        assertThat(base.oneHot().equal(hot)).isTrue();
        assertThat(base.ids().equal(after.inverse(Symbols.of(ids), context).ids())).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.ringflow.testing.SortingZoo#all")
  void aSortingLayerHasNoStraightThroughGradient(Zoo.Specimen specimen) {
    Space space = specimen.architecture().space();
    Space condition = specimen.architecture().condition();
    try (FlowModel model = Zoo.wild(specimen.architecture());
        Scope scope = Scope.training()) {
      Condition conditions = Zoo.condition(condition, new int[1][condition.size()]);
      Tensor ids = Tensors.ids(new int[1][space.size()], space.size(), Device.CPU);
      Symbols data = Symbols.withOneHot(ids, space.maxCardinality());
      EvaluationContext context =
          Estimators.straightThrough(Models.weights(model), conditions, DenseForms.TEMPERATURE);
      assertThatThrownBy(() -> Models.layers(model).inverse(data, context))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("this map has no alternatives to weigh");
    }
  }

  public static Stream<Space> spaces() {
    return Stream.concat(
        Stream.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13).map(k -> Space.uniform(2, k)),
        Stream.of(Space.of(2, 3, 12, 1), Space.of(13, 4, 5), Space.of(9, 10)));
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void aShiftHasTheGradientOfTheCircularConvolution(Space space) {
    compareWithTheDenseForm(space, new Shift(), DenseForms::shifted);
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void aScaleHasTheGradientOfTheDenseForm(Space space) {
    compareWithTheDenseForm(space, new ShiftScale(), DenseForms::shiftedAndScaled);
  }

  @ParameterizedTest
  @MethodSource("spaces")
  void aPermutationHasTheGradientOfTheSoftMatrix(Space space) {
    for (int iterations : new int[] {1, 20}) {
      compareWithTheDenseForm(
          space,
          new Sinkhorn(iterations),
          (oneHot, logits, k, width) -> DenseForms.permuted(oneHot, logits, k, width, iterations));
    }
  }

  /**
   * One position as the paper writes it, with a K x K cube a symbol: {@code [B, K]} out of a
   * one-hot {@code [B, width]} and logits.
   */
  @FunctionalInterface
  private interface DenseForm {
    Tensor of(Tensor oneHot, Tensor logits, int k, int width);
  }

  private static void compareWithTheDenseForm(Space space, SymbolMap map, DenseForm form) {
    int width = space.maxCardinality();
    BoundMap moves = map.on(space, width);
    try (Weights weights = doubles(moves);
        Scope scope = Scope.training()) {
      var random = new SplittableRandom(5);
      Tensor ids = randomIds(space, random);
      Tensor logits = leaf(normal(random, ROWS, space.size(), map.width(width)));
      Tensor oneHot = leaf(Tensors.oneHot(ids, width, ScalarType.Double));
      Tensor arriving = normal(random, ROWS, space.size(), width);
      EvaluationContext context =
          Estimators.straightThrough(weights, Condition.NONE, DenseForms.TEMPERATURE);

      Symbols data = new Symbols(ids, oneHot);
      Tensor positions = Tensors.range(space.size(), ids);
      Tensor ours = context.estimator().inverse(moves, data, positions, logits, context).oneHot();
      ours.mul(arriving).sum().backward();
      double[] logitsGradient = Tensors.toDoubles(logits.grad());
      double[][] oneHotGradient = perPosition(oneHot.grad(), space);

      Tensor denseLogits = leaf(logits.detach().clone());
      Tensor denseOneHot = leaf(oneHot.detach().clone());
      Tensor loss = Tensors.zeros(Precision.FLOAT64, Device.CPU, 1);
      for (int d = 0; d < space.size(); d++) {
        int k = space.cardinality(d);
        Tensor dense = form.of(denseOneHot.select(1, d), denseLogits.select(1, d), k, width);
        loss = loss.add(dense.mul(arriving.select(1, d).narrow(-1, 0, k)).sum());
        assertThat(Tensors.toDoubles(ours.select(1, d).narrow(-1, 0, k)))
            .containsExactly(Tensors.toDoubles(dense), within(1e-12));
      }
      loss.backward();
      assertThat(logitsGradient)
          .containsExactly(Tensors.toDoubles(denseLogits.grad()), within(1e-6));
      double[][] denseGradient = perPosition(denseOneHot.grad(), space);
      for (int d = 0; d < space.size(); d++) {
        assertThat(oneHotGradient[d]).containsExactly(denseGradient[d], within(1e-6));
      }
    }
  }

  /** Gradients of the symbols that exist: what a narrow position's surplus gets is never read. */
  private static double[][] perPosition(Tensor gradient, Space space) {
    double[][] result = new double[space.size()][];
    Arrays.setAll(
        result, d -> Tensors.toDoubles(gradient.select(1, d).narrow(-1, 0, space.cardinality(d))));
    return result;
  }

  static Stream<CausalityTest.Case> tables() {
    return cases(new LookupTable(), new LookupTable(1), new LookupTable(2));
  }

  /** A table is multilinear in its inputs: a sum over all rows of the space. */
  @ParameterizedTest
  @MethodSource("tables")
  void aTableHasTheGradientOfTheMultilinearForm(CausalityTest.Case test) {
    Space space = test.setting().space();
    Space condition = test.setting().condition();
    int width = space.maxCardinality();
    for (Conditioner conditioner : conditioners(test)) {
      try (Weights weights = doubles(conditioner);
          Scope scope = Scope.training()) {
        var random = new SplittableRandom(5);
        Tensor ids = randomIds(space, random);
        Tensor oneHot = leaf(Tensors.oneHot(ids, width, ScalarType.Double));
        EvaluationContext context =
            Estimators.straightThrough(
                weights,
                Zoo.condition(condition, new int[ROWS][condition.size()]),
                DenseForms.TEMPERATURE);
        Tensor logits = conditioner.logits(new Symbols(ids, oneHot), context);
        Tensor arriving = normal(random, ROWS, logits.size(1), WIDTH);
        logits.mul(arriving).sum().backward();
        double[][] ours = relativeToOwn(oneHot.grad(), ids, space);

        int[][] rows = space.enumerate();
        EvaluationContext everyRow =
            Estimators.straightThrough(
                weights,
                Zoo.condition(condition, new int[rows.length][condition.size()]),
                DenseForms.TEMPERATURE);
        Tensor values =
            conditioner.logits(
                Symbols.of(Tensors.ids(rows, space.size(), Device.CPU)), everyRow); // [cells, M, w]
        Tensor soft = leaf(oneHot.detach().clone());
        Tensor weight = null; // [B, cells]
        for (int d = 0; d < space.size(); d++) {
          int position = d;
          int[] column = Arrays.stream(rows).mapToInt(row -> row[position]).toArray();
          Tensor factor = soft.select(1, d).index_select(-1, DenseForms.index(column));
          weight = weight == null ? factor : weight.mul(factor);
        }
        Tensor dense = weight.matmul(values.detach().flatten(1, 2)).view(logits.shape());
        assertThat(Tensors.toDoubles(logits))
            .containsExactly(Tensors.toDoubles(dense), within(1e-12));
        dense.mul(arriving).sum().backward();
        double[][] theirs = relativeToOwn(soft.grad(), ids, space);
        for (int d = 0; d < space.size(); d++) {
          assertThat(ours[d]).containsExactly(theirs[d], within(1e-9));
        }
      }
    }
  }

  /**
   * Gradients less that of the symbol that is there. An output that does not see a position adds
   * the same number to all its symbols in the dense form, and nothing in ours; a softmax further up
   * can't tell the two apart.
   */
  private static double[][] relativeToOwn(Tensor gradient, Tensor ids, Space space) {
    return perPosition(gradient.sub(gradient.gather(-1, ids.unsqueeze(-1))), space);
  }

  static Stream<CausalityTest.Case> smooth() {
    return cases(
        Zoo.networks().stream().filter(n -> !(n instanceof LookupTable)).toArray(Network[]::new));
  }

  /**
   * A network reads the one-hot as a dense one-hot input: its gradient is a difference quotient.
   */
  @ParameterizedTest
  @MethodSource("smooth")
  void aNetworkHasTheGradientOfADenseOneHotInput(CausalityTest.Case test) {
    Space space = test.setting().space();
    Space condition = test.setting().condition();
    int width = space.maxCardinality();
    for (Conditioner conditioner : conditioners(test)) {
      try (Weights weights = doubles(conditioner);
          Scope scope = Scope.training()) {
        var random = new SplittableRandom(5);
        Tensor ids = randomIds(space, random);
        Tensor hot = Tensors.oneHot(ids, width, ScalarType.Double);
        Tensor oneHot = leaf(hot.clone());
        EvaluationContext context =
            Estimators.straightThrough(
                weights,
                Zoo.condition(condition, new int[ROWS][condition.size()]),
                DenseForms.TEMPERATURE);
        Tensor logits = conditioner.logits(new Symbols(ids, oneHot), context);
        assertThat(Tensors.toDoubles(logits))
            .containsExactly(
                Tensors.toDoubles(conditioner.logits(Symbols.of(ids), context)), within(1e-10));
        Tensor arriving = normal(random, ROWS, logits.size(1), WIDTH);
        logits.mul(arriving).sum().backward();

        Tensor direction = normal(random, ROWS, space.size(), width);
        double slope = Tensors.scalar(oneHot.grad().mul(direction).sum());
        double step = 1e-6;
        double[] values = new double[2];
        for (int side = 0; side < 2; side++) {
          Tensor moved = leaf(hot.add(direction.mul(new Scalar(side == 0 ? -step : step))));
          Tensor there = conditioner.logits(new Symbols(ids, moved), context);
          values[side] = Tensors.scalar(there.mul(arriving).sum());
        }
        assertThat((values[1] - values[0]) / (2 * step))
            .isCloseTo(slope, within(1e-5 * (1 + Math.abs(slope))));
        assertThat(slope).isNotZero();
      }
    }
  }

  private static Stream<CausalityTest.Case> cases(Network... networks) {
    return Arrays.stream(networks)
        .flatMap(
            network ->
                Zoo.settings().stream()
                    .map(setting -> new CausalityTest.Case(network, setting, Precision.FLOAT64)));
  }

  private static List<Conditioner> conditioners(CausalityTest.Case test) {
    Space space = test.setting().space();
    Space condition = test.setting().condition();
    List<Conditioner> found = new ArrayList<>();
    found.add(test.network().causal(space, Order.natural(space.size()), condition, WIDTH));
    for (Mask mask : List.of(Mask.even(space.size()), Mask.odd(space.size()))) {
      found.add(test.network().bipartite(space, mask, condition, WIDTH));
    }
    return found;
  }

  private static Weights doubles(Module part) {
    try (Weights start = Zoo.wild(part)) {
      return start.copyIn(Precision.FLOAT64);
    }
  }

  private static Tensor randomIds(Space space, SplittableRandom random) {
    int[][] rows = new int[ROWS][space.size()];
    for (int[] row : rows) {
      Arrays.setAll(row, d -> random.nextInt(space.cardinality(d)));
    }
    return Tensors.ids(rows, space.size(), Device.CPU);
  }

  private static Tensor normal(SplittableRandom random, long... shape) {
    double[] values = new double[Math.toIntExact(Arrays.stream(shape).reduce(1, (a, b) -> a * b))];
    Arrays.setAll(values, i -> random.nextGaussian());
    return Tensors.reals(values, Precision.FLOAT64, Device.CPU, shape);
  }

  private static Tensor leaf(Tensor values) {
    return values.set_requires_grad(true);
  }
}
