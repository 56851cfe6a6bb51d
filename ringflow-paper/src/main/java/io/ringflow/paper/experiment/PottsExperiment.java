package io.ringflow.paper.experiment;

import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Estimate;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.CompensatedSum;
import io.ringflow.paper.oracle.Entropy;
import io.ringflow.paper.oracle.PottsLattice;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * Table 2 and the appendix: flows that distil the Potts model on a square lattice.
 *
 * <p>The lattice is solved exactly, so that data can be sampled without a Markov chain and every
 * result has its floor. The paper's own data, what 500 steps of Metropolis and Hastings' algorithm
 * leave, is a second protocol.
 */
final class PottsExperiment extends PaperExperiment {
  static final String NLL = "nll";
  static final String BOUND = "log Z bound below exact";
  static final String ESTIMATE = "log Z estimate above exact";

  static final int METROPOLIS_STEPS = 500;

  private static final int LISTED_CELLS = 2_000_000;
  static final int SAMPLE = 100_000;
  static final int FREE_ENERGY_SAMPLE = 20_000;

  /** Where the data of a trial comes from. */
  enum Protocol {
    EXACT(""),
    METROPOLIS(", " + METROPOLIS_STEPS + " Metropolis steps");

    /** Of the name of a trial's setting. */
    final String suffix;

    Protocol(String suffix) {
      this.suffix = suffix;
    }

    /**
     * Chains are for the paper's own networks. At J = 0.1 they have mixed after 500 steps, as far
     * as four decimals of the entropy can tell, and with more states nothing else is seen: only a
     * full run repeats those rows.
     */
    boolean worthTraining(PottsRow row, PottsModel model, Effort effort) {
      if (this == EXACT) {
        return true;
      }
      boolean telling = row.coupling() > 0.1 && row.states() == 3;
      return model.ofThePaper && (telling || effort == Effort.FULL);
    }

    int[][] sample(PottsLattice lattice, int count, RandomGenerator random) {
      return this == EXACT
          ? lattice.sample(count, random)
          : lattice.metropolis(count, METROPOLIS_STEPS, random);
    }
  }

  private final Map<PottsRow, PottsLattice> lattices = new ConcurrentHashMap<>();

  /** What the chains leave, where all states can be listed. */
  private final Map<PottsRow, double[]> chains = new ConcurrentHashMap<>();

  PottsExperiment() {
    super("potts", "The Potts model on a square lattice (Table 2 and appendix)", 3);
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      for (PottsRow row : PottsRow.of(settings.effort())) {
        for (PottsModel model : PottsModel.values()) {
          if (protocol.worthTraining(row, model, settings.effort())) {
            trials.add(trial(row, protocol, model, seed, settings));
          }
        }
      }
    }
    return trials;
  }

  private PottsLattice lattice(PottsRow row) {
    return lattices.computeIfAbsent(row, PottsRow::solve);
  }

  private Trial trial(
      PottsRow row, Protocol protocol, PottsModel model, long seed, Settings settings) {
    int batch = model.batch();
    Batches batches =
        Batches.sampled(
            batch + " lattices",
            seed,
            random -> Batch.of(protocol.sample(lattice(row), batch, random)));
    return new Trial(
        row.setting() + protocol.suffix,
        model.label,
        seed,
        model.on(lattice(row)),
        new Trial.Training(model.options(settings.effort()), batches),
        null,
        trained -> measure(row, protocol, model, seed, settings, trained));
  }

  private List<Trial.Measure> measure(
      PottsRow row,
      Protocol protocol,
      PottsModel model,
      long seed,
      Settings settings,
      FlowModel trained) {
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
      PottsRow row, PottsModel model, long seed, Settings settings, FlowModel trained) {
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
      PottsRow row, PottsModel model, long seed, Settings settings, FlowModel trained) {
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
   * What the model knows of the partition function: it samples lattices x with {@code log w = beta
   * * pairs(x) - log q(x)}, whose mean is a lower bound of {@code log Z} (the variational free
   * energy with its sign turned) and the logarithm of the mean of w an estimate of it.
   */
  private List<Trial.Measure> freeEnergy(
      PottsRow row, long seed, Settings settings, FlowModel trained) {
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
    return new PottsOutcome(this, this::lattice, settings).of(finished);
  }
}
