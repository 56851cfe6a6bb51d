package io.ringflow.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Weights;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Made;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.Models;
import io.ringflow.testing.Zoo;
import io.ringflow.train.WarmStart;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bases by themselves: what they say of each symbol, and where they start. */
@ExtendWith(LeakCheck.class)
final class BasesTest {
  private static final Space SPACE = Space.of(4, 2, 3);

  static Stream<Zoo.Specimen> bases() {
    return Zoo.all().filter(specimen -> specimen.architecture().layers().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("bases")
  void symbolsAtAPositionShareProbabilityOneAndMakeUpTheRows(Zoo.Specimen specimen) {
    Space space = specimen.architecture().space();
    Space condition = specimen.architecture().condition();
    int[][] rows = space.enumerate();
    int[][] choices = condition.enumerate();
    int[][] conditions = new int[condition.size() == 0 ? 0 : rows.length][];
    Arrays.setAll(conditions, i -> choices[i % choices.length]);
    int width = space.maxCardinality();
    try (FlowModel model = Zoo.wild(specimen.architecture());
        Weights weights = Models.weights(model).copyIn(Precision.FLOAT64);
        Scope scope = Scope.inference()) {
      Symbols symbols = Symbols.of(Tensors.ids(rows, space.size(), Device.CPU));
      EvaluationContext context =
          new EvaluationContext(weights, Zoo.condition(condition, conditions));
      double[] logProbs =
          Tensors.toDoubles(
              Models.base(model).logProbs(symbols, context).expand(rows.length, -1, -1));
      double[] sums = new double[rows.length];
      double[] totals = new double[rows.length * space.size()];
      for (int i = 0; i < totals.length; i++) {
        int d = i % space.size();
        int beyond = i * width + space.cardinality(d);
        totals[i] = Arrays.stream(logProbs, i * width, beyond).map(Math::exp).sum();
        sums[i / space.size()] += logProbs[i * width + rows[i / space.size()][d]];
        assertThat(
                Arrays.stream(logProbs, beyond, (i + 1) * width)
                    .max()
                    .orElse(Double.NEGATIVE_INFINITY))
            .isEqualTo(Double.NEGATIVE_INFINITY);
      }
      double[] ones = new double[totals.length];
      Arrays.fill(ones, 1);
      assertThat(totals).containsExactly(ones, within(1e-12));
      assertThat(model.logProb(rows, conditions)).containsExactly(sums, within(1e-12));
    }
  }

  static Stream<Zoo.Specimen> unconditionalStacks() {
    return Zoo.all()
        .filter(specimen -> specimen.architecture().condition().size() == 0)
        .filter(specimen -> specimen.architecture().layers().size() != 1);
  }

  @Test
  void aBaseStartsWithTheFrequenciesAskedFor() {
    double[] frequencies = {7, 2, 0.5, 1};
    for (double logitBias : new double[] {0, 1.5}) {
      Architecture architecture = Architecture.of(SPACE, new FactorizedBase(null, logitBias));
      try (FlowModel model = FlowModel.create(architecture, 1)) {
        int[][] rows = SPACE.enumerate();
        assertThat(model.logProb(rows)).hasSize(24); // makes the 64-bit copy, which must not stale
        WarmStart.setMarginals(model, frequencies);
        double[] wanted = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
          for (int d = 0; d < 3; d++) {
            double total = Arrays.stream(frequencies, 0, SPACE.cardinality(d)).sum();
            wanted[i] += Math.log(frequencies[rows[i][d]] / total);
          }
        }
        assertThat(model.logProb(rows)).containsExactly(wanted, within(1e-6));
      }
    }
  }

  @Test
  void frequenciesMustBePositiveAndOfEverySymbol() {
    try (FlowModel model = FlowModel.create(Architecture.of(SPACE, new FactorizedBase()), 1)) {
      double[] before = model.logProb(SPACE.enumerate());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> WarmStart.setMarginals(model, new double[] {1, 2, 3}))
          .withMessage("frequencies must be of 4 symbols, but are of 3");
      for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> WarmStart.setMarginals(model, new double[] {1, 2, bad, 3}))
            .withMessage("frequencies must be positive, but one is " + bad);
      }
      assertThat(model.logProb(SPACE.enumerate())).containsExactly(before);
    }
  }

  @Test
  void onlyABaseOfFreeLogitsStartsOrFollows() {
    List<Base> others =
        List.of(
            new AutoregressiveBase(Order.natural(3), new LookupTable()),
            new GroupBase(Groups.blocks(3, 1), new LookupTable()),
            new FactorizedBase(new Made(4, 1)));
    for (Base base : others) {
      Architecture architecture = Architecture.of(SPACE, base).condition(Space.of(2));
      try (FlowModel model = FlowModel.create(architecture, 1);
          Scope scope = Scope.inference()) {
        String message = "only a factorised base without a network has marginals to set";
        assertThatIllegalStateException()
            .isThrownBy(() -> WarmStart.setMarginals(model, new double[] {1, 1, 1, 1}))
            .withMessage(message);
        assertThat(Models.base(model).marginals()).isEmpty();
      }
    }
  }

  /** What no row of the batch has loses its share, down to a millionth. */
  @Test
  void aBaseFollowsAsFarAsAsked() {
    double[][] frequencies = {{0.75, 0, 0, 0.25}, {0.25, 0.75}, {0, 0, 1}};
    double[] started = {4, 2, 1, 1};
    for (double logitBias : new double[] {0, 1.5}) {
      for (double share : new double[] {0.1, 0.7, 1}) {
        Architecture architecture = Architecture.of(SPACE, new FactorizedBase(null, logitBias));
        try (FlowModel model = FlowModel.create(architecture, 1)) {
          WarmStart.setMarginals(model, started);
          int[][] rows = SPACE.enumerate();
          assertThat(model.logProb(rows)).hasSize(24);
          try (Scope scope = Scope.inference()) {
            double[] padded = {0.75, 0, 0, 0.25, 0.25, 0.75, 0, 0, 0, 0, 1, 0};
            Tensor batch = Tensors.reals(padded, Precision.FLOAT32, Device.CPU, 3, 4);
            Models.engine(model)
                .change(
                    weights ->
                        Models.base(model)
                            .marginals()
                            .orElseThrow()
                            .moveTowards(batch, share, weights));
          }
          double[] wanted = new double[rows.length];
          for (int d = 0; d < 3; d++) {
            double[] followed = followed(started, frequencies[d], share);
            int position = d;
            Arrays.setAll(wanted, i -> wanted[i] + Math.log(followed[rows[i][position]]));
          }
          assertThat(model.logProb(rows)).containsExactly(wanted, within(1e-5));
          double total = Arrays.stream(model.logProb(rows)).map(Math::exp).sum();
          assertThat(total).isCloseTo(1, within(1e-12));
        }
      }
    }
  }

  private static double[] followed(double[] started, double[] frequencies, double share) {
    int k = frequencies.length;
    double total = Arrays.stream(started, 0, k).sum();
    double[] followed = new double[k];
    Arrays.setAll(
        followed, i -> Math.max(1e-6, (1 - share) * started[i] / total + share * frequencies[i]));
    double sum = Arrays.stream(followed).sum();
    return Arrays.stream(followed).map(value -> value / sum).toArray();
  }
}
