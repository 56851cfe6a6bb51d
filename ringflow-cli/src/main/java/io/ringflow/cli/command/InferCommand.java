package io.ringflow.cli.command;

import io.ringflow.core.DataFormatException;
import io.ringflow.core.Device;
import io.ringflow.infer.ExactAnswer;
import io.ringflow.infer.ExactInference;
import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.Inference;
import io.ringflow.infer.InferenceOptions;
import io.ringflow.infer.Variable;
import io.ringflow.infer.WeightedSamples;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import java.util.SplittableRandom;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow infer FILE}: what a Bayesian network or a random field says, given evidence. */
@Command(
    name = "infer",
    description = {
      "Infer what a Bayesian network or Markov random field says, given evidence.",
      "Prints log P(evidence) (of a random field log Z), and the probability of every state given it.",
      ""
    },
    customSynopsis = "ringflow infer FILE [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "How: a flow is trained to sample the variables that are not known, from its own samples alone;",
      "then --samples of it are drawn, and each weighs as much as the network says by how likely the",
      "flow made it (importance sampling). The evidence is never violated.",
      "",
      "What +/- means: one standard error. Where all samples agree there is none, and '< 0.0003' is what",
      "the probability is within, with 95 %% confidence. ESS/M, the effective sample size by the number of",
      "samples, is 1 where the flow is the answer; near 0 train longer (--minutes) or draw more (--samples).",
      "Lines 'not to be trusted' on the error stream say so. The lower bound is what log P is at least, in",
      "expectation.",
      "",
      "Exact answers stand beside the estimates where they are quick: where eliminating one variable",
      "after the other takes no table of more than 2^20 entries. --exact gives nothing else, up to 2^26.",
      "",
      "--out writes states sampled from the posterior, picked by weight out of the samples; --rows should",
      "be no more than these are worth, or rows repeat too often, and a line says so.",
      "",
      "Training ends before the time is over when the lower bound has not grown beyond its error for a",
      "--patience of the time. By time, each run takes other steps: estimates with the same seed differ",
      "within their errors. Ctrl-C ends it too, and gives the answer of what was learned until then; with",
      "--model, the same command with --resume continues from there.",
      "Variables of a .uai file are named x0, x1, and so on, their states 0, 1, and so on.",
      "",
      "Exit codes: 0 there is an answer, 1 something failed or the evidence is impossible, 2 the command",
      "line makes no sense.",
      "",
      "Examples:",
      "  ringflow infer asia.bif --evidence xray=yes --evidence dysp=yes",
      "  ringflow infer asia.bif --evidence xray=yes --query lung --exact",
      "  ringflow infer alarm.bif --evidence HRBP=HIGH --minutes 2 --samples 100k",
      "  ringflow infer alarm.bif --evidence HRBP=HIGH --model alarm.posterior --resume",
      "  ringflow infer grid.uai --evidence-file grid.uai.evid --out states.csv --rows 5000"
    })
final class InferCommand extends ToolCommand {
  /** So that the exact answer takes a small part of the default time. */
  private static final long QUICK_TABLE = 1 << 20;

  private static final int MIN_SAMPLES = 2;
  private static final int DEFAULT_ROWS = 1000;
  private static final List<String> NOT_WITH_EXACT =
      List.of(
          "--minutes",
          "--patience",
          "--passes",
          "--samples",
          "--out",
          "--rows",
          InferredModelOptions.MODEL,
          InferredModelOptions.RESUME);

  /** Tables of free logits learn in seconds; networks take longer. */
  private static final Duration TIME_FOR_TABLES = Duration.ofSeconds(30);

  private static final Duration TIME = Duration.ofMinutes(3);

  @Parameters(
      paramLabel = "FILE",
      description = "A Bayesian network (.bif), or a network of the UAI competitions (.uai).")
  private Path file;

  @Mixin private EvidenceOptions evidenceOptions;

  @Option(
      names = "--query",
      paramLabel = "NAME",
      description = "Show only this variable; may be repeated (default: all that are not known).")
  private List<String> queries = new ArrayList<>();

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description =
          "How long to train at most, such as 10 or 0.5 (default: 0.5 where small tables suffice, 3"
              + " where a network is needed).")
  private Duration minutes;

  @Option(
      names = "--patience",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description =
          "For which share of the time the bound may stand still before training stops (default:"
              + " ${DEFAULT-VALUE}); 0 trains until the time is over.")
  private double patience;

  @Option(
      names = "--passes",
      paramLabel = "P",
      description =
          "How many passes of the network a sample takes: fewer are faster, and less exact (default:"
              + " one for each variable that is not known, and as many as pay off where a network is the"
              + " same everywhere, such as a periodic lattice).")
  private Integer passes;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many samples to estimate from (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--exact",
      description = "Only the exact answer, by variable elimination; without training.")
  private boolean exactOnly;

  @Option(
      names = "--out",
      paramLabel = "FILE.csv",
      description = "Write sampled states of all variables to this file too.")
  private Path out;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "How many to write with --out (default: " + DEFAULT_ROWS + ").")
  private Integer rows;

  @Mixin private InferredModelOptions place;
  @Mixin private OverwriteOption overwrite;
  @Mixin private SeedOption seed;
  @Mixin private DeviceOption device;

  @Override
  public Integer call() throws IOException {
    checkOptions();
    Device where = device.resolve();
    FactorGraph read = FactorGraph.read(file);
    Map<String, String> evidence = evidenceOptions.resolve(read, this);
    List<Variable> shown = shown(read, evidence);
    GivenGraph graph = GivenGraph.of(read, evidence);
    FactorGraph unknown = graph.unknown();
    int variables = unknown.variables().size();
    if (passes != null && variables > 0 && passes > variables) {
      throw usage(
          "--passes must be at most %d, one for each variable that is not known, but is %d"
              .formatted(variables, passes));
    }
    ExactAnswer exact = exactOnly ? ExactInference.of(unknown) : exactIfQuick(unknown);
    if (exact != null && exact.logZ() == Double.NEGATIVE_INFINITY) {
      throw new IllegalStateException(
          evidence.isEmpty()
              ? file + ": every state is impossible"
              : "the evidence is impossible: its probability is 0");
    }
    if (exactOnly) {
      new InferenceText(graph, logZName(), null, exact, mostLikely(unknown))
          .print(out(), shown, null);
    } else {
      infer(graph, where, exact, shown);
    }
    return CommandLine.ExitCode.OK;
  }

  private void checkOptions() throws IOException {
    requirePositive("--passes", passes);
    requirePositive("--rows", rows);
    if (count < MIN_SAMPLES) {
      throw usage("--samples must be at least " + MIN_SAMPLES + ", but is " + count);
    }
    for (String option : NOT_WITH_EXACT) {
      if (exactOnly && spec().commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage("--exact and " + option + " exclude each other: nothing is sampled");
      }
    }
    if (!(patience >= 0 && patience < 1)) {
      throw usage("--patience must be at least 0 and below 1, but is " + patience);
    }
    if (rows != null && out == null) {
      throw usage("--rows needs --out, the file to write them to");
    }
    if (out != null) {
      if (Files.exists(out) && Files.exists(file) && Files.isSameFile(out, file)) {
        throw new DataFormatException(out, "is both the network and --out");
      }
      overwrite.requireWritable(out);
    }
    place.check(overwrite, this);
  }

  private List<Variable> shown(FactorGraph graph, Map<String, String> evidence) {
    List<Variable> variables = graph.variables();
    return queries.isEmpty()
        ? variables.stream().filter(variable -> !evidence.containsKey(variable.name())).toList()
        : queries.stream().distinct().map(name -> variables.get(graph.position(name))).toList();
  }

  private static ExactAnswer exactIfQuick(FactorGraph graph) {
    if (ExactInference.largestTable(graph) > QUICK_TABLE) {
      return null;
    }
    try {
      return ExactInference.of(graph);
    } catch (IllegalArgumentException e) {
      return null; // many tables of that size, more than memory has room for
    }
  }

  private static int[] mostLikely(FactorGraph graph) {
    return ExactInference.mostLikely(graph).row();
  }

  /** The sum of a Bayesian network's weights is a probability; that of other graphs is not. */
  private String logZName() throws IOException {
    boolean bayesian = file.toString().toLowerCase(Locale.ROOT).endsWith(".bif");
    if (!bayesian) {
      try (var words = new Scanner(file, StandardCharsets.UTF_8)) {
        bayesian = words.hasNext("BAYES");
      }
    }
    return bayesian ? "log P(evidence)" : "log Z";
  }

  private void infer(GivenGraph graph, Device where, ExactAnswer exact, List<Variable> shown)
      throws IOException {
    var seeds = new SplittableRandom(seed.value());
    WeightedSamples samples;
    if (graph.unknown().variables().isEmpty()) {
      samples = certain(graph);
      new InferenceText(graph, logZName(), null, exact, null).print(out(), shown, null);
    } else {
      var run = new InferenceRun(inference(graph.unknown(), where), place, err());
      InferenceRun.Drawn drawn = run.draw(count, seeds.nextLong());
      samples = drawn.samples();
      if (drawn.stopped()) {
        tellOfStop(drawn);
      }
      if (samples.impossibleShare() == 1) {
        throw new IllegalStateException(
            "none of %d samples is possible: either no state is, or training needs more --minutes"
                .formatted(samples.size()));
      }
      int[] mostLikely = exact == null || drawn.stopped() ? null : mostLikely(graph.unknown());
      var text = new InferenceText(graph, logZName(), samples, exact, mostLikely);
      text.print(out(), shown, ProvenanceText.of(drawn.training()));
      for (String doubt : text.doubts()) {
        err().println("ringflow: not to be trusted: " + doubt);
      }
    }
    if (out != null) {
      write(graph, samples, seeds.nextLong());
    }
    err().flush();
  }

  /** Samples of the one row that a graph without variables has. */
  private WeightedSamples certain(GivenGraph graph) {
    int[][] empty = new int[count][0];
    return new WeightedSamples(empty, graph.unknown().logWeights(empty), new double[count]);
  }

  private void tellOfStop(InferenceRun.Drawn drawn) {
    err()
        .printf(
            Locale.ROOT,
            "ringflow: stopped after %,d steps: the answer is of what was learned until then, from %,d"
                + " samples%s%n",
            drawn.training().steps(),
            drawn.samples().size(),
            place.isResumable() ? "; continue with: " + StoppedException.resuming(spec()) : "");
  }

  private Inference inference(FactorGraph graph, Device where) {
    Inference inference = Inference.of(graph).device(where).seed(seed.value()).patience(patience);
    if (passes != null) {
      inference.passes(passes);
    }
    boolean tables = inference.options().equals(InferenceOptions.FOR_TABLES);
    return inference.time(minutes != null ? minutes : tables ? TIME_FOR_TABLES : TIME);
  }

  private void write(GivenGraph graph, WeightedSamples samples, long resamplingSeed)
      throws IOException {
    int wanted = rows == null ? DEFAULT_ROWS : rows;
    double effective = samples.ess() * samples.size();
    if (wanted > effective) {
      err()
          .printf(
              Locale.ROOT,
              "not independent: %d rows of samples that are worth %.1f; --samples draws more%n",
              wanted,
              effective);
    }
    int[][] picked = samples.resampled(wanted, resamplingSeed);
    OutputOptions.writeText(out, writer -> writeRows(graph, picked, writer));
  }

  private static void writeRows(GivenGraph graph, int[][] picked, Writer writer)
      throws IOException {
    var csv = new Csv(writer, graph.all().variables().stream().map(Variable::name).toList());
    for (int[] row : picked) {
      csv.row(graph.states(row));
    }
    csv.flush();
  }
}
