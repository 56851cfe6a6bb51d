package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import io.ringflow.train.Estimators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Straight-through gradients run through inverse layers from the data to the base, as they run
 * through the layers inside in the other direction.
 */
@ExtendWith(LeakCheck.class)
final class InverseGradientTest {
  /** A layer on a space. */
  record Case(Layer layer, Space space) {}

  static Stream<Case> layers() {
    List<Case> found = new ArrayList<>();
    for (Space space : List.of(Space.uniform(3, 5), Space.uniform(6, 2), Space.of(2, 6, 3, 5))) {
      int size = space.size();
      for (Network network :
          List.of(
              new LookupTable(),
              new Made(14, 1),
              new Lstm(4, 5, 1),
              new Transformer(8, 1, 2, 12))) {
        for (SymbolMap map : List.of(new Shift(), new ShiftScale(), new Sinkhorn())) {
          found.add(new Case(new Bipartite(Mask.even(size), network, map), space));
          found.add(new Case(new Autoregressive(Order.reversed(size), network, map), space));
        }
      }
    }
    return found.stream();
  }

  /** One direction of a bijection. */
  @FunctionalInterface
  private interface Direction {
    Symbols of(Bijection bijection, Symbols from, EvaluationContext context);
  }

  /**
   * The gradients of a function of all rows that a bijection leads to, with respect to its
   * parameters by name, and to the one-hot it came from as {@code from}.
   */
  private static Map<String, double[]> gradients(
      Bijection bijection, Space from, Space to, Direction direction) {
    int[][] rows = from.enumerate();
    try (Weights weights = Zoo.wild(bijection);
        Scope scope = Scope.training()) {
      weights.trackGradients();
      Tensor ids = Tensors.ids(rows, from.size(), Device.CPU);
      Symbols start = Symbols.withOneHot(ids, from.maxCardinality());
      start.oneHot().set_requires_grad(true);
      var context = Estimators.straightThrough(weights, Condition.NONE, 0.7);
      Symbols end = direction.of(bijection, start, context);
      Tensor hot = Tensors.oneHot(end.ids(), to.maxCardinality(), ScalarType.Float);
      assertThat(end.oneHot().equal(hot)).isTrue();
      end.oneHot().mul(arriving(rows.length, to)).sum().backward();
      Map<String, double[]> found = new LinkedHashMap<>();
      weights
          .parameters()
          .forEach((name, one) -> found.put(name, Tensors.toDoubles(weights.get(one).grad())));
      found.put("from", Tensors.toDoubles(start.oneHot().grad()));
      return found;
    }
  }

  private static Tensor arriving(int rows, Space space) {
    int width = space.maxCardinality();
    var random = new SplittableRandom(5);
    double[] values = new double[rows * space.size() * width];
    Arrays.setAll(values, i -> random.nextGaussian());
    return Tensors.reals(values, Precision.FLOAT32, Device.CPU, rows, space.size(), width);
  }

  private static void assertNoneIsZero(Map<String, double[]> gradients) {
    gradients.forEach(
        (name, values) -> {
          assertThat(Arrays.stream(values).allMatch(Double::isFinite)).as(name).isTrue();
          assertThat(Arrays.stream(values).anyMatch(value -> value != 0)).as(name).isTrue();
        });
  }

  @ParameterizedTest
  @MethodSource("layers")
  void theGradientIsThatOfTheLayerInside(Case one) {
    Space space = one.space;
    Bijection plain = one.layer.on(space, Space.NONE);
    Bijection swapped = new Inverse(one.layer).on(space, Space.NONE);
    Map<String, double[]> wanted = gradients(plain, space, space, Bijection::inverse);
    Map<String, double[]> found = gradients(swapped, space, space, Bijection::forward);
    assertThat(found.keySet()).isEqualTo(wanted.keySet());
    found.forEach((name, values) -> assertThat(values).as(name).isEqualTo(wanted.get(name)));
    assertNoneIsZero(found);
  }

  /** The layer next to the base learns through those on its data side, and through a reordering. */
  @ParameterizedTest
  @MethodSource("layers")
  void theGradientReachesEveryLayerOfAChain(Case one) {
    int size = one.space.size();
    Layer chain =
        Chain.of(
            new Inverse(one.layer),
            new Reorder(Order.reversed(size)),
            new Inverse(new Autoregressive(Order.natural(size), new Made(14, 1), new Shift())));
    Bijection bound = chain.on(one.space.select(Order.reversed(size).positions()), Space.NONE);
    assertThat(bound.baseSpace()).isEqualTo(one.space);
    assertNoneIsZero(gradients(bound, one.space, bound.dataSpace(), Bijection::forward));
  }
}
