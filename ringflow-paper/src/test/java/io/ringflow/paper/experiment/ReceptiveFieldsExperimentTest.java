package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figure 1 as it is drawn: what is found by trying is what layers can see, all of it. */
final class ReceptiveFieldsExperimentTest {
  @TempDir static Path folder;

  private static Outcome outcome;

  @BeforeAll
  static void run() throws IOException {
    var experiment = new ReceptiveFieldsExperiment();
    Settings settings = new Settings(folder, 201, 1, "cpu", Effort.DEFAULT, null, null, List.of());
    List<Finished> finished =
        new TrialRunner(experiment, settings, 1, folder.resolve("metrics.jsonl"))
            .run(false, trial -> new TrainingListener() {});
    outcome = experiment.outcome(settings, finished);
  }

  private static List<String> lines(String model) {
    return outcome.listings().stream()
        .filter(listing -> listing.title().equals(model))
        .map(Listing::lines)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oneAutoregressiveLayerSeesToTheLeft() {
    assertThat(lines("1 autoregressive layer"))
        .startsWith("unit 1   x . . . . . . .", "unit 2   x x . . . . . .")
        .endsWith("unit 8   x x x x x x x x");
  }

  @Test
  void twoOfOppositeOrderSeeEverything() {
    assertThat(lines("2 autoregressive layers"))
        .hasSize(8)
        .allMatch(line -> line.endsWith("   x x x x x x x x"));
  }

  @Test
  void twoBipartiteLayersSeeTheNeighboursAndTheirNeighbours() {
    assertThat(lines("2 bipartite layers that see neighbours"))
        .startsWith(
            "unit 1   x x x x x . . .",
            "unit 2   x x x . . . . .",
            "unit 3   x x x x x . . .",
            "unit 4   . . x x x . . .");
  }

  @Test
  void unitTwoIsCountedBesideThePapersFigure() {
    Result unitTwo =
        outcome.results().stream()
            .filter(r -> r.model().equals(ReceptiveFieldsExperiment.NEIGHBOURS_2))
            .findFirst()
            .orElseThrow();
    assertThat(unitTwo.metric()).isEqualTo(ReceptiveFieldsExperiment.UNIT_TWO);
    assertThat(unitTwo.value()).isEqualTo(3).isEqualTo(unitTwo.paper());
  }

  @Test
  void theHeatmapsShowTheSame() {
    double[][] left = outcome.heatmaps().get(0).values(); // [symbol][unit]
    for (int symbol = 0; symbol < 8; symbol++) {
      for (int unit = 0; unit < 8; unit++) {
        assertThat(left[symbol][unit]).isEqualTo(symbol <= unit ? 1 : 0);
      }
    }
  }
}
