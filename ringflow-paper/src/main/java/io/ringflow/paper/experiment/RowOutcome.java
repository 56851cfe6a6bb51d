package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Reference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Tables, curves and what predictions are worth, of models of tables. */
final class RowOutcome {
  private final PaperExperiment experiment;
  private final Settings settings;
  private final List<Finished> finished;
  private final GameListing games = GameListing.natsARow();
  private final List<LineChart> charts = new ArrayList<>();

  RowOutcome(PaperExperiment experiment, Settings settings, List<Finished> finished) {
    this.experiment = experiment;
    this.settings = settings;
    this.finished = finished;
  }

  /**
   * One table's part.
   *
   * @param levels what to compare its learning curves with
   */
  void add(HeldOutRows rows, List<Level> levels) throws IOException {
    for (Finished one : finished) {
      if (one.trial().seed() == settings.seed() && one.trial().setting().equals(rows.setting())) {
        try (FlowModel model = one.load(settings)) {
          games.add(rows.setting() + ", " + one.trial().model(), model, rows.validation());
        }
      }
    }
    charts.add(experiment.learning(settings, finished, rows.setting(), levels));
  }

  /**
   * The whole.
   *
   * @param notes to which it adds how predictions are valued
   */
  Outcome of(List<Reference> references, List<String> notes) {
    List<String> all = new ArrayList<>(notes);
    all.add(
        "What predictions are worth is counted at each position by itself, as a factorised base would."
            + " Entropies counted over few rows are too low where a position has many symbols.");
    return new Outcome(
        Finished.results(finished),
        references,
        List.of(),
        charts,
        List.of(games.of(experiment.name())),
        all);
  }
}
