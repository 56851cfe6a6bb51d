package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Coupling;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.Sinkhorn;
import io.ringflow.layer.StraightThroughTest;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.PlainMixture;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a mixture of moves says of a symbol, against sums in plain Java. */
@ExtendWith(LeakCheck.class)
final class MixtureGradientTest {
  /** A map on a space. */
  record Case(SymbolMap map, Space space) {
    int width() {
      return map.width(space.maxCardinality());
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
            new Shift(), new Shift(1.5), new ShiftScale(), new ShiftScale(1.5), new Sinkhorn(2))
        .flatMap(map -> StraightThroughTest.spaces().map(space -> new Case(map, space)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everySymbolIsAsLikelyAsTheMixtureMakesIt(Case test) {
    Space space = test.space;
    int[][] rows = space.enumerate();
    BoundMap moves = test.map.on(space, space.maxCardinality());
    try (Weights weights = SurrogateGradient.doubles(moves);
        Scope scope = Scope.inference()) {
      var random = new SplittableRandom(5);
      Tensor logits = normal(random, rows.length, space.size(), test.width());
      Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      // A base may be the same for all rows, or another for each.
      for (int bases : new int[] {1, rows.length}) {
        double[][][] targets = targets(space, bases, random);
        BoundMap.Move move = moves.inverse(ids, logits, context);
        Tensor positions = Tensors.range(space.size(), ids);
        assertThat(
                Tensors.toDoubles(new Mixture(tensor(targets)).logLikelihood(move, ids, positions)))
            .containsExactly(plain(test, rows, cube(logits), targets), within(1e-9));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itsGradientIsADifferenceQuotient(Case test) {
    Space space = test.space;
    int[][] rows = sampled(space);
    BoundMap moves = test.map.on(space, space.maxCardinality());
    try (Weights weights = SurrogateGradient.doubles(moves);
        Scope scope = Scope.training()) {
      var random = new SplittableRandom(6);
      Tensor logits =
          normal(random, rows.length, space.size(), test.width()).set_requires_grad(true);
      double[][][] targets = targets(space, 1, random);
      Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
      BoundMap.Move move =
          moves.inverse(ids, logits, new EvaluationContext(weights, Condition.NONE));
      Tensor positions = Tensors.range(space.size(), ids);
      new Mixture(tensor(targets)).logLikelihood(move, ids, positions).sum().backward();
      double[][][] gradient = cube(logits.grad());
      double[][][] at = cube(logits);
      double step = 1e-5;
      for (int i = 0; i < rows.length; i++) {
        for (int d = 0; d < space.size(); d++) {
          // Its logits say nothing about other positions.
          int k = space.cardinality(d);
          double[] own = at[i][d];
          double[] quotients = new double[test.width()];
          for (int j = 0; j < quotients.length; j++) {
            double middle = own[j];
            own[j] = middle + step;
            double above =
                PlainMixture.of(
                    test.map, k, space.maxCardinality(), rows[i][d], own, targets[0][d]);
            own[j] = middle - step;
            double below =
                PlainMixture.of(
                    test.map, k, space.maxCardinality(), rows[i][d], own, targets[0][d]);
            own[j] = middle;
            quotients[j] = (above - below) / (2 * step);
          }
          assertThat(gradient[i][d]).containsExactly(quotients, within(1e-8));
        }
      }
    }
  }

  static Stream<Architecture> stacks() {
    Space mixed = Space.of(2, 6, 3, 5);
    Space equal = Space.uniform(4, 4);
    return Stream.of(
        stack(mixed, new Made(9, 1), new Shift(), new ShiftScale()),
        stack(equal, new Transformer(8, 1, 2, 8), new ShiftScale(), new Shift(1)),
        stack(equal, new Lstm(3, 4, 1), new Shift(), new Shift()),
        stack(mixed, new LookupTable(1), new ShiftScale(), new ShiftScale()),
        stack(mixed, new Made(9, 1), new Sinkhorn(), new Sinkhorn(2)));
  }

  private static Architecture stack(Space space, Network network, SymbolMap near, SymbolMap far) {
    int size = space.size();
    return Architecture.of(space, new FactorizedBase())
        .with(new Bipartite(Mask.odd(size), network, near))
        .with(new Bipartite(Mask.even(size), network, far));
  }

  @ParameterizedTest
  @MethodSource("stacks")
  void whatLayersSayAddsUp(Architecture architecture) {
    Space space = architecture.space();
    int[][] rows = space.enumerate();
    try (FlowModel model = Zoo.wild(architecture);
        Weights weights = Models.weights(model).copyIn(Precision.FLOAT64);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      double[][][] targets = targets(space, 1, new SplittableRandom(8));
      Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
      var mixture = new Recording(tensor(targets));
      Symbols base =
          Models.layers(model)
              .inverse(mixture.data(ids), SurrogateGradient.context(weights, mixture));

      double[] wanted = new double[rows.length];
      Symbols symbols = Symbols.of(ids);
      for (int layer = 1; layer >= 0; layer--) {
        Coupling coupling = (Coupling) bound(model).get(layer);
        Bipartite bipartite = (Bipartite) architecture.layers().get(layer);
        List<Integer> moved = bipartite.mask().moved();
        int[][] before = Tensors.toRows(coupling.moved(symbols, context).ids());
        double[] own =
            PlainMixture.of(
                bipartite.map(),
                space.select(moved),
                space.maxCardinality(),
                before,
                cube(coupling.logits(symbols, context)),
                new double[][][] {moved.stream().map(d -> targets[0][d]).toArray(double[][]::new)});
        Arrays.setAll(wanted, i -> wanted[i] + own[i]);
        symbols = coupling.inverse(symbols, context);
      }
      assertThat(mixture.sum).containsExactly(wanted, within(1e-9));
      assertThat(base.ids().equal(symbols.ids())).isTrue();
    }
  }

  /** Each position has its own target, whatever order the layer goes through them in. */
  @Test
  void anAutoregressiveLayerFindsItsTargets() {
    Space space = Space.of(2, 6, 3, 5);
    Order order = Order.of(2, 0, 3, 1);
    for (SymbolMap map : List.of(new Shift(), new ShiftScale(), new Sinkhorn())) {
      Layer layer = new Autoregressive(order, new Made(9, 1), map);
      int[][] rows = space.enumerate();
      int[][] inOrder =
          Arrays.stream(rows)
              .map(row -> order.positions().stream().mapToInt(d -> row[d]).toArray())
              .toArray(int[][]::new);
      Bijection bijection = layer.on(space, Space.NONE);
      Conditioner conditioner =
          new Made(9, 1).causal(space, order, Space.NONE, map.width(space.maxCardinality()));
      try (Weights weights = SurrogateGradient.doubles(bijection);
          Weights alike = SurrogateGradient.doubles(conditioner);
          Scope scope = Scope.inference()) {
        double[][][] targets = targets(space, 1, new SplittableRandom(8));
        var mixture = new Recording(tensor(targets));
        Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
        Symbols base =
            bijection.inverse(mixture.data(ids), SurrogateGradient.context(weights, mixture));
        assertThat(base.hasOneHot()).isFalse();
        Tensor logits =
            conditioner.logits(
                Symbols.of(Tensors.ids(inOrder, space.size(), Device.CPU)),
                new EvaluationContext(alike, Condition.NONE));
        double[] wanted =
            PlainMixture.of(
                map,
                space.select(order.positions()),
                space.maxCardinality(),
                inOrder,
                cube(logits),
                new double[][][] {
                  order.positions().stream().map(d -> targets[0][d]).toArray(double[][]::new)
                });
        assertThat(mixture.sum).containsExactly(wanted, within(1e-9));
      }
    }
  }

  /** The layer next to the data learns the same whether others follow it or not. */
  @ParameterizedTest
  @MethodSource("stacks")
  void noGradientRunsThroughSymbols(Architecture architecture) {
    Space space = architecture.space();
    try (FlowModel model = Zoo.wild(architecture);
        Weights weights = Models.weights(model).copyIn(Precision.FLOAT64)) {
      double[] alone = gradient(bound(model).get(1), space, weights);
      double[] both = gradient(Models.layers(model), space, weights);
      int start = Math.toIntExact(weights.layerStarts().get(1));
      int end = Math.toIntExact(weights.layerElements());
      assertThat(Arrays.copyOfRange(both, start, end))
          .containsExactly(Arrays.copyOfRange(alone, start, end));
      assertThat(Arrays.copyOf(alone, start)).containsOnly(0);
      assertThat(Arrays.stream(both, 0, start).anyMatch(value -> value != 0)).isTrue();
      assertThat(Arrays.stream(alone, start, end).anyMatch(value -> value != 0)).isTrue();
    }
  }

  private static double[] gradient(Bijection bijection, Space space, Weights weights) {
    double[][][] targets = targets(space, 1, new SplittableRandom(8));
    return SurrogateGradient.of(
        bijection, weights, space.enumerate(), () -> new Mixture(tensor(targets)));
  }

  private static List<Bijection> bound(FlowModel model) {
    return ((Chain.Bound) Models.layers(model)).bijections();
  }

  /** A mixture that adds up what layers say. */
  private static final class Recording extends SurrogateLikelihood {
    private final Mixture mixture;
    private double[] sum;

    Recording(Tensor base) {
      this.mixture = new Mixture(base);
    }

    @Override
    Tensor logLikelihood(BoundMap.Move move, Tensor ids, Tensor positions) {
      Tensor own = mixture.logLikelihood(move, ids, positions);
      double[] values = Tensors.toDoubles(own);
      double[] before = sum == null ? new double[values.length] : sum;
      sum = IntStream.range(0, values.length).mapToDouble(i -> before[i] + values[i]).toArray();
      return own;
    }
  }

  private static double[] plain(
      Case test, int[][] rows, double[][][] logits, double[][][] targets) {
    return PlainMixture.of(
        test.map, test.space, test.space.maxCardinality(), rows, logits, targets);
  }

  /** Log-probabilities of every symbol there is; minus infinity for the others. */
  private static double[][][] targets(Space space, int rows, SplittableRandom random) {
    double[][][] targets = new double[rows][space.size()][space.maxCardinality()];
    for (double[][] row : targets) {
      for (int d = 0; d < row.length; d++) {
        int k = space.cardinality(d);
        double[] weights = random.doubles(k, 0.05, 1).toArray();
        double total = Arrays.stream(weights).sum();
        Arrays.setAll(row[d], i -> i < k ? Math.log(weights[i] / total) : Double.NEGATIVE_INFINITY);
      }
    }
    return targets;
  }

  private static Tensor tensor(double[][][] cube) {
    double[] flat =
        Arrays.stream(cube).flatMap(Arrays::stream).flatMapToDouble(Arrays::stream).toArray();
    return Tensors.reals(
        flat, Precision.FLOAT64, Device.CPU, cube.length, cube[0].length, cube[0][0].length);
  }

  private static double[][][] cube(Tensor tensor) {
    double[] flat = Tensors.toDoubles(tensor);
    int columns = Math.toIntExact(tensor.size(1));
    int width = Math.toIntExact(tensor.size(2));
    double[][][] cube = new double[flat.length / columns / width][columns][];
    for (int i = 0; i < cube.length * columns; i++) {
      cube[i / columns][i % columns] = Arrays.copyOfRange(flat, i * width, (i + 1) * width);
    }
    return cube;
  }

  private static int[][] sampled(Space space) {
    int[][] rows = space.enumerate();
    int every = Math.max(1, rows.length / 12);
    return IntStream.range(0, rows.length)
        .filter(i -> i % every == 0)
        .mapToObj(i -> rows[i])
        .toArray(int[][]::new);
  }

  private static Tensor normal(SplittableRandom random, long... shape) {
    double[] values = new double[Math.toIntExact(Arrays.stream(shape).reduce(1, (a, b) -> a * b))];
    Arrays.setAll(values, i -> random.nextGaussian());
    return Tensors.reals(values, Precision.FLOAT64, Device.CPU, shape);
  }
}
