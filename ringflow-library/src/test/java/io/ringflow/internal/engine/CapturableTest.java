package io.ringflow.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.graph.RefusedCaptures;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Toys;
import io.ringflow.testing.Zoo;
import java.util.Collections;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a model computes can be captured as a graph: between its inputs and its results no value
 * moves to the host or from it.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class CapturableTest {
  /** Filled up to ten where shapes are captured. */
  private static final int ROWS = 9;

  static Stream<Zoo.Specimen> specimens() {
    return Zoo.all();
  }

  @ParameterizedTest
  @MethodSource("specimens")
  void nothingMovesWhileComputing(Zoo.Specimen specimen) {
    Architecture architecture = specimen.architecture();
    RefusedCaptures captures = new RefusedCaptures();
    try (FlowModel model = Zoo.wild(architecture);
        Engine engine = Engines.capturing(architecture, Models.weights(model), captures)) {
      Engine plain = Models.engine(model);
      Check check = new Check(plain, engine, captures, isSorting(architecture));
      int[][] rows = Toys.rows(architecture.space(), ROWS, 3);
      int[][] base = Toys.rows(plain.layers().baseSpace(), ROWS, 4);
      int[][] given = given(architecture.condition());
      check.same(
          one -> one.logProb(rows, given, Precision.FLOAT64, ProgressListener.IGNORED), 1e-10);
      if (!architecture.layers().isEmpty()) { // without any there is nothing to compute
        check.same(one -> one.encode(rows, given, Precision.FLOAT64));
      }
      check.same(
          one -> one.sample(ROWS, given, 5, SamplingOptions.DEFAULTS, ProgressListener.IGNORED));
      check.same(one -> one.decode(base, given));
      if (given.length > 0) {
        check.same(one -> one.greedy(given));
      } else {
        check.same(one -> visited(one, rows), 1e-10);
        check.same(one -> new Conditionals(one).choose(ROWS, (row, turn, logProbs, from) -> 0));
      }
    }
  }

  /** Permutations of greatest total logit are found on the host. */
  private static boolean isSorting(Architecture architecture) {
    return architecture.layers().toString().contains("Sinkhorn");
  }

  private static int[][] given(Space condition) {
    return condition.size() == 0
        ? Engine.UNCONDITIONAL
        : Collections.nCopies(ROWS, Toys.rows(condition, 1, 2)[0]).toArray(int[][]::new);
  }

  private static double[] visited(Engine engine, int[][] rows) {
    var conditionals = new Conditionals(engine);
    double[] sums = new double[rows.length];
    conditionals.visit(
        rows, (row, turn, symbol, logProbs, from) -> sums[row] += logProbs[from + symbol]);
    return sums;
  }

  /** Two engines of the same weights, the second of which captures. */
  private record Check(Engine plain, Engine engine, RefusedCaptures captures, boolean maySort) {
    void same(Function<Engine, int[][]> work) {
      int[][] wanted = work.apply(plain);
      assertThat(work.apply(engine)).isDeepEqualTo(wanted);
      assertThat(work.apply(engine)).as("the second time").isDeepEqualTo(wanted);
      wasCaptured();
    }

    void same(Function<Engine, double[]> work, double tolerance) {
      double[] wanted = work.apply(plain);
      for (int time = 0; time < 2; time++) {
        assertThat(work.apply(engine)).containsExactly(wanted, within(tolerance));
      }
      wasCaptured();
    }

    private void wasCaptured() {
      if (maySort) {
        assertThat(captures.takeReasons())
            .as("the host has to look at logits")
            .containsExactly("values move between host and device, which a graph can't repeat");
        assertThat(captures.takeCaptured()).isZero();
      } else {
        assertThat(captures.takeReasons()).isEmpty();
        assertThat(captures.takeCaptured()).isEqualTo(1);
      }
    }
  }
}
