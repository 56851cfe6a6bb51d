package io.ringflow.layer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Objective;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.BoundMap;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.Arrays;
import java.util.Collections;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Location and scale by logits that are given: ties, what is no number, and what has no inverse.
 */
@ExtendWith(LeakCheck.class)
final class TopTwoTest {
  @Test
  void learnsAsAClassifierAlone() {
    assertThat(new TopTwo().trainableBy()).containsExactly(Objective.LAYERWISE_CROSS_ENTROPY);
  }

  /** Six symbols: 5 is the likeliest, 3 the next, but a scale of 4 has no inverse modulo 6. */
  @Test
  void theRunnerUpIsTheLikeliestThatAScaleCanReach() {
    assertThat(base(new double[] {0, 1, 2, 8, 4, 9}, Precision.FLOAT64))
        .containsExactly(5, 4, 3, 2, 1, 0); // 4 is the runner-up: data = 5 - base
  }

  @Test
  void equalLogitsMoveNothing() {
    for (double value : new double[] {0, 1e30, Double.NaN, Double.NEGATIVE_INFINITY}) {
      double[] logits = new double[5];
      Arrays.fill(logits, value);
      assertThat(base(logits, Precision.FLOAT32)).containsExactly(0, 1, 2, 3, 4);
    }
  }

  /** Every way to give up to six symbols one of four values, one of them no number. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64"})
  void everyChoiceIsAPermutationWithTheLikeliestAtZero(Precision precision) {
    double[] values = {Double.NaN, Double.NEGATIVE_INFINITY, -1, 2};
    for (int k = 1; k <= 6; k++) {
      for (int[] choice : Space.uniform(k, values.length).enumerate()) {
        double[] logits = Arrays.stream(choice).mapToDouble(i -> values[i]).toArray();
        int[] base = base(logits, precision);
        assertThat(base.clone()).containsExactlyInAnyOrder(IntStream.range(0, k).toArray());
        assertThat(base[likeliest(logits)]).isZero();
      }
    }
  }

  private static int likeliest(double[] logits) {
    int best = 0;
    for (int i = 1; i < logits.length; i++) {
      best = value(logits[i]) > value(logits[best]) ? i : best;
    }
    return best;
  }

  private static double value(double logit) {
    return Double.isNaN(logit) ? Double.NEGATIVE_INFINITY : logit;
  }

  /** Where each symbol comes from; and that it goes back there. */
  private static int[] base(double[] logits, Precision precision) {
    int k = logits.length;
    BoundMap moves = new TopTwo().on(Space.uniform(1, k), k);
    try (Weights start = Zoo.wild(moves);
        Weights weights = start.copyIn(precision);
        Scope scope = Scope.inference()) {
      EvaluationContext context = new EvaluationContext(weights, Condition.NONE);
      int[][] every = new int[k][];
      Arrays.setAll(every, i -> new int[] {i});
      Tensor ids = Tensors.ids(every, 1, Device.CPU);
      double[] flat =
          Collections.nCopies(k, logits).stream().flatMapToDouble(Arrays::stream).toArray();
      Tensor repeated = Tensors.reals(flat, precision, Device.CPU, k, 1, k);
      Tensor base = moves.inverse(ids, repeated, context).ids();
      assertThat(moves.forward(base, repeated, 0, context).equal(ids)).isTrue();
      return Arrays.stream(Tensors.toRows(base)).mapToInt(row -> row[0]).toArray();
    }
  }
}
