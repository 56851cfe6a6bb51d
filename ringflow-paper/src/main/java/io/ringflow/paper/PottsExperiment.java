package io.ringflow.paper;

import io.ringflow.Architecture;
import io.ringflow.Autoregressive;
import io.ringflow.AutoregressiveBase;
import io.ringflow.FlowModel;
import io.ringflow.Order;
import io.ringflow.Shift;
import io.ringflow.network.Lstm;
import io.ringflow.network.Table;
import io.ringflow.paper.Outcome.Heatmap;
import io.ringflow.paper.Outcome.LineChart;
import io.ringflow.paper.Outcome.Listing;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Table 2 and the appendix: flows that distil the Potts model on a square lattice.
 *
 * <p>The lattice is solved exactly, so that data can be drawn without a Markov chain and every
 * figure has its floor. The paper's own data, what 500 steps of Metropolis and Hastings' algorithm
 * leave, is a second protocol.
 */
final class PottsExperiment implements Experiment {
  private static final String NAME = "potts";
  private static final String BASE = "autoregressive base";
  private static final String FLOW = "autoregressive flow";
  private static final List<String> MODELS = List.of(BASE, FLOW);
  private static final String NLL = "nll";
  private static final String BOUND = "log Z bound below exact";
  private static final String ESTIMATE = "log Z estimate above exact";

  /** "A single layer LSTM with 32 hidden units." */
  private static final Lstm NETWORK = new Lstm(16, 32, 1);

  /** Of the flow's base, while the layer learns: a direction to move the data in. */
  private static final double TILT = 1;

  private static final double RATE = 1e-2;
  private static final double LAYER_RATE = 5e-2;
  private static final int BATCH = 256;
  private static final int METROPOLIS_STEPS = 500;

  private static final int LISTED_CELLS = 2_000_000;
  private static final int SAMPLE = 100_000;
  private static final int FREE_ENERGY_SAMPLE = 20_000;

  /** One row of the paper's table. */
  private record Row(int states, int side, double coupling, double base, double flow) {
    double paper(String model) {
      return model.equals(BASE) ? base : flow;
    }

    String setting() {
      return states + " states, D=" + side * side + ", J=" + coupling;
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row(3, 3, 0.1, 9.27, 9.124),
          new Row(3, 3, 0.5, 3.79, 3.79),
          new Row(3, 4, 0.1, 16.66, 11.23),
          new Row(3, 4, 0.5, 6.30, 5.62),
          new Row(4, 3, 0.1, 11.64, 10.45),
          new Row(4, 3, 0.5, 5.87, 5.56),
          new Row(5, 3, 0.1, 13.58, 10.25),
          new Row(5, 3, 0.5, 7.94, 7.07));

  /** Where the data of a trial comes from. */
  private enum Protocol {
    EXACT(""),
    METROPOLIS(", " + METROPOLIS_STEPS + " Metropolis steps");

    private final String suffix;

    Protocol(String suffix) {
      this.suffix = suffix;
    }

    /**
     * At J = 0.1 the chains have mixed after 500 steps, as far as four decimals of the entropy can
     * tell, and with more states nothing else is seen: only a full run repeats those rows.
     */
    boolean worthTraining(Row row, Effort effort) {
      return this == EXACT || (row.coupling > 0.1 && row.states == 3) || effort == Effort.FULL;
    }

    int[][] draw(PottsLattice lattice, int count, RandomGenerator random) {
      return this == EXACT
          ? lattice.sample(count, random)
          : lattice.metropolis(count, METROPOLIS_STEPS, random);
    }
  }

  private final Map<Row, PottsLattice> lattices = new ConcurrentHashMap<>();

  /** What the chains leave, where all states can be listed. */
  private final Map<Row, double[]> chains = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "The Potts model on a square lattice (Table 2 and appendix)";
  }

  @Override
  public int defaultSeeds() {
    return 3;
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      for (Row row : ROWS) {
        if (protocol.worthTraining(row, settings.effort())) {
          MODELS.forEach(model -> trials.add(trial(row, protocol, model, seed, settings)));
        }
      }
    }
    return trials;
  }

  private PottsLattice lattice(Row row) {
    return lattices.computeIfAbsent(row, r -> PottsLattice.paper(r.side, r.states, r.coupling));
  }

  private Trial trial(Row row, Protocol protocol, String model, long seed, Settings settings) {
    int steps = steps(settings.effort());
    int layerSteps = model.equals(FLOW) ? Math.max(1, steps / 8) : 0;
    TrainingOptions.Builder options =
        TrainingOptions.builder(steps + layerSteps)
            .learningRate(LAYER_RATE)
            .baseLearningRate(RATE)
            .warmupSteps(steps / 40)
            .temperature(Temperature.annealed(5, 1));
    if (layerSteps > 0) {
      double share = (double) layerSteps / (steps + layerSteps);
      options.layerSpan(0, share).baseSpan(share, 1);
    }
    Batches batches =
        Batches.drawn(
            BATCH + " lattices",
            seed,
            random -> Batch.of(protocol.draw(lattice(row), BATCH, random)));
    return new Trial(
        row.setting() + protocol.suffix,
        model,
        seed,
        architecture(row, model),
        new Trial.Training(options.build(), batches),
        null,
        trained -> measure(row, protocol, model, seed, settings, trained));
  }

  private static int steps(Effort effort) {
    return switch (effort) {
      case QUICK -> 20;
      case DEFAULT -> 2000;
      case FULL -> 6000;
    };
  }

  private Architecture architecture(Row row, String model) {
    int sites = row.side * row.side;
    Architecture base =
        Architecture.of(
            lattice(row).space(),
            new AutoregressiveBase(Order.natural(sites), NETWORK, model.equals(FLOW) ? TILT : 0));
    return model.equals(BASE)
        ? base
        : base.with(
            new Autoregressive(
                Order.reversed(sites),
                Table.of(Collections.nCopies(sites, List.of(sites - 1))).sharingRows(),
                new Shift()));
  }

  private List<Trial.Measure> measure(
      Row row, Protocol protocol, String model, long seed, Settings settings, FlowModel trained) {
    List<Trial.Measure> measures = new ArrayList<>();
    measures.add(
        protocol == Protocol.EXACT
            ? nll(row, model, seed, settings, trained)
            : nllOfChains(row, model, seed, settings, trained));
    if (protocol == Protocol.EXACT) {
      measures.addAll(freeEnergy(row, seed, settings, trained));
    }
    return measures;
  }

  private Trial.Measure nll(
      Row row, String model, long seed, Settings settings, FlowModel trained) {
    PottsLattice lattice = lattice(row);
    double entropy = lattice.entropy();
    long cells = lattice.space().cells();
    if (cells <= exactCells(settings)) {
      int[][] rows = lattice.space().enumerate();
      double[] p = Arrays.stream(lattice.logProb(rows)).map(Math::exp).toArray();
      double value = crossEntropy(p, trained.logProb(rows));
      return Trial.Measure.exact(NLL, "nats", value, entropy, row.paper(model));
    }
    int[][] rows = lattice.sample(sample(settings), Batches.random(seed, -1));
    Estimate estimate =
        Estimate.crossEntropy(entropy, lattice.logProb(rows), trained.logProb(rows));
    return Trial.Measure.estimated(NLL, "nats", estimate, entropy, row.paper(model));
  }

  private Trial.Measure nllOfChains(
      Row row, String model, long seed, Settings settings, FlowModel trained) {
    PottsLattice lattice = lattice(row);
    Double floor = null;
    if (lattice.space().cells() <= LISTED_CELLS) {
      double[] p =
          chains.computeIfAbsent(row, r -> lattice.metropolisDistribution(METROPOLIS_STEPS));
      floor = Entropy.of(p);
      if (p.length <= exactCells(settings)) {
        double value = crossEntropy(p, trained.logProb(lattice.space().enumerate()));
        return Trial.Measure.exact(NLL, "nats", value, floor, row.paper(model));
      }
    }
    int[][] rows = lattice.metropolis(sample(settings), METROPOLIS_STEPS, Batches.random(seed, -1));
    double[] costs = Arrays.stream(trained.logProb(rows)).map(logProb -> -logProb).toArray();
    return Trial.Measure.estimated(NLL, "nats", Estimate.mean(costs), floor, row.paper(model));
  }

  /** So many states a model scores in seconds. */
  private static long exactCells(Settings settings) {
    if (settings.effort() == Effort.QUICK) {
      return 20_000;
    }
    return settings.device().equals("cpu") ? 300_000 : LISTED_CELLS;
  }

  private static int sample(Settings settings) {
    return settings.effort() == Effort.QUICK ? 1000 : SAMPLE;
  }

  private static double crossEntropy(double[] p, double[] logQ) {
    var sum = new CompensatedSum();
    for (int i = 0; i < p.length; i++) {
      // A state that never occurs costs nothing, even where the model calls it impossible.
      if (p[i] > 0) {
        sum.add(-p[i] * logQ[i]);
      }
    }
    return sum.value();
  }

  /**
   * What the model knows of the partition function: it draws lattices x with {@code log w = beta *
   * pairs(x) - log q(x)}, whose mean is a lower bound of {@code log Z} (the variational free energy
   * with its sign turned) and the logarithm of the mean of w an estimate of it.
   */
  private List<Trial.Measure> freeEnergy(Row row, long seed, Settings settings, FlowModel trained) {
    PottsLattice lattice = lattice(row);
    int count = Math.min(FREE_ENERGY_SAMPLE, sample(settings));
    int[][] rows = trained.sample(count, seed);
    double[] logQ = trained.logProb(rows);
    double[] excess = new double[rows.length]; // log w - log Z
    for (int i = 0; i < rows.length; i++) {
      excess[i] = lattice.beta() * lattice.equalPairs(rows[i]) - logQ[i] - lattice.logPartition();
    }
    Estimate bound = Estimate.mean(Arrays.stream(excess).map(e -> -e).toArray());
    Estimate ratio = Estimate.mean(Arrays.stream(excess).map(Math::exp).toArray());
    return List.of(
        Trial.Measure.estimated(BOUND, "nats", bound, 0.0, null),
        Trial.Measure.estimated(
            ESTIMATE,
            "nats",
            new Estimate(Math.log(ratio.value()), ratio.standardError() / ratio.value()),
            null,
            null));
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    List<Result> results = Finished.results(finished);
    List<String> notes = new ArrayList<>();
    notes.add(
        "Energy: periodic edges, and every pair of equal neighbours counted from both ends, p(x) proportional to"
            + " exp(2 J * equal pairs). The paper does not give its convention; of those we tried, this one"
            + " comes nearest to its base column. The floor is the exact entropy of the data.");
    notes.add(
        "Data is drawn exactly, by transfer matrix. The rows named Metropolis are trained and scored on what "
            + METROPOLIS_STEPS
            + " single-site proposals leave of a random lattice, the paper's protocol; their floor is the entropy of"
            + " that very distribution, where all states can be listed (3 x 3).");
    notes.add(
        "Figures are exact, over all states; where a standard error stands beside one, it is estimated from "
            + SAMPLE
            + " fresh lattices.");
    notes.add(
        "The flow's layer goes through the sites in reverse and has a free location for every state of the site it"
            + " visits first, the last one; all other sites share it. The energy stays the same when a constant is added to all sites (mod K);"
            + " one site is what a layer must see to divide that symmetry out, and leaves the base a K-th of the"
            + " distribution to learn. With more neighbours than this one the figures were worse: the base then has to"
            + " undo what the layer did.");
    notes.add(
        "The layer learns first, towards a base that stands still and favours one state; then it stands still, and the"
            + " base learns as long as it does alone, from the same start.");
    notes.add(
        "Free energy: "
            + FREE_ENERGY_SAMPLE
            + " samples of a model give a lower bound of log Z and an estimate by importance sampling; shown is their"
            + " distance from the exact value.");
    PaperBelowFloor.sentence(
            results.stream()
                .filter(r -> !r.setting().endsWith(Protocol.METROPOLIS.suffix))
                .toList(),
            NLL)
        .ifPresent(notes::add);
    List<LineChart> charts = new ArrayList<>();
    for (Row row : ROWS) {
      charts.add(
          CurveChart.of(
              NAME + "-" + Trial.slug(row.setting()),
              row.setting() + ": training loss, first seed",
              finished,
              settings.seed(),
              row.setting(),
              Map.of("entropy", lattice(row).entropy())));
    }
    return new Outcome(
        results,
        List.of(),
        samples(settings, finished),
        charts,
        List.of(freeEnergies(results)),
        notes);
  }

  /** The appendix: samples of the data and of the flow, side by side. */
  private List<Heatmap> samples(Settings settings, List<Finished> finished) throws IOException {
    List<Heatmap> heatmaps = new ArrayList<>();
    for (Row row : ROWS) {
      if (row.side != 4) {
        continue;
      }
      String slug = NAME + "-samples-" + Trial.slug(row.setting());
      heatmaps.add(
          LatticeTiles.heatmap(
              slug + "-data",
              row.setting() + ": data",
              lattice(row).sample(LatticeTiles.COUNT, Batches.random(settings.seed(), -3)),
              row.side));
      for (Finished one : finished) {
        Trial trial = one.trial();
        if (trial.seed() == settings.seed()
            && trial.setting().equals(row.setting())
            && trial.model().equals(FLOW)) {
          try (FlowModel model = one.load(settings)) {
            heatmaps.add(
                LatticeTiles.heatmap(
                    slug + "-flow",
                    row.setting() + ": autoregressive flow",
                    model.sample(LatticeTiles.COUNT, settings.seed()),
                    row.side));
          }
        }
      }
    }
    return heatmaps;
  }

  private Listing freeEnergies(List<Result> results) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-28s%-22s%12s%14s%14s",
            "setting", "model", "exact log Z", "lower bound", "estimate"));
    for (Row row : ROWS) {
      for (String model : MODELS) {
        double exact = lattice(row).logPartition();
        lines.add(
            String.format(
                Locale.ROOT,
                "%-28s%-22s%12.4f%14.4f%14.4f",
                row.setting(),
                model,
                exact,
                exact - mean(results, row, model, BOUND),
                exact + mean(results, row, model, ESTIMATE)));
      }
    }
    return new Listing(
        NAME + "-free-energy",
        "log Z of the lattice, and what the models say (mean over seeds)",
        lines);
  }

  private static double mean(List<Result> results, Row row, String model, String metric) {
    return results.stream()
        .filter(
            r ->
                r.setting().equals(row.setting())
                    && r.model().equals(model)
                    && r.metric().equals(metric))
        .mapToDouble(Result::value)
        .average()
        .orElse(Double.NaN);
  }
}
