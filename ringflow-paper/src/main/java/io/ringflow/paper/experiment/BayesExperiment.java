package io.ringflow.paper.experiment;

import io.ringflow.core.DataFormatException;
import io.ringflow.infer.Estimate;
import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.InferenceOptions;
import io.ringflow.infer.InferredModel;
import io.ringflow.infer.Symmetry;
import io.ringflow.infer.WeightedSamples;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.Trial.Measure;
import io.ringflow.paper.oracle.CompensatedSum;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Inference in Bayesian networks, which the paper has not: what is to be thought of the other
 * variables when the states of some are known. Every seed is another set of known states, and the
 * exact answer stands beside each.
 */
final class BayesExperiment extends PaperExperiment {
  static final String DIVERGENCE = "KL(posterior, model)";
  static final String ERROR = "error of log P(evidence)";
  static final String STANDARD_ERRORS = "error in standard errors";

  private static final String MODEL = "autoregressive";
  private static final String ENDING = ".bif";
  private static final int SAMPLES = 20_000;
  private static final int QUICK_SAMPLES = 500;
  private static final int DRAWN = 2000;
  private static final InferenceOptions QUICK_OPTIONS = new InferenceOptions(32, 1e-2, 0.4, 0.7);

  /** How many sets of evidence, from the first, are also answered the paper's way. */
  private static final int INVERSE_SEEDS = 3;

  /** Posteriors of more rows are not enumerated. */
  private static final long MAX_CELLS = 300_000;

  BayesExperiment() {
    super("bayes", "Inference: Bayesian networks with evidence, a set for each seed", 5);
  }

  @Override
  public Optional<String> dataHelp() {
    return Optional.of(
        "a folder of Bayesian networks, NAME.bif each, such as asia, sachs and alarm of"
            + " bnlearn.com/bnrepository");
  }

  /** A network and where it stands. */
  private record Network(Path file, FactorGraph graph) {
    String name() {
      String name = file.getFileName().toString();
      return name.substring(0, name.length() - ENDING.length());
    }

    Evidence evidence(long seed) {
      try {
        return Evidence.drawn(graph, seed);
      } catch (IllegalArgumentException e) {
        throw new UncheckedIOException(new DataFormatException(file, e.getMessage()));
      }
    }
  }

  private static List<Network> networks(Settings settings) {
    Path folder = settings.data();
    try {
      if (!Files.isDirectory(folder)) {
        throw new DataFormatException(
            folder, Files.exists(folder) ? "is a file, not a folder" : "no such folder");
      }
      List<Path> files;
      try (Stream<Path> entries = Files.list(folder)) {
        files = entries.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
      }
      if (files.isEmpty()) {
        throw new DataFormatException(folder, "has no network, a file NAME" + ENDING);
      }
      List<Network> networks = new ArrayList<>();
      for (Path file : files) {
        networks.add(new Network(file, FactorGraph.read(file)));
      }
      return networks;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InferenceTask task(Network network, Evidence evidence, Effort effort) {
    boolean quick = effort == Effort.QUICK;
    return new InferenceTask(
        network.name(),
        MODEL,
        evidence.posterior(),
        Symmetry.NONE,
        evidence.posterior().space().size(),
        quick ? QUICK_OPTIONS : null,
        quick ? 20 : effort == Effort.FULL ? 2000 : 500);
  }

  private static List<InferenceTask> tasks(
      Network network, Evidence evidence, Settings settings, long seed) {
    InferenceTask task = task(network, evidence, settings.effort());
    InferenceOptions options =
        settings.effort() == Effort.QUICK ? QUICK_OPTIONS : InferenceOptions.DEFAULT;
    return seed < settings.seed() + INVERSE_SEEDS
        ? List.of(task, task.inverse(options.batch()))
        : List.of(task);
  }

  @Override
  public boolean selectable() {
    return true;
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    List<Trial> trials = new ArrayList<>();
    for (Network network : networks(settings)) {
      Evidence evidence = network.evidence(seed);
      for (InferenceTask task : tasks(network, evidence, settings, seed)) {
        trials.add(task.trial(seed, flow -> measures(task, evidence, settings, seed, flow)));
      }
    }
    return trials;
  }

  private static List<Measure> measures(
      InferenceTask task, Evidence evidence, Settings settings, long seed, FlowModel flow) {
    List<Measure> measures = new ArrayList<>();
    InferredModel model = task.inferred(flow);
    if (evidence.posterior().space().cells() <= MAX_CELLS) {
      measures.add(Measure.exact(DIVERGENCE, "nats", divergence(model, evidence), 0.0, null));
    }
    int count = settings.effort() == Effort.QUICK ? QUICK_SAMPLES : SAMPLES;
    WeightedSamples samples = model.draw(count, seed);
    Estimate logProb = samples.logZ();
    double error = Math.abs(logProb.value() - evidence.logProb());
    measures.add(new Measure(ERROR, "nats", error, logProb.standardError(), null, null));
    measures.add(
        Measure.exact(
            STANDARD_ERRORS,
            "standard errors",
            error == 0 ? 0 : error / logProb.standardError(),
            null,
            null));
    measures.add(Measure.exact(InferenceTask.ESS, "", samples.ess(), null, null));
    measures.addAll(task.ofLayers(flow, seed));
    return measures;
  }

  private static double divergence(InferredModel model, Evidence evidence) {
    int[][] rows = evidence.posterior().space().enumerate();
    double[] logWeights = evidence.posterior().logWeights(rows);
    double[] logProbs = model.logProb(rows);
    var sum = new CompensatedSum();
    for (int i = 0; i < rows.length; i++) {
      double logPosterior = logWeights[i] - evidence.logProb();
      if (logPosterior > Double.NEGATIVE_INFINITY) {
        sum.add(Math.exp(logPosterior) * (logPosterior - logProbs[i]));
      }
    }
    return Math.max(0, sum.value()); // below by rounding only
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    List<LineChart> charts = new ArrayList<>();
    List<Reference> references = new ArrayList<>();
    List<String> drawn = new ArrayList<>();
    for (Network network : networks(settings)) {
      references.add(
          new Reference(
              network.name(),
              MODEL,
              null,
              null,
              network.name().equals("asia") ? "mixture of discrete flows: KL 1.185" : ""));
      for (long seed : settings.allSeeds().toArray()) {
        Evidence evidence = network.evidence(seed);
        drawn.add(
            String.format(
                Locale.ROOT,
                "%-12s seed %-6d log P %9.4f   %s",
                network.name(),
                seed,
                evidence.logProb(),
                evidence.text()));
      }
      Evidence evidence = network.evidence(settings.seed());
      InferenceTask task = task(network, evidence, settings.effort());
      for (Finished one : finished) {
        if (task.names(one.trial()) && one.trial().seed() == settings.seed()) {
          charts.add(weights(settings, task, evidence, one));
        }
      }
    }
    List<Result> results = Finished.results(finished);
    return new Outcome(
        results,
        references,
        List.of(),
        charts,
        List.of(
            new Listing(
                name() + "-worst",
                "Mean and worst over evidence sets",
                MeanAndWorst.lines("network", Result::setting, results)),
            new Listing(name() + "-evidence", "Evidence, and its exact log-probability", drawn)),
        notes(settings));
  }

  private LineChart weights(Settings settings, InferenceTask task, Evidence evidence, Finished one)
      throws IOException {
    int count = settings.effort() == Effort.QUICK ? QUICK_SAMPLES : DRAWN;
    WeightHistogram histogram = new WeightHistogram();
    try (FlowModel flow = one.load(settings)) {
      histogram.add(MODEL, task.inferred(flow).draw(count, settings.seed()), evidence.logProb());
    }
    return histogram.chart(name() + "-weights-" + Trial.slug(task.setting()), task.setting());
  }

  private static List<String> notes(Settings settings) {
    return List.of(
        "Every seed draws another set of evidence: one to three variables at random, with states drawn"
            + " from the network, and another start of the model. The model samples the other variables,"
            + " one pass each, and has learned from its own samples alone.",
        "The exact log-probability of the evidence is computed by variable elimination. Where the"
            + " posterior has at most "
            + MAX_CELLS
            + " rows, the divergence from it is exact, over all of them.",
        "Log P(evidence) is estimated from "
            + (settings.effort() == Effort.QUICK ? QUICK_SAMPLES : SAMPLES)
            + " samples of the model by importance sampling; ESS/M, the effective sample size by their number, is how many independent"
            + " samples of the posterior one of them is worth.",
        InferenceTask.INVERSE_NOTE
            + " It answers the first "
            + INVERSE_SEEDS
            + " sets of evidence only.",
        "All settings were chosen by looking at seeds 1 to 9; others' figures are from their papers.");
  }
}
