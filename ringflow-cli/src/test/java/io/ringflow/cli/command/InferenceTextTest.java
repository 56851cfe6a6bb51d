package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Space;
import io.ringflow.infer.ExactAnswer;
import io.ringflow.infer.ExactInference;
import io.ringflow.infer.Factor;
import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.WeightedSamples;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class InferenceTextTest {
  private static final int COUNT = 1000;

  /** One variable, whose two states weigh 3 and 1. */
  private final GivenGraph graph =
      GivenGraph.of(
          new FactorGraph(
              Space.of(2), List.of(new Factor(List.of(0), new double[] {Math.log(3), 0}))),
          Map.of());

  private final ExactAnswer exact = ExactInference.of(graph.unknown());

  /** Samples of a model that makes the first state only, as it believes by itself. */
  private WeightedSamples collapsed() {
    int[][] rows = new int[COUNT][1];
    return new WeightedSamples(rows, graph.unknown().logWeights(rows), new double[COUNT]);
  }

  /** Samples of a model that makes both states alike. */
  private WeightedSamples uniform() {
    int[][] rows = new int[COUNT][1];
    Arrays.setAll(rows, i -> new int[] {i % 2});
    double[] logProbs = new double[COUNT];
    Arrays.fill(logProbs, Math.log(0.5));
    return new WeightedSamples(rows, graph.unknown().logWeights(rows), logProbs);
  }

  @Test
  void anExactAnswerTellsOfStatesThatNoSampleHas() {
    assertThat(new InferenceText(graph, "log Z", collapsed(), null, null).doubts()).isEmpty();
    assertThat(new InferenceText(graph, "log Z", collapsed(), exact, null).doubts())
        .containsExactly(
            "log Z is off by 0.2877, more than 5 standard errors: the model misses states, train"
                + " longer");
    assertThat(new InferenceText(graph, "log Z", uniform(), exact, null).doubts()).isEmpty();
  }

  @Test
  void samplesThatAgreeHaveABoundInsteadOfAnError() {
    assertThat(printed(collapsed(), null))
        .isEqualTo(
            """
            log Z            1.0986 +/- 0.0000
            lower bound      1.0986 +/- 0.0000
            ESS/M            1.000: 1,000 samples are worth 1,000.0 independent ones
            trained          not

            variable  state  probability       +/-
            --------  -----  -----------  --------
            x0        0           1.0000  < 0.0030
            x0        1           0.0000  < 0.0030

            Most likely state found, log-weight 1.0986, probability 1.0000:
              x0=0
            """);
  }

  @Test
  void errorsAreThoseOfTheWeights() {
    // The weights are 6 and 2: mean 4, deviation 2; the share's error is sqrt(500 (1.5^2 + 1.5^2))
    // of a sum of 4000.
    assertThat(printed(uniform(), exact))
        .startsWith(
            """
            log Z            1.3863 +/- 0.0158; exactly 1.3863
            """)
        .contains("ESS/M            0.800: 1,000 samples are worth 800.0 independent ones\n")
        .contains(
            """
            variable  state  probability     +/-   exact
            --------  -----  -----------  ------  ------
            x0        0           0.7500  0.0119  0.7500
            x0        1           0.2500  0.0119  0.2500
            """);
  }

  private String printed(WeightedSamples samples, ExactAnswer answer) {
    var screen = new StringWriter();
    new InferenceText(graph, "log Z", samples, answer, null)
        .print(new PrintWriter(screen), graph.all().variables(), "not");
    return screen.toString().replace(System.lineSeparator(), "\n");
  }
}
