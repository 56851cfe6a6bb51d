package io.ringflow.paper.experiment;

import io.ringflow.infer.InferenceOptions;
import io.ringflow.infer.SpinModels;
import io.ringflow.infer.Symmetry;
import io.ringflow.infer.WeightedSamples;
import io.ringflow.model.FlowModel;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.harness.Trial.Measure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Inference of spin glasses, which the paper has not: every spin is coupled with every other at
 * random, so that weight gathers in modes far apart. All states are enumerated beside the models.
 */
final class SkExperiment extends PaperExperiment {
  static final String MODES_FOUND = "share of modes found";
  static final String MODES = "modes";

  private static final int SITES = 20;
  private static final int QUICK_SITES = 8;
  private static final int SAMPLES = 10_000;
  private static final int QUICK_SAMPLES = 500;

  /** A mode that counts has more than this share of the weight. */
  private static final double MODE = 0.01;

  private static final InferenceOptions QUICK_OPTIONS = new InferenceOptions(32, 1e-2, 0.4, 0.7);

  private final Map<Size, SpinGlass> glasses = new ConcurrentHashMap<>();

  /** What an effort comes to. */
  private record Plan(int instances, List<Double> betas, InferenceOptions options, int steps) {
    static Plan of(Effort effort) {
      return switch (effort) {
        case QUICK -> new Plan(1, List.of(0.5, 2.0), QUICK_OPTIONS, 20);
        case DEFAULT -> new Plan(2, List.of(0.5, 2.0, 5.0), null, 500);
        case FULL -> new Plan(10, List.of(0.5, 1.0, 2.0, 3.0, 5.0), null, 500);
      };
    }
  }

  /** An instance at a temperature. */
  private record Row(long instance, double beta, boolean inverse) {}

  private record Size(int sites, long instance) {}

  SkExperiment() {
    super("sk", "Inference: the Sherrington-Kirkpatrick spin glass, by temperature", 1);
  }

  private static List<Row> rows(Plan plan) {
    List<Row> rows = new ArrayList<>();
    for (long instance = 1; instance <= plan.instances; instance++) {
      for (double beta : plan.betas) {
        rows.add(new Row(instance, beta, false));
        rows.add(new Row(instance, beta, true));
      }
    }
    return rows;
  }

  /** Solved once, by whichever trial ends first. */
  private SpinGlass glass(Row row, Effort effort) {
    return glasses.computeIfAbsent(
        new Size(sites(effort), row.instance), size -> new SpinGlass(size.sites, size.instance));
  }

  private static int sites(Effort effort) {
    return effort == Effort.QUICK ? QUICK_SITES : SITES;
  }

  private static InferenceTask task(Row row, Effort effort) {
    Plan plan = Plan.of(effort);
    int sites = sites(effort);
    InferenceTask task =
        new InferenceTask(
            "N=" + sites + ", instance " + row.instance + ", beta " + row.beta,
            sites + " passes",
            SpinModels.sherringtonKirkpatrick(sites, row.beta, row.instance),
            Symmetry.ofSymbols(2),
            sites,
            plan.options,
            plan.steps);
    int batch = (plan.options == null ? InferenceOptions.DEFAULT : plan.options).batch();
    return row.inverse ? task.inverse(batch) : task;
  }

  @Override
  public boolean selectable() {
    return true;
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    return rows(Plan.of(settings.effort())).stream()
        .map(
            row -> {
              InferenceTask task = task(row, settings.effort());
              return task.trial(
                  seed,
                  samples(settings),
                  drawn -> measures(task, glass(row, settings.effort()), row.beta, drawn));
            })
        .toList();
  }

  private static int samples(Settings settings) {
    return settings.effort() == Effort.QUICK ? QUICK_SAMPLES : SAMPLES;
  }

  private static List<Measure> measures(
      InferenceTask task, SpinGlass glass, double beta, WeightedSamples samples) {
    List<Measure> measures = new ArrayList<>(task.measures(samples, glass.logPartition(beta)));
    int[] modes = glass.modes(beta, MODE);
    measures.add(Measure.exact(MODES, MODES, modes.length, null, null));
    if (modes.length > 0) {
      double share = (double) glass.found(modes, samples.rows()) / modes.length;
      measures.add(Measure.exact(MODES_FOUND, "", share, null, null));
    }
    return measures;
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    Map<Long, WeightHistogram> histograms = new LinkedHashMap<>();
    for (Row row : rows(Plan.of(settings.effort()))) {
      InferenceTask task = task(row, settings.effort());
      double exact = glass(row, settings.effort()).logPartition(row.beta);
      for (Finished one : finished) {
        if (task.names(one.trial()) && one.trial().seed() == settings.seed()) {
          try (FlowModel flow = one.load(settings)) {
            histograms
                .computeIfAbsent(row.instance, key -> new WeightHistogram())
                .add(
                    "beta " + row.beta + (row.inverse ? ", inverse" : ""),
                    task.inferred(flow).draw(QUICK_SAMPLES * 2, settings.seed()),
                    exact);
          }
        }
      }
    }
    List<LineChart> charts = new ArrayList<>();
    histograms.forEach(
        (instance, histogram) ->
            charts.add(histogram.chart(name() + "-weights-" + instance, "instance " + instance)));
    List<Result> results = Finished.results(finished);
    Set<String> judged = Set.of(InferenceTask.GAP, InferenceTask.ESS, MODES_FOUND);
    List<String> worst =
        MeanAndWorst.lines(
            "temperature",
            result -> result.setting().substring(result.setting().indexOf("beta")),
            results.stream().filter(result -> judged.contains(result.metric())).toList());
    return new Outcome(
        results,
        List.of(),
        List.of(),
        charts,
        List.of(new Listing(name() + "-worst", "Mean and worst over instances", worst)),
        notes(settings));
  }

  private static List<String> notes(Settings settings) {
    return List.of(
        "Couplings are normal numbers of variance 1 / N, those of libtorch's generator seeded with the"
            + " number of the instance, as others publish them. The flip of all spins is divided out.",
        "Exact log Z: all states enumerated. The gap is what the variational bound is below it, never"
            + " below 0 but for the sampling error. All is estimated from "
            + samples(settings)
            + " samples of the model.",
        "Modes are states that no flip of one spin makes likelier, with more than 1 % of the weight"
            + " each; a mode is found if it is among the samples. Where no state has so much weight,"
            + " there is none to find.",
        InferenceTask.INVERSE_NOTE,
        "All settings were chosen by looking at seeds 1 to 9.");
  }
}
