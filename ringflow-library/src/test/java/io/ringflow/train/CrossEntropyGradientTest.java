package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Chain;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.Reorder;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.StraightThroughTest;
import io.ringflow.layer.SymbolMap;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
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

/** What layers say of symbols as classifiers of them, against cross entropy in plain Java. */
@ExtendWith(LeakCheck.class)
final class CrossEntropyGradientTest {
  private static final Space SPACE = Space.of(2, 4, 3, 3);

  /** A map on a space. */
  record Case(SymbolMap map, Space space) {}

  static Stream<Case> cases() {
    return Stream.of(new Permute(), new Shift(), new Shift(1.5))
        .flatMap(map -> StraightThroughTest.spaces().map(space -> new Case(map, space)));
  }

  /** Softmax less one-hot is the gradient of what is lost; here it is that of what is won. */
  @ParameterizedTest
  @MethodSource("cases")
  void logitsHaveTheGradientOfCrossEntropy(Case test) {
    Space space = test.space;
    int width = space.maxCardinality();
    int[][] rows = space.enumerate();
    BoundMap moves = test.map.on(space, width);
    try (Weights weights = SurrogateGradient.doubles(moves);
        Scope scope = Scope.training()) {
      var random = new SplittableRandom(5);
      double[] values = random.doubles((long) rows.length * space.size() * width, -2, 2).toArray();
      double[] rowWeights = random.doubles(rows.length, 0.5, 2).toArray();
      Tensor logits =
          Tensors.reals(values, Precision.FLOAT64, Device.CPU, rows.length, space.size(), width)
              .set_requires_grad(true);
      Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      Tensor logLikelihood =
          new LayerwiseCrossEntropy().logLikelihood(moves.inverse(ids, logits, context), ids, null);
      logLikelihood
          .mul(Tensors.reals(rowWeights, Precision.FLOAT64, Device.CPU, rows.length))
          .sum()
          .backward();

      double[] likelihoods = new double[rows.length];
      double[] gradient = new double[values.length]; // zero where there is no such symbol
      for (int i = 0; i < rows.length; i++) {
        for (int d = 0; d < space.size(); d++) {
          int from = (i * space.size() + d) * width;
          double[] own = Arrays.copyOfRange(values, from, from + space.cardinality(d));
          own[0] += test.map instanceof Shift shift ? shift.logitBias() : 0;
          double total = Arrays.stream(own).map(Math::exp).sum();
          likelihoods[i] += own[rows[i][d]] - Math.log(total);
          for (int k = 0; k < own.length; k++) {
            double hot = k == rows[i][d] ? 1 : 0;
            gradient[from + k] = rowWeights[i] * (hot - Math.exp(own[k]) / total);
          }
        }
      }
      assertThat(Tensors.toDoubles(logLikelihood)).containsExactly(likelihoods, within(1e-12));
      assertThat(Tensors.toDoubles(logits.grad())).containsExactly(gradient, within(1e-12));
    }
  }

  @Test
  void aScaleHasNothingToClassify() {
    Space space = Space.uniform(2, 5);
    BoundMap moves = new ShiftScale().on(space, 5);
    try (Weights weights = SurrogateGradient.doubles(moves);
        Scope scope = Scope.inference()) {
      Tensor ids = Tensors.ids(new int[1][2], 2, Device.CPU);
      Tensor logits = Tensors.zeros(Precision.FLOAT64, Device.CPU, 1, 2, 10);
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      BoundMap.Move move = moves.inverse(ids, logits, context);
      assertThatThrownBy(move::symbolLogits).hasMessageContaining("do not classify symbols");
    }
  }

  /** Layers of every kind, from the base to the data; the last has weights. */
  static Stream<Chain> stacks() {
    Layer sorts = new Bipartite(Mask.odd(4), new Made(9, 1), new Permute());
    Layer shifts = new Bipartite(Mask.even(4), new Transformer(8, 1, 2, 8), new Shift(1));
    Layer causal = new Autoregressive(Order.of(2, 0, 3, 1), new Lstm(4, 5, 1), new Permute());
    Layer reorder = new Reorder(Order.of(1, 2, 3, 0));
    return Stream.of(
        Chain.of(sorts, shifts),
        Chain.of(shifts, causal),
        Chain.of(causal, sorts),
        Chain.of(sorts, reorder, shifts),
        Chain.of(
            new Bipartite(Mask.odd(2), new LookupTable(), new Permute()),
            new Pack(2),
            reorder,
            causal));
  }

  @ParameterizedTest
  @MethodSource("stacks")
  void whatLayersSayAddsUp(Chain layers) {
    Chain.Bound all = layers.on(SPACE, Space.NONE);
    int[][] rows = SPACE.enumerate();
    try (Weights weights = SurrogateGradient.doubles(all);
        Scope scope = Scope.inference()) {
      Tensor ids = Tensors.ids(rows, SPACE.size(), Device.CPU);
      Recording together = new Recording();
      Symbols base = all.inverse(together.data(ids), SurrogateGradient.context(weights, together));
      double[] wanted = new double[rows.length];
      Tensor symbols = ids;
      for (int i = all.bijections().size() - 1; i >= 0; i--) {
        Recording alone = new Recording();
        Symbols next =
            all.bijections()
                .get(i)
                .inverse(alone.data(symbols), SurrogateGradient.context(weights, alone));
        if (alone.sum != null) {
          double[] own = alone.sum;
          Arrays.setAll(wanted, row -> wanted[row] + own[row]);
        }
        symbols = next.ids();
      }
      assertThat(together.sum).containsExactly(wanted, within(1e-12));
      assertThat(base.ids().equal(symbols)).isTrue();
      assertThat(Arrays.stream(wanted).distinct().count()).isGreaterThan(rows.length / 2);
    }
  }

  /** Every layer learns the same, whichever others there are. */
  @ParameterizedTest
  @MethodSource("stacks")
  void noGradientRunsThroughSymbols(Chain layers) {
    Chain.Bound all = layers.on(SPACE, Space.NONE);
    Bijection last = all.bijections().get(all.bijections().size() - 1);
    try (Weights weights = SurrogateGradient.doubles(all)) {
      List<Bijection> others = all.bijections().subList(0, all.bijections().size() - 1);
      Bijection rest = new Chain.Bound(last.baseSpace(), all.baseSpace(), others);
      double[] together = gradient(all, weights, SPACE.enumerate());
      double[] ofLast = gradient(last, weights, SPACE.enumerate());
      double[] ofRest = gradient(rest, weights, afterwards(last, weights));
      int[] reached = new int[2];
      for (int i = 0; i < together.length; i++) {
        // No weight is reached by both.
        assertThat(together[i]).isEqualTo(ofRest[i] == 0 ? ofLast[i] : ofRest[i]);
        assertThat(ofLast[i] == 0 || ofRest[i] == 0).isTrue();
        reached[0] += ofLast[i] == 0 ? 0 : 1;
        reached[1] += ofRest[i] == 0 ? 0 : 1;
      }
      assertThat(reached[0]).isPositive();
      assertThat(reached[1]).isPositive();
    }
  }

  /** Every row as a layer leaves it to those on its base side. */
  private static int[][] afterwards(Bijection layer, Weights weights) {
    try (Scope scope = Scope.inference()) {
      Symbols data = Symbols.of(Tensors.ids(SPACE.enumerate(), SPACE.size(), Device.CPU));
      return Tensors.toRows(
          layer.inverse(data, new EvaluationContext(weights, Condition.NONE)).ids());
    }
  }

  private static double[] gradient(Bijection bijection, Weights weights, int[][] rows) {
    return SurrogateGradient.of(bijection, weights, rows, LayerwiseCrossEntropy::new);
  }

  /** Cross-entropy that adds up what layers say. */
  private static final class Recording extends SurrogateLikelihood {
    private double[] sum;

    @Override
    Tensor logLikelihood(BoundMap.Move move, Tensor ids, Tensor positions) {
      Tensor own = new LayerwiseCrossEntropy().logLikelihood(move, ids, positions);
      double[] values = Tensors.toDoubles(own);
      double[] before = sum == null ? new double[values.length] : sum;
      sum = IntStream.range(0, values.length).mapToDouble(i -> before[i] + values[i]).toArray();
      return own;
    }
  }
}
