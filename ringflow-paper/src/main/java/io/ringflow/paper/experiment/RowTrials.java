package io.ringflow.paper.experiment;

import io.ringflow.core.Objective;
import io.ringflow.model.Architecture;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Trial;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;

/**
 * Makes the trials of models of tables: how they are trained. Training stops when validation rows
 * no longer gain, and ends with the weights that were best on them.
 */
final class RowTrials {
  /** Looks at validation rows in a whole training. */
  private static final int LOOKS = 40;

  private static final double FINAL_RATE = 0.01;
  private static final int QUICK_STEPS = 20;

  private final HeldOutRows rows;
  private final Settings settings;
  private final Trial.Measurement measurement;

  RowTrials(HeldOutRows rows, Settings settings, Trial.Measurement measurement) {
    this.rows = rows;
    this.settings = settings;
    this.measurement = measurement;
  }

  /**
   * How to train.
   *
   * @param steps at most
   * @param batch rows of a step
   * @param rate of learning, at its highest
   * @param dropout share of the units to leave out
   * @param weightDecay of AdamW
   * @param patience looks at validation rows without gain after which training stops; there are
   *     forty in all
   */
  record Recipe(
      int steps, int batch, double rate, double dropout, double weightDecay, int patience) {}

  /** Nothing to train: the base is set in closed form. */
  Trial counted(String model, Architecture architecture, long seed) {
    return new Trial(
        rows.setting(), model, seed, architecture, null, rows::refitBatch, measurement);
  }

  /** A model whose base learns by its likelihood. */
  Trial trained(String model, Architecture architecture, Recipe recipe, long seed) {
    return new Trial(
        rows.setting(),
        model,
        seed,
        architecture,
        new Trial.Training(
            options(recipe).build(), rows.batches(recipe.batch, seed), rows::validationBatch),
        null,
        measurement);
  }

  /**
   * A model whose layers learn as classifiers, while its base follows what they make of the data.
   * It is not refitted at the end: the half count that a refit gives to every symbol is too much
   * where many are packed into one.
   *
   * @param followed a step's share of what the base knows
   */
  Trial aligned(
      String model, Architecture architecture, Recipe recipe, double followed, long seed) {
    return new Trial(
        rows.setting(),
        model,
        seed,
        architecture,
        new Trial.Training(
            options(recipe)
                .objective(Objective.LAYERWISE_CROSS_ENTROPY)
                .baseAveraging(followed)
                .build(),
            rows.batches(recipe.batch, seed),
            rows::validationBatch,
            Trial.Start.prepared(made -> WarmStart.fitBase(made, rows.train()))),
        null,
        measurement);
  }

  private TrainingOptions.Builder options(Recipe recipe) {
    int steps = settings.effort() == Effort.QUICK ? QUICK_STEPS : recipe.steps;
    return TrainingOptions.builder(steps)
        .learningRate(recipe.rate)
        .dropout(recipe.dropout)
        .weightDecay(recipe.weightDecay)
        .minimumRate(FINAL_RATE)
        .evaluateEvery(Math.max(1, steps / LOOKS))
        .logEvery(Math.max(1, steps / LOOKS))
        .patience(recipe.patience);
  }
}
