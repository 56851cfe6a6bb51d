package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Mask;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.store.Json;
import io.ringflow.model.Architecture;
import io.ringflow.network.Made;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Permutations;
import io.ringflow.testing.Zoo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to permutations; the zoo has the rest. */
@ExtendWith(LeakCheck.class)
final class SinkhornTest {
  private static Tensor normal(SplittableRandom random, long... shape) {
    double[] values = new double[Math.toIntExact(Arrays.stream(shape).reduce(1, (a, b) -> a * b))];
    Arrays.setAll(values, i -> random.nextGaussian());
    return Tensors.reals(values, Precision.FLOAT64, Device.CPU, shape);
  }

  static Stream<Space> spaces() {
    return Stream.of(
        Space.of(1),
        Space.of(2),
        Space.of(7),
        Space.of(1, 2, 3, 4, 5, 6),
        Space.of(5, 1, 2),
        Space.uniform(3, 4));
  }

  /** Every symbol at every position, wherever in the row one begins, by logits of its own. */
  @ParameterizedTest
  @MethodSource("spaces")
  void everySymbolGoesToAnotherPlaceAndBack(Space space) {
    int width = space.maxCardinality();
    BoundMap moves = new Sinkhorn().on(space, width);
    try (Weights weights = Zoo.wild(moves);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      Tensor logits = normal(new SplittableRandom(1), 1, space.size(), new Sinkhorn().width(width));
      for (int from = 0; from < space.size(); from++) {
        int k = space.cardinality(from);
        boolean[] taken = new boolean[k];
        for (int symbol = 0; symbol < k; symbol++) {
          int[] row = new int[space.size()];
          row[from] = symbol;
          Symbols data = Symbols.of(Tensors.ids(new int[][] {row}, row.length, Device.CPU));
          Tensor base = moves.inverse(data.ids(), logits, context).ids();
          int image = Tensors.toRows(base)[0][from];
          assertThat(image).isBetween(0, k - 1);
          assertThat(taken[image]).isFalse();
          taken[image] = true;
          int rest = space.size() - from;
          Tensor back =
              moves.forward(
                  base.narrow(1, from, rest), logits.narrow(1, from, rest), from, context);
          assertThat(back.equal(data.ids().narrow(1, from, rest))).isTrue();
        }
      }
    }
  }

  /** Entry (j, i) takes data symbol i to base symbol j, not the other way round. */
  @Test
  void everyPermutationCanBeChosen() {
    int k = 4;
    BoundMap moves = new Sinkhorn().on(Space.of(k), k);
    try (Weights weights = Zoo.wild(moves);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      for (int[] images : Permutations.all(k)) {
        double[] wishes = new double[k * k];
        for (int i = 0; i < k; i++) {
          wishes[images[i] * k + i] = 1;
        }
        Tensor logits =
            Tensors.reals(wishes, Precision.FLOAT32, Device.CPU, 1, 1, wishes.length)
                .expand(k, -1, -1);
        Tensor all = Tensors.ids(new int[][] {{0}, {1}, {2}, {3}}, 1, Device.CPU);
        Tensor base = moves.inverse(all, logits, context).ids();
        assertThat(Tensors.toRows(base.transpose(0, 1))[0]).containsExactly(images);
        assertThat(moves.forward(base, logits, 0, context).equal(all)).isTrue();
      }
    }
  }

  @Test
  void equalLogitsMoveNothing() {
    Space space = Space.of(3, 5, 1);
    BoundMap moves = new Sinkhorn().on(space, 5);
    try (Weights weights = Zoo.wild(moves);
        Scope scope = Scope.inference()) {
      Tensor all = Tensors.ids(space.enumerate(), 3, Device.CPU);
      Tensor logits = Tensors.zeros(Precision.FLOAT32, Device.CPU, all.size(0), 3, 25);
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      assertThat(moves.inverse(all, logits, context).ids().equal(all)).isTrue();
      assertThat(moves.forward(all, logits, 0, context).equal(all)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 13})
  void rowsAndColumnsOfTheSoftMatrixSumToOne(int k) {
    try (Scope scope = Scope.inference()) {
      Tensor logits = normal(new SplittableRandom(k), 10, k, k);
      Tensor converged = Sinkhorn.normalized(logits, 100).exp();
      assertThat(Tensors.toDoubles(converged.sum(-1))).satisfies(SinkhornTest::areOnes);
      assertThat(Tensors.toDoubles(converged.sum(-2))).satisfies(SinkhornTest::areOnes);
      // Before it has, the columns do, which are read as distributions.
      Tensor once = Sinkhorn.normalized(logits, 1).exp();
      assertThat(Tensors.toDoubles(once.sum(-2))).satisfies(SinkhornTest::areOnes);
      if (k > 1) {
        assertThat(Arrays.stream(Tensors.toDoubles(once.sum(-1))).allMatch(s -> near(s, 1)))
            .isFalse();
      }
    }
  }

  private static void areOnes(double[] sums) {
    assertThat(Arrays.stream(sums).allMatch(sum -> near(sum, 1))).isTrue();
  }

  private static boolean near(double value, double wanted) {
    return Math.abs(value - wanted) < 1e-9;
  }

  /** As the temperature falls, the soft matrix becomes the permutation that moves symbols. */
  @Test
  void theSoftMatrixTendsToTheBestAssignment() {
    int k = 6;
    var random = new SplittableRandom(2);
    double[][] wishes = new double[k][];
    Arrays.setAll(wishes, i -> random.doubles(k).toArray());
    double[] flat = Arrays.stream(wishes).flatMapToDouble(Arrays::stream).toArray();
    try (Scope scope = Scope.inference()) {
      Tensor logits = Tensors.reals(flat, Precision.FLOAT64, Device.CPU, k, k);
      Tensor soft = Sinkhorn.normalized(logits.div(new Scalar(0.001)), 2000).exp();
      int[][] best = {Assignment.best(wishes)};
      Tensor hard = Tensors.oneHot(Tensors.ids(best, k, Device.CPU), k, ScalarType.Double);
      assertThat(Tensors.toDoubles(soft)).containsExactly(Tensors.toDoubles(hard), within(1e-3));
    }
  }

  @Test
  void itHasANameInFiles(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("config.json");
    Architecture architecture =
        Architecture.of(Space.of(2, 3), new FactorizedBase())
            .with(new Bipartite(Mask.even(2), new Made(4, 1), new Sinkhorn(7)));
    Json.write(file, architecture);
    assertThat(Files.readString(file)).contains("\"sinkhorn\"").contains("\"iterations\": 7");
  }

  @Test
  void mistakesAreNamed() {
    assertThat(new Sinkhorn().iterations()).isEqualTo(20);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Sinkhorn(0))
        .withMessage("iterations must be at least 1, but is 0");
    assertThat(new Sinkhorn().width(1024)).isEqualTo(1 << 20);
    Layer layer = new Bipartite(Mask.even(2), new Made(4, 1), new Sinkhorn());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Architecture(
                    Space.of(3, 1025), Space.NONE, new FactorizedBase(), List.of(layer)))
        .withMessage("layer 0: cardinality must be at most 1024 for a Sinkhorn map, but is 1025");
  }
}
