package io.ringflow.paper.experiment;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.Base;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.PaperBelowFloor;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.BipartiteOracle;
import io.ringflow.paper.oracle.FullRankTable;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Table 1: random tables of full rank, sampled from a flat Dirichlet distribution.
 *
 * <p>A table has no structure, so a model learns it by heart or not at all. Training data is
 * sampled anew for every step; a result is the exact cross entropy over all cells, where a machine
 * can score all of them.
 */
final class FullRankExperiment extends PaperExperiment {
  private static final String AR_BASE = "autoregressive base";
  private static final String AR_FLOW = "autoregressive flow";
  private static final String FACTORISED = "factorised base";
  private static final String BIPARTITE = "bipartite flow, 4 layers";
  private static final int BIPARTITE_LAYERS = 4;

  /** "A Transformer with 64 hidden units"; the paper says no more. */
  private static final Network NETWORK = new Transformer(64, 2, 4, 256);

  /** Well above the logits an untrained network starts with: the layer starts as the identity. */
  private static final double LAYER_LOGIT_BIAS = 2;

  /** Of the bipartite flow's base: a direction for its layers to move the data in. */
  private static final double BASE_LOGIT_BIAS = 1;

  private static final double RATE = 3e-3;

  /** Until the last steps the bipartite flow's base stands still; then it is set in closed form. */
  private static final double FACTORISED_DELAY = 0.9;

  private static final int EXACT_CELLS = 100_000;
  private static final int SAMPLE = 50_000;

  /**
   * How long to train: as long as the time allows, for but in the first row more is better.
   *
   * @param batch rows a step
   * @param autoregressive steps of an autoregressive base
   * @param bipartite steps of a bipartite flow
   */
  private record Plan(int batch, int autoregressive, int bipartite) {}

  /**
   * One row of the table.
   *
   * @param usual by default
   * @param full on a GPU
   * @param paper its results, in the order of the models
   */
  private record Row(int d, int k, Plan usual, Plan full, List<Double> paper) {
    String setting() {
      return "D=" + d + ", K=" + k;
    }

    Plan plan(Effort effort) {
      return switch (effort) {
        case QUICK -> new Plan(64, 20, 20);
        case DEFAULT -> usual;
        case FULL -> full;
      };
    }
  }

  private static Plan plan(int batch, int autoregressive, int bipartite) {
    return new Plan(batch, autoregressive, bipartite);
  }

  private static Row row(int d, int k, Plan usual, Plan full, Double... paper) {
    return new Row(d, k, usual, full, List.of(paper));
  }

  private static final List<Row> ROWS =
      List.of(
          row(2, 2, plan(256, 300, 300), plan(256, 1000, 1000), 0.9, 0.9, 1.3, 1.0),
          row(5, 5, plan(512, 400, 100), plan(1024, 4000, 2000), 7.7, 7.6, 8.0, 7.9),
          row(5, 10, plan(512, 100, 30), plan(2048, 3000, 800), 10.7, 10.3, 11.5, 10.7),
          row(10, 5, plan(512, 100, 30), plan(2048, 1500, 800), 15.9, 15.7, 16.6, 16.0));

  private static final List<String> MODELS = List.of(AR_BASE, AR_FLOW, FACTORISED, BIPARTITE);

  /** Which table, by sizes and seed. */
  private record Key(int d, int k, long seed) {}

  private final Map<Key, FullRankTable> tables = new ConcurrentHashMap<>();

  FullRankExperiment() {
    super("fullrank", "Random full-rank tables (Table 1)", 3);
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (Row row : rows(settings.effort())) {
      MODELS.forEach(model -> trials.add(trial(row, model, seed, settings)));
    }
    return trials;
  }

  /** The largest table takes a minute to walk through. */
  private static List<Row> rows(Effort effort) {
    return effort == Effort.QUICK ? ROWS.subList(0, 3) : ROWS;
  }

  private FullRankTable table(Row row, long seed) {
    return tables.computeIfAbsent(
        new Key(row.d, row.k, seed), key -> FullRankTable.random(key.d, key.k, key.seed));
  }

  private Trial trial(Row row, String model, long seed, Settings settings) {
    boolean factorised = model.equals(FACTORISED) || model.equals(BIPARTITE);
    return new Trial(
        row.setting(),
        model,
        seed,
        architecture(row, model),
        model.equals(FACTORISED) ? null : training(row, model, seed, settings.effort()),
        factorised
            ? () ->
                Batch.of(
                    table(row, seed).sample(sample(settings.effort()), Batches.random(seed, -1)))
            : null,
        trained -> List.of(measure(row, model, seed, settings, trained)));
  }

  private static Architecture architecture(Row row, String model) {
    Base base =
        model.equals(AR_BASE) || model.equals(AR_FLOW)
            ? new AutoregressiveBase(Order.natural(row.d), NETWORK)
            : new FactorizedBase(null, model.equals(BIPARTITE) ? BASE_LOGIT_BIAS : 0);
    Architecture architecture = Architecture.of(Space.uniform(row.d, row.k), base);
    if (model.equals(AR_FLOW)) {
      return architecture.with(
          new Autoregressive(Order.reversed(row.d), NETWORK, new Shift(LAYER_LOGIT_BIAS)));
    }
    if (model.equals(BIPARTITE)) {
      for (int layer = 0; layer < BIPARTITE_LAYERS; layer++) {
        Mask mask = layer % 2 == 0 ? Mask.even(row.d) : Mask.odd(row.d);
        architecture = architecture.with(new Bipartite(mask, NETWORK, new Shift()));
      }
    }
    return architecture;
  }

  private Trial.Training training(Row row, String model, long seed, Effort effort) {
    Plan plan = row.plan(effort);
    int batch = plan.batch;
    Batches batches =
        Batches.sampled(
            batch + " rows", seed, random -> Batch.of(table(row, seed).sample(batch, random)));
    if (model.equals(BIPARTITE)) {
      TrainingOptions options =
          TrainingOptions.builder(plan.bipartite)
              .learningRate(RATE)
              .baseSchedule(FACTORISED_DELAY, 1)
              .temperature(Temperature.annealed(5, 1))
              .build();
      return new Trial.Training(options, batches);
    }
    return new Trial.Training(
        BaseFirst.options(plan.autoregressive, model.equals(AR_FLOW), RATE),
        batches,
        () -> Batch.of(table(row, seed).sample(sample(effort) / 10, Batches.random(seed, -3))));
  }

  /** How many rows to refit a base or to estimate a result with. */
  private static int sample(Effort effort) {
    return switch (effort) {
      case QUICK -> 1000;
      case DEFAULT -> SAMPLE;
      case FULL -> 10 * SAMPLE;
    };
  }

  private Trial.Measure measure(
      Row row, String model, long seed, Settings settings, FlowModel trained) {
    FullRankTable table = table(row, seed);
    Double paper = row.paper.get(MODELS.indexOf(model));
    boolean exact =
        table.cells() <= (settings.effort() == Effort.QUICK ? 5_000 : EXACT_CELLS)
            || model.equals(FACTORISED)
            || (settings.effort() == Effort.FULL && !settings.device().equals("cpu"));
    if (exact) {
      return Trial.Measure.exact(
          "nll", "nats", table.crossEntropy(trained::logProb), table.entropy(), paper);
    }
    int[][] rows = table.sample(sample(settings.effort()), Batches.random(seed, -2));
    double[] logQ = trained.logProb(rows, new int[0][], Precision.FLOAT32);
    Estimate estimate = Estimate.crossEntropy(table.entropy(), table.logProb(rows), logQ);
    return Trial.Measure.estimated("nll", "nats", estimate, table.entropy(), paper);
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "Every seed has a table of its own, and every model of that seed learns it. The floor is the mean"
            + " entropy of these tables. NLLs are exact, over all cells; where a standard error stands beside one,"
            + " it is estimated from "
            + sample(settings.effort())
            + " fresh rows instead.");
    notes.add(
        "An autoregressive flow's base learns as it does without a layer, from the same start; then the layer, so far"
            + " the identity, learns on top for a quarter of that time. What scores best on held-out rows is kept.");
    PaperBelowFloor.sentence(Finished.results(finished), "nll").ifPresent(notes::add);
    notes.add(
        "The paper's factorised 16.6 at D=10, K=5 is worse than a uniform model, 10 ln 5 = 16.094.");
    List<LineChart> charts = new ArrayList<>();
    for (Row row : rows(settings.effort())) {
      FullRankTable table = table(row, settings.seed());
      notes.add(row.setting() + ": " + whereTheNatsAre(table));
      List<Level> levels =
          List.of(
              new Level("uniform", row.d * Math.log(row.k)), new Level("entropy", table.entropy()));
      charts.add(learning(settings, finished, row.setting(), levels));
    }
    return new Outcome(
        Finished.results(finished), references(settings), List.of(), charts, List.of(), notes);
  }

  /** How the distance from uniform to entropy is spread over the symbols. */
  private static String whereTheNatsAre(FullRankTable table) {
    double[] conditional = table.conditionalEntropies();
    double uniform = table.d() * Math.log(table.k());
    double lastGain = Math.log(table.k()) - conditional[table.d() - 1];
    return String.format(
        Locale.ROOT,
        "between uniform (%.3f) and entropy (%.3f) lie %.3f nats, %.3f of them in the last symbol given all others:"
            + " %,d contexts, each to be learned by heart; one bipartite layer with any network and any"
            + " permutation, even symbols kept, can reach %.3f (seed of the first run).",
        uniform,
        table.entropy(),
        uniform - table.entropy(),
        lastGain,
        table.cells() / table.k(),
        new BipartiteOracle(table).bestSingleLayer(Mask.even(table.d())));
  }

  private List<Reference> references(Settings settings) {
    List<Reference> references = new ArrayList<>();
    for (Row row : rows(settings.effort())) {
      double factorised = mean(row, settings, FullRankTable::factorised);
      for (String model : MODELS) {
        Double optimum = null;
        if (model.equals(FACTORISED)) {
          optimum = factorised;
        } else if (model.equals(BIPARTITE) && row.d == 2) {
          optimum = mean(row, settings, table -> new BipartiteOracle(table).anyRelabelling());
        }
        references.add(new Reference(row.setting(), model, factorised, optimum, ""));
      }
    }
    return references;
  }

  private double mean(Row row, Settings settings, ToDoubleFunction<FullRankTable> of) {
    return settings
        .allSeeds()
        .mapToDouble(seed -> of.applyAsDouble(table(row, seed)))
        .average()
        .orElseThrow();
  }
}
