package io.ringflow.paper.experiment;

import io.ringflow.core.Precision;
import io.ringflow.core.WeightedRows;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.FullRankTable;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.util.ArrayList;
import java.util.List;

/**
 * Table 1: random tables of full rank, sampled from a flat Dirichlet distribution.
 *
 * <p>A table has no structure, so a model learns it by heart or not at all. Every model of the
 * paper is there with the paper's network, and with tables, whose weights are counted in sampled
 * rows or learned from them: {@link FullRankModel}. A result is the exact cross entropy over all
 * cells, where a machine can score all of them.
 */
final class FullRankExperiment extends PaperExperiment {
  private static final double RATE = 3e-3;

  /** Of tables, whose rows are seen rarely. */
  private static final double TABLE_RATE = 0.05;

  /** Of a layer of tables over a base that knows the table: enough to leave the identity. */
  private static final int TABLE_LAYER_STEPS = 100;

  private static final double TABLE_LAYER_RATE = 0.1;

  /** Until the last steps a bipartite flow's base stands still; then it is set in closed form. */
  private static final double FACTORISED_DELAY = 0.9;

  /** Before its layer learns, an autoregressive flow is scored as its base for this many looks. */
  private static final int LOOKS = 10;

  /** Cells that any network scores in seconds. */
  private static final int EXACT_CELLS = 100_000;

  /** Tables score fast. */
  private static final int TABLE_VALIDATION = 100_000;

  private final FullRankData data = new FullRankData();

  FullRankExperiment() {
    super("fullrank", "Random full-rank tables (Table 1)", 3);
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (FullRankRow row : FullRankRow.all(settings.effort())) {
      for (FullRankModel model : row.models(settings)) {
        trials.add(trial(row, model, seed, settings));
      }
    }
    return trials;
  }

  private Trial trial(FullRankRow row, FullRankModel model, long seed, Settings settings) {
    boolean refitted = model == FullRankModel.BIPARTITE || model == FullRankModel.TABLE_BIPARTITE;
    return new Trial(
        row.setting(),
        model.title(),
        seed,
        model.architecture(row.d(), row.k()),
        training(row, model, seed, settings),
        refitted ? () -> data.sample(row, seed, -1, FullRankData.sample(settings.effort())) : null,
        trained -> List.of(measure(row, model, seed, settings, trained)));
  }

  private Trial.Training training(
      FullRankRow row, FullRankModel model, long seed, Settings settings) {
    Effort effort = settings.effort();
    if (model.isCounted()) {
      return Trial.Training.withoutSteps(
          FullRankData.countedRows(row, effort) + " rows counted, seed " + seed,
          Trial.Start.prepared(
              made -> {
                Iterable<WeightedRows> counted = data.counted(row, seed, effort);
                WarmStart.fitLayers(made, counted);
                // A few marginals need few rows.
                WarmStart.fitBase(
                    made,
                    model == FullRankModel.TABLE_AR_BASE
                        ? counted
                        : List.of(data.marginalRows(row, seed, effort)));
              }));
    }
    FullRankRow.Plan plan = row.plan(effort);
    Batches batches =
        Batches.sampled(
            plan.batch() + " rows",
            seed,
            random -> Batch.of(data.table(row, seed).sample(plan.batch(), random)));
    return switch (model) {
      case BIPARTITE -> new Trial.Training(bipartite(plan.bipartite(), RATE), batches);
      case TABLE_BIPARTITE -> new Trial.Training(bipartite(plan.tables(), TABLE_RATE), batches);
      case AR_BASE ->
          new Trial.Training(
              BaseFirst.options(plan.autoregressive(), false, RATE),
              batches,
              () -> validation(row, seed, effort));
      case AR_FLOW ->
          layer(
              plan.autoregressive() / 4, RATE, FullRankModel.AR_BASE, row, seed, settings, batches);
      default ->
          layer(
              effort == Effort.QUICK ? plan.tables() : TABLE_LAYER_STEPS,
              TABLE_LAYER_RATE,
              FullRankModel.TABLE_AR_BASE,
              row,
              seed,
              settings,
              batches);
    };
  }

  private static TrainingOptions bipartite(int steps, double rate) {
    return TrainingOptions.builder(steps)
        .learningRate(rate)
        .baseSchedule(FACTORISED_DELAY, 1)
        .temperature(Temperature.annealed(5, 1))
        .build();
  }

  /**
   * A layer, so far the identity, learns over the base of another trial, which stands still. The
   * first look at validation rows comes before it begins: where nothing is gained the flow ends as
   * its base.
   */
  private Trial.Training layer(
      int steps,
      double rate,
      FullRankModel base,
      FullRankRow row,
      long seed,
      Settings settings,
      Batches batches) {
    int look = Math.max(1, steps / LOOKS);
    TrainingOptions options =
        TrainingOptions.builder(steps + look)
            .learningRate(rate)
            .baseLearningRate(0)
            .layerSchedule((double) look / (steps + look), 1)
            .temperature(Temperature.constant(1))
            .evaluateEvery(look)
            .build();
    return new Trial.Training(
        options,
        batches,
        () ->
            base.isTransformer() || settings.effort() == Effort.QUICK
                ? validation(row, seed, settings.effort())
                : data.sample(row, seed, -3, TABLE_VALIDATION),
        Trial.Start.after(trial(row, base, seed, settings)));
  }

  private Batch validation(FullRankRow row, long seed, Effort effort) {
    return data.sample(
        row,
        seed,
        -3,
        effort == Effort.FULL ? FullRankData.SAMPLE : FullRankData.sample(effort) / 10);
  }

  private Trial.Measure measure(
      FullRankRow row, FullRankModel model, long seed, Settings settings, FlowModel trained) {
    FullRankTable table = data.table(row, seed);
    Double paper = model.paper(row.paper());
    boolean exact =
        table.cells() <= (settings.effort() == Effort.QUICK ? 5_000 : EXACT_CELLS)
            || (model.isTable() && settings.effort() == Effort.FULL);
    if (exact) {
      return Trial.Measure.exact(
          "nll", "nats", table.crossEntropy(trained::logProb), table.entropy(), paper);
    }
    int[][] rows =
        table.sample(10 * FullRankData.sample(settings.effort()), Batches.random(seed, -2));
    double[] logQ = trained.logProb(rows, new int[0][], Precision.FLOAT32);
    Estimate estimate = Estimate.crossEntropy(table.entropy(), table.logProb(rows), logQ);
    return Trial.Measure.estimated("nll", "nats", estimate, table.entropy(), paper);
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) {
    return new FullRankOutcome(this, data, settings).of(finished);
  }
}
