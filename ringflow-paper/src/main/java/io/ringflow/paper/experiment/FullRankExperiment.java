package io.ringflow.paper.experiment;

import io.ringflow.core.Mask;
import io.ringflow.core.Precision;
import io.ringflow.core.WeightedRows;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Level;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.PaperBelowFloor;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.BipartiteOracle;
import io.ringflow.paper.oracle.FullRankTable;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  private static final int SAMPLE = 50_000;

  /** Tables score fast. */
  private static final int TABLE_VALIDATION = 100_000;

  /** Rows to count in: so many for each cell, and in all at least so many. */
  private static final long COUNTED_PER_CELL = 41;

  private static final long COUNTED_AT_LEAST = 40_000_000;

  /** Rows to count the marginals of a factorised base in. */
  private static final int MARGINAL_ROWS = 1_000_000;

  private static final int CELLS_AT_ONCE = 65_536;

  /**
   * How long to train: as long as the time allows, for but in the first row more is better.
   *
   * @param batch rows a step
   * @param autoregressive steps of an autoregressive Transformer; 0 to leave Transformers out
   * @param bipartite steps of a bipartite flow of Transformers
   * @param tables steps of a bipartite flow of tables
   */
  private record Plan(int batch, int autoregressive, int bipartite, int tables) {}

  /**
   * One row of the table.
   *
   * @param usual by default
   * @param full on a GPU
   * @param paper its results, in the order of the paper's models
   */
  private record Row(int d, int k, Plan usual, Plan full, List<Double> paper) {
    String setting() {
      return "D=" + d + ", K=" + k;
    }

    Plan plan(Effort effort) {
      return switch (effort) {
        case QUICK -> new Plan(64, 20, 20, 20);
        case DEFAULT -> usual;
        case FULL -> full;
      };
    }

    /** A GPU has nothing to do for tables: those of a run on a CPU are the same. */
    List<FullRankModel> models(Settings settings) {
      boolean transformers = plan(settings.effort()).autoregressive > 0;
      boolean tables = settings.effort() != Effort.FULL || settings.device().equals("cpu");
      return Arrays.stream(FullRankModel.values())
          .filter(model -> model.isTransformer() ? transformers : tables || !model.isTable())
          .toList();
    }
  }

  private static Plan plan(int batch, int autoregressive, int bipartite, int tables) {
    return new Plan(batch, autoregressive, bipartite, tables);
  }

  private static Row row(int d, int k, Plan usual, Plan full, Double... paper) {
    return new Row(d, k, usual, full, List.of(paper));
  }

  private static final List<Row> ROWS =
      List.of(
          row(2, 2, plan(256, 300, 300, 300), plan(256, 1000, 1000, 300), 0.9, 0.9, 1.3, 1.0),
          row(5, 5, plan(512, 400, 100, 1000), plan(1024, 4000, 2000, 1000), 7.7, 7.6, 8.0, 7.9),
          row(5, 10, plan(512, 0, 0, 1000), plan(2048, 20000, 2000, 1000), 10.7, 10.3, 11.5, 10.7),
          row(10, 5, plan(512, 0, 0, 300), plan(2048, 3000, 800, 300), 15.9, 15.7, 16.6, 16.0));

  /** Which table, by sizes and seed. */
  private record Key(int d, int k, long seed) {}

  private final Map<Key, FullRankTable> tables = new ConcurrentHashMap<>();
  private final Map<Key, int[]> counts = new ConcurrentHashMap<>();

  FullRankExperiment() {
    super("fullrank", "Random full-rank tables (Table 1)", 3);
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (Row row : rows(settings.effort())) {
      for (FullRankModel model : row.models(settings)) {
        trials.add(trial(row, model, seed, settings));
      }
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

  private Trial trial(Row row, FullRankModel model, long seed, Settings settings) {
    boolean refitted = model == FullRankModel.BIPARTITE || model == FullRankModel.TABLE_BIPARTITE;
    return new Trial(
        row.setting(),
        model.title(),
        seed,
        model.architecture(row.d, row.k),
        training(row, model, seed, settings),
        refitted ? () -> sample(row, seed, -1, sample(settings.effort())) : null,
        trained -> List.of(measure(row, model, seed, settings, trained)));
  }

  private Batch sample(Row row, long seed, long counter, int count) {
    return Batch.of(table(row, seed).sample(count, Batches.random(seed, counter)));
  }

  private Trial.Training training(Row row, FullRankModel model, long seed, Settings settings) {
    Effort effort = settings.effort();
    if (model.isCounted()) {
      return Trial.Training.counted(
          countedRows(row, effort) + " rows counted, seed " + seed,
          made -> {
            Iterable<WeightedRows> data = counted(row, seed, effort);
            WarmStart.fitLayers(made, data);
            // A few marginals need few rows.
            WarmStart.fitBase(
                made,
                model == FullRankModel.TABLE_AR_BASE
                    ? data
                    : List.of(marginalRows(row, seed, effort)));
          });
    }
    Plan plan = row.plan(effort);
    Batches batches =
        Batches.sampled(
            plan.batch + " rows",
            seed,
            random -> Batch.of(table(row, seed).sample(plan.batch, random)));
    return switch (model) {
      case BIPARTITE -> new Trial.Training(bipartite(plan.bipartite, RATE), batches);
      case TABLE_BIPARTITE -> new Trial.Training(bipartite(plan.tables, TABLE_RATE), batches);
      case AR_BASE ->
          new Trial.Training(
              BaseFirst.options(plan.autoregressive, false, RATE),
              batches,
              () -> validation(row, seed, effort));
      case AR_FLOW ->
          layer(plan.autoregressive / 4, RATE, FullRankModel.AR_BASE, row, seed, settings, batches);
      default ->
          layer(
              effort == Effort.QUICK ? plan.tables : TABLE_LAYER_STEPS,
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
      Row row,
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
                : sample(row, seed, -3, TABLE_VALIDATION),
        Trial.Start.after(trial(row, base, seed, settings)));
  }

  private Batch validation(Row row, long seed, Effort effort) {
    return sample(row, seed, -3, effort == Effort.FULL ? SAMPLE : sample(effort) / 10);
  }

  /** How many rows to refit a base with; ten times as many estimate a result. */
  private static int sample(Effort effort) {
    return switch (effort) {
      case QUICK -> 1000;
      case DEFAULT, FULL -> SAMPLE;
    };
  }

  private static long countedRows(Row row, Effort effort) {
    long cells = Math.round(Math.pow(row.k, row.d));
    return effort == Effort.QUICK ? SAMPLE : Math.max(COUNTED_AT_LEAST, COUNTED_PER_CELL * cells);
  }

  private WeightedRows marginalRows(Row row, long seed, Effort effort) {
    int count = effort == Effort.QUICK ? sample(effort) : MARGINAL_ROWS;
    return WeightedRows.once(sample(row, seed, -1, count).rows(), new int[0][]);
  }

  /** Sampled rows as counts of their cells, in parts; those that never came are left out. */
  private Iterable<WeightedRows> counted(Row row, long seed, Effort effort) {
    FullRankTable table = table(row, seed);
    int[] all =
        counts.computeIfAbsent(
            new Key(row.d, row.k, seed),
            // Other random numbers than those of the batches.
            key -> table.sampleCounts(countedRows(row, effort), ~seed));
    return () ->
        IntStream.iterate(0, from -> from < all.length, from -> from + CELLS_AT_ONCE)
            .mapToObj(from -> part(table, all, from))
            .iterator();
  }

  private static WeightedRows part(FullRankTable table, int[] counts, int from) {
    int[] cells =
        IntStream.range(from, Math.min(from + CELLS_AT_ONCE, counts.length))
            .filter(cell -> counts[cell] > 0)
            .toArray();
    return WeightedRows.of(
        Arrays.stream(cells).mapToObj(table::row).toArray(int[][]::new),
        Arrays.stream(cells).mapToDouble(cell -> counts[cell]).toArray());
  }

  private Trial.Measure measure(
      Row row, FullRankModel model, long seed, Settings settings, FlowModel trained) {
    FullRankTable table = table(row, seed);
    Double paper = model.paper(row.paper);
    boolean exact =
        table.cells() <= (settings.effort() == Effort.QUICK ? 5_000 : EXACT_CELLS)
            || (model.isTable() && settings.effort() == Effort.FULL);
    if (exact) {
      return Trial.Measure.exact(
          "nll", "nats", table.crossEntropy(trained::logProb), table.entropy(), paper);
    }
    int[][] rows = table.sample(10 * sample(settings.effort()), Batches.random(seed, -2));
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
            + String.format(Locale.ROOT, "%,d", 10 * sample(settings.effort()))
            + " fresh rows instead.");
    notes.add(
        "Network and method: the paper's network is a Transformer of 64 units. Tables have a row of logits for every"
            + " combination of symbols that they see, so that nothing but the method limits them. Where they are"
            + " counted, weights are log-frequencies in "
            + COUNTED_PER_CELL
            + " sampled rows for each cell, at least "
            + String.format(Locale.ROOT, "%,d", COUNTED_AT_LEAST)
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
    for (Row row : rows(settings.effort())) {
      FullRankTable table = table(row, settings.seed());
      notes.add(row.setting() + ": " + whereTheNatsAre(table));
      List<Level> levels =
          List.of(
              new Level("uniform", row.d * Math.log(row.k)), new Level("entropy", table.entropy()));
      LineChart chart = learning(settings, finished, row.setting(), levels);
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
        references(settings, finished),
        List.of(),
        charts,
        tables ? List.of(bounds(settings, finished)) : List.of(),
        notes);
  }

  /** How long Transformers learn, in words. */
  private static String steps(Effort effort) {
    return rows(effort).stream()
        .map(
            row -> {
              Plan plan = row.plan(effort);
              return plan.autoregressive == 0
                  ? "none at " + row.setting() + " (a run with --full has them)"
                  : String.format(
                      Locale.ROOT,
                      "%,d steps of %d rows at %s (a bipartite flow %,d)",
                      plan.autoregressive,
                      plan.batch,
                      row.setting(),
                      plan.bipartite);
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

  private List<Reference> references(Settings settings, List<Finished> finished) {
    List<Reference> references = new ArrayList<>();
    for (Row row : rows(settings.effort())) {
      double factorised = mean(row, settings, FullRankTable::factorised);
      for (FullRankModel model : row.models(settings)) {
        boolean shown =
            finished.stream()
                .map(Finished::trial)
                .anyMatch(
                    trial ->
                        trial.setting().equals(row.setting())
                            && trial.model().equals(model.title()));
        if (shown) {
          Double optimum = familyOptimum(row, model, settings);
          references.add(new Reference(row.setting(), model.title(), factorised, optimum, ""));
        }
      }
    }
    return references;
  }

  /** Of one layer, and of four on two bits; of other flows only bounds are known. */
  private Double familyOptimum(Row row, FullRankModel model, Settings settings) {
    return switch (model) {
      case AR_BASE, AR_FLOW, TABLE_AR_BASE, TABLE_AR_FLOW -> null; // the floor
      case FACTORISED -> mean(row, settings, FullRankTable::factorised);
      case SORTING_AR ->
          mean(row, settings, table -> new BipartiteOracle(table).bestAutoregressiveLayer());
      case BIPARTITE, TABLE_BIPARTITE, SHIFTING, SORTING, SORTING_ONE ->
          row.d == 2 ? anyRelabelling(row, settings) : null;
    };
  }

  /** What bipartite layers can reach, beside what the counted ones did. */
  private Listing bounds(Settings settings, List<Finished> finished) {
    List<String> lines = new ArrayList<>();
    for (Row row : rows(settings.effort())) {
      lines.add(row.setting() + ", mean over the seeds, nats:");
      List<Mask> halves = FullRankModel.SORTING.masks(row.d);
      List<Mask> ones = FullRankModel.SORTING_ONE.masks(row.d);
      lines.add(line("the factorised base", mean(row, settings, FullRankTable::factorised), null));
      lines.add(
          line(
              "1 layer, any permutations of every other symbol: the optimum",
              mean(row, settings, table -> new BipartiteOracle(table).sorted(halves.subList(0, 1))),
              null));
      lines.add(
          line(
              "4 layers shift by coordinate descent",
              mean(
                  row,
                  settings,
                  table -> new BipartiteOracle(table).shifted(halves, 1, new SplittableRandom(1))),
              null));
      lines.add(
          line(
              "4 layers shift the likeliest symbol to 0",
              mean(row, settings, table -> new BipartiteOracle(table).modeShifted(halves)),
              found(row, FullRankModel.SHIFTING, finished)));
      lines.add(
          line(
              "4 layers sort",
              mean(row, settings, table -> new BipartiteOracle(table).sorted(halves)),
              found(row, FullRankModel.SORTING, finished)));
      lines.add(
          line(
              "4 layers sort one symbol each, given all others",
              mean(row, settings, table -> new BipartiteOracle(table).sorted(ones)),
              found(row, FullRankModel.SORTING_ONE, finished)));
      lines.add(
          line("entropy: no flow is below", mean(row, settings, FullRankTable::entropy), null));
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
  private static Double found(Row row, FullRankModel model, List<Finished> finished) {
    double mean =
        Finished.results(finished).stream()
            .filter(r -> r.setting().equals(row.setting()) && r.model().equals(model.title()))
            .mapToDouble(Result::value)
            .average()
            .orElse(Double.NaN);
    return Double.isNaN(mean) ? null : mean;
  }

  private double anyRelabelling(Row row, Settings settings) {
    return mean(row, settings, table -> new BipartiteOracle(table).anyRelabelling());
  }

  private double mean(Row row, Settings settings, ToDoubleFunction<FullRankTable> of) {
    return settings
        .allSeeds()
        .parallel()
        .mapToDouble(seed -> of.applyAsDouble(table(row, seed)))
        .average()
        .orElseThrow();
  }
}
