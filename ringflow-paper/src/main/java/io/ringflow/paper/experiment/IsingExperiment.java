package io.ringflow.paper.experiment;

import io.ringflow.infer.InferenceOptions;
import io.ringflow.infer.WeightedSamples;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Heatmap;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Inference, which the paper announces and has not: lattices of spins that are known up to their
 * partition function, learned without data, by the number of passes. Their exact log Z is known.
 */
final class IsingExperiment extends PaperExperiment {
  private static final int SAMPLES = 20_000;
  private static final int QUICK_SAMPLES = 500;
  private static final int DRAWN = 2000;
  private static final InferenceOptions QUICK_OPTIONS = new InferenceOptions(32, 1e-2, 0.4, 0.7);
  private static final int QUICK_STEPS = 20;

  private final Map<SpinLattice, Double> solved = new ConcurrentHashMap<>();

  /** A lattice and a model of it. */
  private record Row(SpinLattice lattice, int passes, int steps) {
    InferenceTask task(InferenceOptions options) {
      InferenceTask task =
          new InferenceTask(
              lattice.setting(),
              passes + " passes",
              lattice.graph(),
              lattice.symmetry(),
              passes,
              options,
              steps);
      int batch = (options == null ? InferenceOptions.DEFAULT : options).batch();
      return passes == INVERSE ? task.inverse(batch) : task;
    }
  }

  /** Stands for the passes of an inverse flow. */
  private static final int INVERSE = 0;

  IsingExperiment() {
    super("ising", "Inference: Ising and Potts lattices, by the number of passes", 1);
  }

  private static List<Row> rows(Effort effort) {
    return switch (effort) {
      case QUICK ->
          List.of(
              new Row(SpinLattice.ising(4, 0.44), 16, QUICK_STEPS),
              new Row(SpinLattice.ising(4, 0.44), 5, QUICK_STEPS),
              new Row(SpinLattice.ising(4, 0.44), INVERSE, QUICK_STEPS),
              new Row(SpinLattice.potts(3, 3, 1.005), 9, QUICK_STEPS));
      case DEFAULT ->
          List.of(
              new Row(SpinLattice.ising(4, 0.44), 16, 500),
              new Row(SpinLattice.ising(8, 0.44), 14, 500),
              new Row(SpinLattice.ising(8, 0.44), 10, 500),
              new Row(SpinLattice.ising(8, 0.44), INVERSE, 800),
              new Row(SpinLattice.ising(16, 0.44), 16, 500),
              new Row(SpinLattice.potts(8, 3, 1.005), 14, 300),
              new Row(SpinLattice.potts(8, 3, 1.005), INVERSE, 600));
      case FULL -> full();
    };
  }

  private static List<Row> full() {
    List<Row> rows = new ArrayList<>();
    for (double beta : new double[] {0.28, 0.44, 0.4407, 0.6}) {
      rows.add(new Row(SpinLattice.ising(16, beta), 16, 1000));
      rows.add(new Row(SpinLattice.ising(16, beta), INVERSE, 1000));
    }
    rows.add(new Row(SpinLattice.ising(16, 0.44), 20, 1000));
    rows.add(new Row(SpinLattice.ising(24, 0.4407), 24, 1000));
    rows.add(new Row(SpinLattice.ising(24, 0.4407), INVERSE, 1000));
    rows.add(new Row(SpinLattice.ising(32, 0.44), 32, 1000));
    return rows;
  }

  /** Null for those that suit the model. */
  private static InferenceOptions options(Effort effort) {
    return effort == Effort.QUICK ? QUICK_OPTIONS : null;
  }

  @Override
  public boolean selectable() {
    return true;
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    int samples = settings.effort() == Effort.QUICK ? QUICK_SAMPLES : SAMPLES;
    return rows(settings.effort()).stream()
        .map(
            row -> {
              InferenceTask task = row.task(options(settings.effort()));
              return task.trial(seed, samples, drawn -> task.measures(drawn, exact(row.lattice())));
            })
        .toList();
  }

  private double exact(SpinLattice lattice) {
    return solved.computeIfAbsent(lattice, SpinLattice::logPartition);
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    List<Heatmap> pictures = new ArrayList<>();
    List<LineChart> charts = new ArrayList<>();
    List<Reference> references = new ArrayList<>();
    List<Row> rows = rows(settings.effort());
    IsingCharts ising = new IsingCharts(name());
    for (SpinLattice lattice : rows.stream().map(Row::lattice).distinct().toList()) {
      WeightHistogram histogram = new WeightHistogram();
      for (Row row : rows.stream().filter(row -> row.lattice().equals(lattice)).toList()) {
        InferenceTask task = row.task(options(settings.effort()));
        references.add(
            new Reference(
                task.setting(), task.model(), lattice.factorisedGap(), null, lattice.peers()));
        for (Finished one : finished) {
          if (task.names(one.trial()) && one.trial().seed() == settings.seed()) {
            WeightedSamples samples = samples(settings, task, one);
            histogram.add(task.model(), samples, exact(lattice));
            pictures.add(picture(lattice, task, samples));
            if (!lattice.potts()) {
              ising.add(task.model(), samples);
              ising.add(lattice, one);
            }
          }
        }
      }
      if (!histogram.isEmpty()) {
        charts.add(
            histogram.chart(
                name() + "-weights-" + Trial.slug(lattice.setting()), lattice.setting()));
        if (!lattice.potts()) {
          charts.add(ising.magnetisation(lattice));
        }
      }
    }
    charts.addAll(ising.freeEnergies());
    List<Result> results = Finished.results(finished);
    Listing summary =
        new Listing(name() + "-worst", "Mean and worst over seeds", summary(rows, results));
    return new Outcome(results, references, pictures, charts, List.of(summary), notes(settings));
  }

  private List<String> summary(List<Row> rows, List<Result> results) {
    Map<String, Double> exact = new HashMap<>();
    Map<String, Double> sites = new HashMap<>();
    for (Row row : rows) {
      SpinLattice lattice = row.lattice();
      exact.put(lattice.setting(), exact(lattice));
      sites.put(lattice.setting(), lattice.beta() * lattice.side() * lattice.side());
    }
    return LatticeSummary.lines(results, exact, sites);
  }

  private static WeightedSamples samples(Settings settings, InferenceTask task, Finished one)
      throws IOException {
    try (FlowModel flow = one.load(settings)) {
      int count = settings.effort() == Effort.QUICK ? QUICK_SAMPLES : DRAWN;
      return task.inferred(flow).draw(count, settings.seed());
    }
  }

  private Heatmap picture(SpinLattice lattice, InferenceTask task, WeightedSamples samples) {
    int[][] shown = new int[LatticeTiles.COUNT][];
    System.arraycopy(samples.rows(), 0, shown, 0, shown.length);
    return LatticeTiles.heatmap(
        name() + "-samples-" + Trial.slug(task.setting() + " " + task.model()),
        task.setting() + ": samples, " + task.model(),
        shown,
        lattice.side());
  }

  private static List<String> notes(Settings settings) {
    return List.of(
        "No data: a model learns from its own samples what the lattice's energy says of them, first by"
            + " the reverse divergence with the temperature lowered, then by the forward one. Periodic"
            + " edges; the log-weight is beta times the sum of neighbours' products (Ising) or the number"
            + " of equal neighbours (Potts).",
        "Exact log Z: Kaufman's formula (Ising), a transfer matrix (Potts). The gap is what the"
            + " variational bound is below it: the divergence KL(model, lattice), never below 0 but for"
            + " the sampling error. All is estimated from "
            + (settings.effort() == Effort.QUICK ? QUICK_SAMPLES : SAMPLES)
            + " samples of the model.",
        "F/N is the free energy of a site, - log Z / (beta N). Log Z is estimated by importance sampling, with the exact densities of the samples; the"
            + " effective sample size by their number (ESS/M) is how many independent samples of the lattice one is"
            + " worth.",
        "All permutations of the states, of spins the flip, are divided out: the model is the mixture of"
            + " its images. Passes are the network calls that sampling takes.",
        InferenceTask.INVERSE_NOTE,
        "Others' figures are from their papers, neither checked nor rerun.",
        "All settings were chosen by looking at seeds 1 to 9.");
  }
}
