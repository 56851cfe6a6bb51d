package io.ringflow.cli.command;

import io.ringflow.cli.progress.ProgressMonitor;
import io.ringflow.cli.report.OutcomeTables;
import io.ringflow.cli.report.Picture;
import io.ringflow.cli.report.Report;
import io.ringflow.cli.report.RunFolder;
import io.ringflow.cli.report.RunInfo;
import io.ringflow.cli.report.TextTable;
import io.ringflow.core.Device;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ringflow reproduce EXPERIMENT}: runs experiments and fills their run folders. */
@Command(
    name = "reproduce",
    description =
        "Run an experiment of the paper, compare its results with exact floors, and write a report.",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    customSynopsis = "ringflow reproduce [OPTIONS] EXPERIMENT",
    sortOptions = false,
    footer = {
      "",
      "The run folder gets results.json (every result), metrics.jsonl (how training went; while it runs,",
      "metrics.jsonl.part), models/, figures/*.png and *.svg, and report.html, which needs no other file.",
      "A run that was stopped leaves its finished trials (trials/) and checkpoints/ too; the same command",
      "with --resume continues from there.",
      "",
      "Examples:",
      "  ringflow reproduce ring",
      "  ringflow reproduce ring --quick --out /tmp/ring",
      "  ringflow reproduce all --full --resume",
      "  ringflow reproduce ring --seed 10 --seeds 5 --device cuda",
      "  ringflow reproduce text8 --data text8 --minutes 10 --device cuda --resume"
    })
final class ReproduceCommand extends ToolCommand {
  private static final String EXPERIMENTS_SECTION = "experiments";
  private static final int MAX_CPU_JOBS = 8;
  private static final int CUDA_JOBS = 4;

  private final List<Experiment> experiments;

  @Parameters(
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      hideParamSyntax = true,
      description = "Which experiment, or all of them; see the list below.")
  private String name;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The run folder, made if missing; what an earlier run left is replaced (default: runs/EXPERIMENT)."
              + " With all, each experiment has its own in it.")
  private Path out;

  @Option(
      names = "--data",
      paramLabel = "PATH",
      description = "The data, for an experiment that does not make its own; see the list below.")
  private Path data;

  @Mixin private SeedOption seed;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "How many runs, with seeds counted up from --seed (default: see the list below).")
  private Integer seeds;

  @Mixin private DeviceOption device;

  @Option(
      names = "--quick",
      description =
          "A short run, to see that everything works; its results are not the experiment's.")
  private boolean quick;

  @Option(
      names = "--full",
      description =
          "The sizes of the paper where they can be reached; takes hours, or a GPU. Not with --quick.")
  private boolean full;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description =
          "How long to train each model at most, such as 10 or 0.5; for an experiment that trains by"
              + " time (default: as the experiment says).")
  private Duration perModel;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only the models of a timed experiment whose name contains this.")
  private String only;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "How many models to train at a time (default: on the CPU one for each core, at most 8; on cuda 4;"
              + " 1 where they train by time, which they would take from each other, or in a process group).")
  private Integer jobs;

  @Option(
      names = "--resume",
      description =
          "Continue where an earlier run with the same options was stopped: what is finished is not"
              + " trained again.")
  private boolean resume;

  private ReproduceCommand(List<Experiment> experiments) {
    this.experiments = experiments;
  }

  /** Returns the command, ready to hang under {@code ringflow}. */
  static CommandLine line(List<Experiment> experiments) {
    var line = new CommandLine(new ReproduceCommand(experiments));
    var sections = new ArrayList<>(line.getHelpSectionKeys());
    sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER), EXPERIMENTS_SECTION);
    line.setHelpSectionKeys(sections);
    line.getHelpSectionMap().put(EXPERIMENTS_SECTION, help -> ExperimentListing.text(experiments));
    return line;
  }

  @Override
  public Integer call() throws IOException, StoppedException {
    List<Experiment> chosen = chosen();
    if (quick && full) {
      throw usage("--full and --quick exclude each other");
    }
    requirePositive("--seeds", seeds);
    requirePositive("--jobs", jobs);
    checkData(chosen);
    checkTime(chosen);
    Device where = device.resolve();
    if (name.equals(ExperimentListing.ALL)) {
      tellLeftOut();
    }
    try (ProcessGroup group = ProcessGroup.fromEnvironment(where, new GroupLoss(err()))) {
      if (group != ProcessGroup.single() && jobs != null && jobs > 1) {
        throw usage("--jobs must be 1 in a process group, which trains one model at a time");
      }
      for (Experiment experiment : chosen) {
        reproduce(experiment, where, group);
      }
      group.barrier(); // nobody has ended well before rank 0 has written everything
    }
    return CommandLine.ExitCode.OK;
  }

  private void checkData(List<Experiment> chosen) {
    if (data != null && name.equals(ExperimentListing.ALL)) {
      throw usage("--data goes with one experiment; all runs those that make their own data");
    }
    for (Experiment experiment : chosen) {
      if (data == null && !ExperimentListing.makesItsData(experiment)) {
        throw usage(experiment.name() + " needs --data: " + experiment.dataHelp().orElseThrow());
      }
      if (data != null && ExperimentListing.makesItsData(experiment)) {
        throw usage(experiment.name() + " makes its own data; leave out --data");
      }
    }
    if (data != null && !Files.exists(data)) {
      throw usage("--data: there is no " + data);
    }
  }

  private void checkTime(List<Experiment> chosen) {
    String bySteps =
        chosen.stream()
            .filter(experiment -> !experiment.timed())
            .map(Experiment::name)
            .collect(Collectors.joining(", "));
    if (only != null && !bySteps.isEmpty()) {
      throw usage("--only is for experiments that train by time, not for " + bySteps);
    }
    if (perModel != null && !bySteps.isEmpty()) {
      throw usage("--minutes is for training by time, not by steps as in " + bySteps);
    }
  }

  private void tellLeftOut() {
    String leftOut =
        experiments.stream()
            .filter(experiment -> !ExperimentListing.makesItsData(experiment))
            .map(Experiment::name)
            .collect(Collectors.joining(", "));
    if (!leftOut.isEmpty()) {
      err().println("ringflow: left out for want of --data: " + leftOut + "; run each by its name");
      err().flush();
    }
  }

  private List<Experiment> chosen() {
    String names =
        experiments.isEmpty()
            ? "none"
            : experiments.stream().map(Experiment::name).collect(Collectors.joining(", "))
                + ", "
                + ExperimentListing.ALL;
    if (name == null) {
      throw usage("name an experiment; there are: " + names);
    }
    List<Experiment> found =
        experiments.stream()
            .filter(
                e ->
                    name.equals(ExperimentListing.ALL)
                        ? ExperimentListing.makesItsData(e)
                        : e.name().equals(name))
            .toList();
    if (found.isEmpty()) {
      throw usage("no such experiment: " + name + "; there are: " + names);
    }
    return found;
  }

  private void reproduce(Experiment experiment, Device where, ProcessGroup group)
      throws IOException, StoppedException {
    Experiment.Settings settings =
        new Experiment.Settings(
            folder(experiment),
            seed.value(),
            seeds == null ? experiment.defaultSeeds() : seeds,
            where.toString(),
            quick ? Effort.QUICK : full ? Effort.FULL : Effort.DEFAULT,
            data,
            perModel,
            only,
            group);
    int workers = jobs == null ? defaultJobs(experiment, where, group) : jobs;
    if (!group.isRankZero()) {
      new TrialRunner(experiment, settings, workers, null)
          .run(resume, trial -> new TrainingListener() {});
      return;
    }
    RunFolder folder = RunFolder.open(settings.out());
    // What makes no sense is told before anything of an earlier run is gone.
    TrialRunner runner = new TrialRunner(experiment, settings, workers, folder.unfinishedMetrics());
    runner.requireSources(resume);
    folder.startMetrics(resume);
    try {
      reproduce(experiment, folder, settings, runner, workers);
    } catch (IOException | RuntimeException | Error e) {
      throw StoppedException.resumable(e, spec(), "fewer --jobs may fit");
    }
  }

  private Path folder(Experiment experiment) {
    if (out != null && !name.equals(ExperimentListing.ALL)) {
      return out;
    }
    return (out == null ? Path.of("runs") : out).resolve(experiment.name());
  }

  private static int defaultJobs(Experiment experiment, Device where, ProcessGroup group) {
    if (experiment.timed() || group != ProcessGroup.single()) {
      return 1;
    }
    return where == Device.CUDA
        ? CUDA_JOBS
        : Math.min(MAX_CPU_JOBS, Runtime.getRuntime().availableProcessors());
  }

  private void reproduce(
      Experiment experiment,
      RunFolder folder,
      Experiment.Settings settings,
      TrialRunner runner,
      int workers)
      throws IOException {
    PrintWriter screen = out();
    Outcome outcome;
    long started = System.nanoTime();
    try (var monitor = ProgressMonitor.of(experiment.name(), workers, err())) {
      outcome = experiment.outcome(settings, runner.run(resume, monitor));
    }
    folder.completeMetrics();
    // The results that took hours to get come first: a failure to draw must not lose them.
    folder.results(outcome.results());
    RunInfo run = RunInfo.of(experiment, settings, resume, (System.nanoTime() - started) * 1e-9);
    run.write(folder.path());
    screen.println();
    screen.println(experiment.title());
    List<TextTable> tables = OutcomeTables.of(outcome);
    for (TextTable table : tables) {
      screen.println();
      screen.print(table.console());
    }
    for (Outcome.Listing listing : outcome.listings()) {
      screen.println();
      screen.println(listing.title());
      listing.lines().forEach(screen::println);
    }
    screen.println(run.line());
    for (String note : outcome.notes()) {
      screen.println("Note: " + note);
    }
    if (settings.effort() == Effort.QUICK) {
      screen.println("Note: a quick run; these are not the experiment's results.");
    }
    screen.flush();

    List<Picture> pictures = drawn(Picture.of(outcome), folder::pictures, err());
    Path report = folder.report(Report.html(experiment, settings, outcome, tables, pictures));
    screen.println();
    screen.println("Report: " + report);
  }

  /** Draws pictures. */
  @FunctionalInterface
  interface Drawing {
    void draw(List<Picture> pictures) throws IOException;
  }

  /**
   * Returns the pictures that could be drawn: all, or none where this Java lacks the libraries for
   * it, as on many servers. Training was worth more than a picture.
   */
  static List<Picture> drawn(List<Picture> pictures, Drawing drawing, PrintWriter err)
      throws IOException {
    try {
      drawing.draw(pictures);
      return pictures;
    } catch (LinkageError e) {
      err.println("ringflow: no pictures, this Java can't draw text: " + e.getMessage());
      return List.of();
    }
  }
}
