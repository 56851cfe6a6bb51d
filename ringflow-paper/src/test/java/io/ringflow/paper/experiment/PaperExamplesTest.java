package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The paper's two examples, end to end at their real size, against exact figures. */
@Tag("slow")
class PaperExamplesTest {
  @TempDir Path out;

  @Test
  void oneLayerLearnsXorAndReproducesTheTable() throws IOException {
    Outcome outcome = run(new XorExperiment(), 3);

    assertThat(values(outcome))
        .hasEntrySatisfying(
            "factorised base", nll -> assertThat(nll).isCloseTo(1.2519, within(1e-3)))
        .hasEntrySatisfying(
            "1 bipartite layer", nll -> assertThat(nll).isCloseTo(0.9359, within(1e-3)));
    for (int seed = 1; seed <= 3; seed++) {
      try (FlowModel model =
          FlowModel.load(out.resolve("models").resolve("d-2-k-2-1-bipartite-layer-seed-" + seed))) {
        double[] logProbs = model.logProb(new int[][] {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
        double[] expected = {0.63, 0.07, 0.03, 0.27};
        for (int cell = 0; cell < 4; cell++) {
          assertThat(Math.exp(logProbs[cell])).isCloseTo(expected[cell], within(1e-3));
        }
        assertThat(XorExperiment.describe(model)).contains("is XOR");
      }
    }
  }

  @Test
  void oneLayerCapturesTheRing() throws IOException {
    Map<String, Double> nll = values(run(new RingExperiment(), 1));

    assertThat(nll.get("factorised base")).isCloseTo(7.341, within(0.01));
    assertThat(nll.get("1 bipartite layer, tau 0.1")).isLessThan(6.78);
    assertThat(nll.get("1 bipartite layer, tau 5 to 0.1")).isLessThan(6.71);
    assertThat(nll.get("1 autoregressive layer, tau 5 to 0.1")).isLessThan(6.71);
    assertThat(nll.values()).as("no model beats the entropy").allMatch(value -> value > 6.310);
  }

  private Outcome run(Experiment experiment, int seeds) throws IOException {
    Settings settings = new Settings(out, 1, seeds, "cpu", Effort.DEFAULT, null, null, List.of());
    TrialRunner runner = new TrialRunner(experiment, settings, 2, out.resolve("metrics.jsonl"));
    return experiment.outcome(settings, runner.run(false, trial -> new TrainingListener() {}));
  }

  /** The mean over seeds of each model. */
  private static Map<String, Double> values(Outcome outcome) {
    return outcome.results().stream()
        .collect(Collectors.groupingBy(Result::model, Collectors.averagingDouble(Result::value)));
  }
}
