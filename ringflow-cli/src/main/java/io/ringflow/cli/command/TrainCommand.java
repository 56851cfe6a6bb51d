package io.ringflow.cli.command;

import io.ringflow.cli.progress.FitProgress;
import io.ringflow.cli.report.ShellWord;
import io.ringflow.core.Device;
import io.ringflow.core.ModelFormatException;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Rendezvous;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions;
import io.ringflow.train.FitOptions.Family;
import io.ringflow.train.Trainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow train DATA...}: an exact model of somebody's own table or text. */
@Command(
    name = "train",
    description = {
      "Learn an exact model of a table or a text.",
      "The model says how likely rows or texts are, samples new ones, and compresses texts.",
      ""
    },
    customSynopsis = "ringflow train DATA... --out MODEL [OPTIONS]",
    sortOptions = false,
    footer = {
      "",
      "A tenth of a table's rows (at most 5000), or the end of a text, is held out for validation: training",
      "stops when its likelihood no longer grows, or when the time is over, and the metrics are of it.",
      "Fewer nats or bits are better: a model at 60 %% of factorised has found dependencies worth 40 %%.",
      "",
      "Which model: autoregressive has the best likelihood, and samples one symbol after the other; group",
      "samples in --passes passes, and bipartite in one: faster to sample from, but less likely.",
      "",
      "After training, the contexts of a text are counted, for compress: that takes time, and room for",
      "several times the text in the model's folder, which is said at the end. --no-counts leaves it out.",
      "",
      "While it trains there is a folder MODEL.training; ctrl-C leaves it, and the same command with",
      "--resume continues from there.",
      "",
      "Exit codes: 0 the model is there, 1 something failed, 2 the command line makes no sense.",
      "",
      "Examples:",
      "  ringflow train orders.csv --out orders.model",
      "  ringflow train orders.csv --out orders.model --missing NA --bins 64 --minutes 20",
      "  ringflow train survey.csv --out survey.model --missing NA --missing-cells sum-out",
      "  ringflow train novel.txt --out novel.model --minutes 10",
      "  ringflow train novel.txt --out novel.counts --fast",
      "  ringflow train src/ docs/*.md --out project.counts --fast",
      "  ringflow train access.log --bytes --out log.model --passes 8"
    })
final class TrainCommand extends ToolCommand {
  /** What {@link io.ringflow.model.FlowModel#save} replaces. */
  private static final int COLUMNS_SHOWN = 15;

  private static final Set<String> FAST_OPTIONS =
      Set.of("--fast", "--out", "--overwrite", "--memory", "--bytes", "--text", "--debug");

  @Parameters(
      arity = "1..*",
      paramLabel = "DATA...",
      hideParamSyntax = true,
      description =
          "What to learn: a table if its name ends in .csv, .tsv or .tab, else a text in UTF-8, or"
              + " several files and folders of texts, one after the other.")
  private List<Path> data;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "MODEL",
      description = "The folder to write the model to.")
  private Path out;

  @Mixin private OverwriteOption overwrite;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "5",
      description =
          "How long to train at most, such as 10 or 0.5 (default: ${DEFAULT-VALUE}); small data take"
              + " less.")
  private Duration minutes;

  @Option(
      names = "--model",
      paramLabel = "KIND",
      description = "autoregressive, group or bipartite; see below (default: autoregressive).")
  private String family;

  @Option(
      names = "--passes",
      paramLabel = "S",
      description =
          "How many passes of the network a sample takes: 1 is bipartite, more are group. Not with"
              + " --model.")
  private Integer passes;

  @Option(
      names = "--length",
      paramLabel = "N",
      description =
          "How many symbols of a text are modelled together, without those before; fewer in a short text"
              + " (default: 256).")
  private Integer length;

  @Option(
      names = "--fast",
      description =
          "Only count which bytes follow which: seconds instead of minutes, without libtorch. Such a"
              + " model compresses, scores and samples bytes.")
  private boolean fast;

  @Option(
      names = "--no-counts",
      description =
          "Do not count the contexts of a text after training: the model's folder stays small, and"
              + " compress is left with the network.")
  private boolean noCounts;

  @Mixin private MemoryOption memory;
  @Mixin private SeedOption seed;
  @Mixin private DeviceOption device;

  @Option(
      names = "--resume",
      description = "Continue where an earlier run with the same options was stopped.")
  private boolean resume;

  @Mixin private DataOptions dataOptions;
  @Mixin private TableFormatOptions format;

  @Override
  public Integer call() throws IOException, StoppedException {
    if (fast) {
      requireOnlyFor("--fast", FAST_OPTIONS);
      new CountTraining(FileArguments.expand(data), out, memory).run(overwrite, out(), err());
      return CommandLine.ExitCode.OK;
    }
    if (memory.used()) {
      throw usage("--memory is for --fast");
    }
    FitOptions chosen = options();
    List<Path> files = FileArguments.expand(data);
    FitOptions options = chosen.withSource(source(files));
    DataOptions.Kind kind = dataOptions.kind(files, format);
    if (kind == DataOptions.Kind.TABLE && (noCounts || length != null)) {
      throw usage((noCounts ? "--no-counts" : "--length") + " is for texts");
    }
    if (Rendezvous.of(System.getenv()).map(Rendezvous::rank).orElse(0) == 0) {
      overwrite.requireFree(out);
      FlowModel.requireSavable(out);
    }
    DataSource source =
        switch (kind) {
          case TABLE -> DataSource.table(files.get(0), format.resolve(), dataOptions.codec());
          case TEXT -> DataSource.text(files);
          case BYTES -> DataSource.bytes(files);
        };
    Device where = device.resolve();
    try (ProcessGroup group = ProcessGroup.fromEnvironment(where, new GroupLoss(err()))) {
      FitOptions all = options.withDevice(where).withGroup(group);
      if (group.isRankZero()) {
        train(source, files, all);
      } else {
        source.fit().run(all).close();
      }
      group.barrier(); // nobody has ended well before rank 0 has saved the model
    }
    return CommandLine.ExitCode.OK;
  }

  /** Refuses every option that an option has no use for. */
  private void requireOnlyFor(String option, Set<String> allowed) {
    for (OptionSpec used : spec().commandLine().getParseResult().matchedOptions()) {
      if (!allowed.contains(used.longestName())) {
        throw usage(option + " has no use for " + used.longestName());
      }
    }
  }

  private FitOptions options() {
    FitOptions options =
        FitOptions.DEFAULTS.withTime(minutes).withSeed(seed.value()).withCounts(!noCounts);
    if (length != null) {
      requireWithin("--length", length, FitOptions.MIN_LENGTH, FitOptions.MAX_LENGTH);
      options = options.withLength(length);
    }
    if (family != null && passes != null) {
      throw usage("--model and --passes exclude each other");
    }
    if (passes != null) {
      requirePositive("--passes", passes);
      return options.withPasses(passes);
    }
    if (family == null) {
      return options;
    }
    for (Family known : Family.values()) {
      if (name(known).equals(family)) {
        return options.withFamily(known);
      }
    }
    throw usage("--model must be autoregressive, group or bipartite, but is '" + family + "'");
  }

  private static String name(Family family) {
    return family.name().toLowerCase(Locale.ROOT);
  }

  /** What a model remembers of where its data came from. */
  private static String source(List<Path> files) {
    String name = files.get(0).toAbsolutePath().normalize().getFileName().toString();
    return files.size() == 1 ? name : name + " and " + (files.size() - 1) + " more";
  }

  private void train(DataSource source, List<Path> files, FitOptions options)
      throws IOException, StoppedException {
    Path folder = out.toAbsolutePath().normalize();
    Path checkpoints = folder.resolveSibling(folder.getFileName() + ".training");
    if (!resume) {
      Trainer.deleteCheckpoint(checkpoints);
    }
    PrintWriter screen = out();
    screen.println(
        (files.size() == 1 ? files.get(0) : files.size() + " files") + ": " + source.size());
    screen.flush();
    var progress = FitProgress.of(err(), minutes, source.lossUnit().apply(options));
    try (FittedModel model =
        fitted(source, options.withCheckpoints(checkpoints).withListener(progress), progress)) {
      model.save(out);
      Trainer.deleteCheckpoint(checkpoints);
      print(model, files.get(0), screen);
    } catch (IOException | RuntimeException | Error e) {
      if (progress.began() && Trainer.hasCheckpoint(checkpoints)) {
        throw StoppedException.resumable(e, spec(), "");
      }
      if (resume && !progress.began() && e instanceof ModelFormatException) {
        throw new IOException(e.getMessage() + "; without --resume, training begins anew", e);
      }
      throw e;
    }
  }

  /** Trains, and takes the progress bar away before anything is written to the screen. */
  private static FittedModel fitted(DataSource source, FitOptions options, FitProgress progress)
      throws IOException {
    try (progress) {
      return source.fit().run(options);
    }
  }

  private void print(FittedModel model, Path data, PrintWriter screen) throws IOException {
    screen.println();
    if (model instanceof TableModel table) {
      screen.print(LearnedTables.columns(table.codec(), COLUMNS_SHOWN).console());
      int more = table.codec().columns().size() - COLUMNS_SHOWN;
      if (more > 0) {
        screen.println("… and " + more + " more; " + command("inspect") + " shows all");
      }
    } else {
      TextModel text = (TextModel) model;
      screen.println(text.codec().vocabulary().size() + " symbols, in pieces of " + text.length());
    }
    model
        .metrics()
        .ifPresent(metrics -> screen.printf("%n%s", LearnedTables.metrics(metrics).console()));
    screen.println();
    model
        .flow()
        .provenance()
        .ifPresent(training -> screen.println("Trained " + ProvenanceText.of(training) + "."));
    screen.printf(
        Locale.ROOT,
        "Model: %s (%,d parameters%s)%n",
        out,
        model.flow().parameterCount(),
        countsSize());
    screen.println();
    screen.println("Try next:");
    String file = ShellWord.of(data.toString());
    if (model instanceof TableModel) {
      screen.println("  " + command("score") + " " + file + " --top 10");
      screen.println("  " + command("sample") + " -n 10");
    } else {
      screen.println("  " + command("sample") + " -n 3");
      screen.println("  " + command("compress") + " " + file);
    }
    screen.println("  " + command("inspect"));
    screen.flush();
  }

  /** What counts take of the folder, if there are some. */
  private String countsSize() throws IOException {
    Path counts = out.resolve("counts.bin");
    return Files.exists(counts)
        ? String.format(Locale.ROOT, ", and %.1f MB of counts", Files.size(counts) * 1e-6)
        : "";
  }

  private String command(String name) {
    return "ringflow " + name + " " + ShellWord.of(out.toString());
  }
}
