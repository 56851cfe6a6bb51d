package io.ringflow.paper.experiment;

import io.ringflow.core.Mask;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.PaperBelowFloor;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.oracle.BipartiteOracle;
import io.ringflow.paper.oracle.FullRankTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Notes, curves, references and bounds of random tables. */
final class FullRankOutcome {
  private final PaperExperiment experiment;
  private final FullRankData data;
  private final Settings settings;

  FullRankOutcome(PaperExperiment experiment, FullRankData data, Settings settings) {
    this.experiment = experiment;
    this.data = data;
    this.settings = settings;
  }

  Outcome of(List<Finished> finished) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "Every seed has a table of its own, and every model of that seed learns it. The floor is the mean"
            + " entropy of these tables. NLLs are exact, over all cells; where a standard error stands beside one,"
            + " it is estimated from "
            + String.format(Locale.ROOT, "%,d", 10 * FullRankData.sample(settings.effort()))
            + " fresh rows instead.");
    notes.add(
        "Network and method: the paper's network is a Transformer of 64 units. Tables have a row of logits for every"
            + " combination of symbols that they see, so that nothing but the method limits them. Where they are"
            + " counted, weights are log-frequencies in "
            + FullRankData.COUNTED_PER_CELL
            + " sampled rows for each cell, at least "
            + String.format(Locale.ROOT, "%,d", FullRankData.COUNTED_AT_LEAST)
            + "; what is missing to the floor is then close to cells / (2 rows) nats. Nothing but samples is"
            + " counted.");
    notes.add(
        "Transformers take "
            + steps(settings.effort())
            + ". An autoregressive flow starts as its base, trained as without a layer; the layer, so far the"
            + " identity, then learns over it by straight-through gradients, and what scores best on held-out rows"
            + " is kept. Over a base that knows the table a layer can add nothing: where the two results are equal,"
            + " the identity was kept. Over a base that knows less it adds what the base lacks: see the"
            + " autoregressive layer over a factorised base.");
    List<Result> withItsNetwork =
        Finished.results(finished).stream()
            .filter(result -> !result.model().contains("tables"))
            .toList();
    PaperBelowFloor.sentence(withItsNetwork, "nll").ifPresent(notes::add);
    notes.add(
        "The paper's factorised 16.6 at D=10, K=5 is worse than a uniform model, 10 ln 5 = 16.094.");
    List<LineChart> charts = new ArrayList<>();
    for (FullRankRow row : FullRankRow.all(settings.effort())) {
      FullRankTable table = data.table(row, settings.seed());
      notes.add(row.setting() + ": " + whereTheNatsAre(table));
      List<Level> levels =
          List.of(
              new Level("uniform", row.d() * Math.log(row.k())),
              new Level("entropy", table.entropy()));
      LineChart chart = experiment.learning(settings, finished, row.setting(), levels);
      if (!chart.series().isEmpty()) {
        charts.add(chart);
      }
    }
    boolean tables =
        finished.stream()
            .anyMatch(one -> one.trial().model().equals(FullRankModel.SORTING.title()));
    if (tables) {
      notes.add(
          "Of four bipartite layers the optimum is not known but at D=2. The list shows what greedy layers attain,"
              + " each the best for what those before it left of the true table: the optimum is no higher, and no"
              + " lower than the entropy. Counting noise may take another way and end lower.");
    }
    return new Outcome(
        Finished.results(finished),
        references(finished),
        List.of(),
        charts,
        tables ? List.of(bounds(finished)) : List.of(),
        notes);
  }

  /** How long Transformers learn, in words. */
  private static String steps(Effort effort) {
    return FullRankRow.all(effort).stream()
        .map(
            row -> {
              FullRankRow.Plan plan = row.plan(effort);
              return plan.autoregressive() == 0
                  ? "none at " + row.setting() + " (a run with --full has them)"
                  : String.format(
                      Locale.ROOT,
                      "%,d steps of %d rows at %s (a bipartite flow %,d)",
                      plan.autoregressive(),
                      plan.batch(),
                      row.setting(),
                      plan.bipartite());
            })
        .collect(Collectors.joining("; "));
  }

  /** How the distance from uniform to entropy is spread over the symbols. */
  private static String whereTheNatsAre(FullRankTable table) {
    double[] conditional = table.conditionalEntropies();
    double uniform = table.d() * Math.log(table.k());
    double lastGain = Math.log(table.k()) - conditional[table.d() - 1];
    return String.format(
        Locale.ROOT,
        "between uniform (%.3f) and entropy (%.3f) lie %.3f nats, %.3f of them in the last symbol given all others:"
            + " %,d contexts, each to be learned by heart. The Transformer has %,d weights, a table of all"
            + " contexts %,d; a layer that keeps every other symbol sees %,d contexts (seed of the first run).",
        uniform,
        table.entropy(),
        uniform - table.entropy(),
        lastGain,
        table.cells() / table.k(),
        transformerWeights(table),
        (table.cells() - 1L) / (table.k() - 1) * table.k(),
        Math.round(Math.pow(table.k(), Mask.even(table.d()).kept().size())));
  }

  private static long transformerWeights(FullRankTable table) {
    try (FlowModel model =
        FlowModel.create(FullRankModel.AR_BASE.architecture(table.d(), table.k()), 1)) {
      return model.parameterCount();
    }
  }

  private List<Reference> references(List<Finished> finished) {
    List<Reference> references = new ArrayList<>();
    for (FullRankRow row : FullRankRow.all(settings.effort())) {
      double factorised = mean(row, FullRankTable::factorised);
      for (FullRankModel model : row.models(settings)) {
        boolean shown =
            finished.stream()
                .map(Finished::trial)
                .anyMatch(
                    trial ->
                        trial.setting().equals(row.setting())
                            && trial.model().equals(model.title()));
        if (shown) {
          Double optimum = familyOptimum(row, model);
          references.add(new Reference(row.setting(), model.title(), factorised, optimum, ""));
        }
      }
    }
    return references;
  }

  /** Of one layer, and of four on two bits; of other flows only bounds are known. */
  private Double familyOptimum(FullRankRow row, FullRankModel model) {
    return switch (model) {
      case AR_BASE, AR_FLOW, TABLE_AR_BASE, TABLE_AR_FLOW -> null; // the floor
      case FACTORISED -> mean(row, FullRankTable::factorised);
      case SORTING_AR -> mean(row, table -> new BipartiteOracle(table).bestAutoregressiveLayer());
      case BIPARTITE, TABLE_BIPARTITE, SHIFTING, SORTING, SORTING_ONE ->
          row.d() == 2 ? anyRelabelling(row) : null;
    };
  }

  /** What bipartite layers can reach, beside what the counted ones did. */
  private Listing bounds(List<Finished> finished) {
    List<String> lines = new ArrayList<>();
    for (FullRankRow row : FullRankRow.all(settings.effort())) {
      lines.add(row.setting() + ", mean over the seeds, nats:");
      List<Mask> halves = FullRankModel.SORTING.masks(row.d());
      List<Mask> ones = FullRankModel.SORTING_ONE.masks(row.d());
      lines.add(line("the factorised base", mean(row, FullRankTable::factorised), null));
      lines.add(
          line(
              "1 layer, any permutations of every other symbol: the optimum",
              mean(row, table -> new BipartiteOracle(table).sorted(halves.subList(0, 1))),
              null));
      lines.add(
          line(
              "4 layers shift by coordinate descent",
              mean(
                  row,
                  table -> new BipartiteOracle(table).shifted(halves, 1, new SplittableRandom(1))),
              null));
      lines.add(
          line(
              "4 layers shift the likeliest symbol to 0",
              mean(row, table -> new BipartiteOracle(table).modeShifted(halves)),
              found(row, FullRankModel.SHIFTING, finished)));
      lines.add(
          line(
              "4 layers sort",
              mean(row, table -> new BipartiteOracle(table).sorted(halves)),
              found(row, FullRankModel.SORTING, finished)));
      lines.add(
          line(
              "4 layers sort one symbol each, given all others",
              mean(row, table -> new BipartiteOracle(table).sorted(ones)),
              found(row, FullRankModel.SORTING_ONE, finished)));
      lines.add(line("entropy: no flow is below", mean(row, FullRankTable::entropy), null));
    }
    return new Listing(
        "fullrank-bounds",
        "What bipartite layers attain that see the true table, one after the other, and what counted ones do",
        lines);
  }

  private static String line(String what, double attained, Double counted) {
    return String.format(
        Locale.ROOT,
        "  %-62s %8.4f%s",
        what,
        attained,
        counted == null ? "" : String.format(Locale.ROOT, "   counted %8.4f", counted));
  }

  /** The mean result of a model; null where it did not run. */
  private static Double found(FullRankRow row, FullRankModel model, List<Finished> finished) {
    double mean =
        Finished.results(finished).stream()
            .filter(r -> r.setting().equals(row.setting()) && r.model().equals(model.title()))
            .mapToDouble(Result::value)
            .average()
            .orElse(Double.NaN);
    return Double.isNaN(mean) ? null : mean;
  }

  private double anyRelabelling(FullRankRow row) {
    return mean(row, table -> new BipartiteOracle(table).anyRelabelling());
  }

  private double mean(FullRankRow row, ToDoubleFunction<FullRankTable> of) {
    return settings
        .allSeeds()
        .parallel()
        .mapToDouble(seed -> of.applyAsDouble(data.table(row, seed)))
        .average()
        .orElseThrow();
  }
}
