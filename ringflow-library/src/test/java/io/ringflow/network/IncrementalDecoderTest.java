package io.ringflow.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Zoo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A causal network says the same step by step as all at once. */
@ExtendWith(LeakCheck.class)
final class IncrementalDecoderTest {
  /** Columns of one, a few and many symbols. */
  private static final Space MIXED =
      new Space(IntStream.range(0, 30).mapToObj(d -> 1 + (d * 7 + 2) % 11).toList());

  static Stream<CausalityTest.Case> cases() {
    List<CausalityTest.Case> found = new ArrayList<>(CausalityTest.cases().toList());
    // Longer than anything that can be enumerated: errors would add up from step to step.
    for (Network network : Zoo.networks()) {
      if (!network.equals(new LookupTable())) {
        for (Precision precision : Precision.values()) {
          found.add(
              new CausalityTest.Case(
                  network, new Zoo.Setting(Space.uniform(40, 6), Space.of(7, 2)), precision));
          found.add(
              new CausalityTest.Case(network, new Zoo.Setting(MIXED, Space.of(1, 3)), precision));
        }
      }
    }
    return found.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void stepsAgreeWithAllAtOnce(CausalityTest.Case test) {
    double tolerance = test.precision() == Precision.FLOAT64 ? 1e-10 : 2e-4;
    for (int width : test.widths()) {
      assertThat(largestDifference(test, width, false)).isLessThan(tolerance);
    }
  }

  /**
   * A decoder that is told another first symbol must say something else: the test above can see.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void aWrongSymbolIsNoticed(CausalityTest.Case test) {
    for (int width : test.widths()) {
      assertThat(largestDifference(test, width, true)).isGreaterThan(1e-2);
    }
  }

  private static double largestDifference(CausalityTest.Case test, int width, boolean lie) {
    Space space = test.setting().space();
    Space condition = test.setting().condition();
    CausalConditioner conditioner =
        test.network().causal(space, Order.natural(space.size()), condition, width);
    int[][] rows = rows(space);
    int[][] conditions = rows(condition);
    try (Weights single = Zoo.wild(conditioner);
        Weights doubled = single.copyIn(Precision.FLOAT64);
        Scope scope = Scope.inference()) {
      Weights weights = test.precision() == Precision.FLOAT64 ? doubled : single;
      EvaluationContext context =
          new EvaluationContext(weights, Zoo.condition(condition, conditions));
      Tensor ids = Tensors.ids(rows, space.size(), Device.CPU);
      Tensor atOnce = conditioner.logits(Symbols.of(ids), context);
      IncrementalDecoder decoder = conditioner.decoder(rows.length, context);
      double largest = 0;
      for (int t = 0; t < space.size(); t++) {
        try (Scope step = Scope.inference()) {
          Tensor difference = decoder.logits().sub(atOnce.narrow(1, t, 1)).abs().max();
          largest = Math.max(largest, Tensors.scalar(difference));
          int[] symbols = column(rows, t);
          if (lie && t == 0) {
            Arrays.setAll(symbols, i -> (symbols[i] + 1) % space.cardinality(0));
          }
          decoder.append(Tensors.ids(new int[][] {symbols}, rows.length, Device.CPU).t());
        }
      }
      return largest;
    }
  }

  private static int[] column(int[][] rows, int position) {
    return Arrays.stream(rows).mapToInt(row -> row[position]).toArray();
  }

  /** Eight rows that differ. */
  private static int[][] rows(Space space) {
    int[][] rows = new int[8][space.size()];
    for (int i = 0; i < rows.length; i++) {
      for (int d = 0; d < space.size(); d++) {
        rows[i][d] = (i * 5 + d * d * 3 + i * d) % space.cardinality(d);
      }
    }
    return rows;
  }
}
