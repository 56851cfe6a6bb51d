package io.ringflow.cli.command;

import io.ringflow.cli.progress.ProgressMonitor;
import io.ringflow.cli.report.ConsoleTable;
import io.ringflow.cli.report.Figure;
import io.ringflow.cli.report.Report;
import io.ringflow.cli.report.ResultTable;
import io.ringflow.cli.report.RunFolder;
import io.ringflow.cli.report.RunInfo;
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
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringflow reproduce EXPERIMENT}: runs experiments and fills their run folders. */
@Command(
    name = "reproduce",
    description =
        "Run an experiment of the paper, hold its figures against exact floors, and write a report.",
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    customSynopsis = "ringflow reproduce [OPTIONS] EXPERIMENT",
    sortOptions = false,
    footer = {
      "",
      "The run folder gets results.json (every figure), metrics.jsonl (how training went; while it runs,",
      "metrics.jsonl.part), models/, figures/*.png and *.svg, and report.html, which needs no other file.",
      "A run that was stopped leaves its finished trials (trials/) and checkpoints/ too; the same command",
      "with --resume goes on from there.",
      "",
      "Examples:",
      "  ringflow reproduce ring",
      "  ringflow reproduce ring --quick --out /tmp/ring",
      "  ringflow reproduce all --full --resume",
      "  ringflow reproduce ring --seed 10 --seeds 5 --device cuda",
      "  ringflow reproduce text8 --data text8 --minutes 10 --device cuda --resume"
    })
public final class ReproduceCommand implements Callable<Integer> {
  private static final String EXPERIMENTS_SECTION = "experiments";
  private static final int MAX_CPU_JOBS = 8;
  private static final int CUDA_JOBS = 4;

  private final List<Experiment> experiments;

  @Spec private CommandSpec spec;

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

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the first run (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "How many runs, with seeds counted up from --seed (default: the experiment's own).")
  private Integer seeds;

  @Mixin private DeviceOption device;

  @Option(
      names = "--quick",
      description =
          "A short run, to see that everything works; its figures are not the experiment's.")
  private boolean quick;

  @Option(
      names = "--full",
      description =
          "The paper's own sizes where they can be reached; takes hours, or a GPU. Not with --quick.")
  private boolean full;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      description =
          "The most time one model may train, such as 10 or 0.5, for an experiment that trains by time"
              + " (default: the experiment's own).")
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
              + " 1 where they train by time, which they would take from each other, or in a team).")
  private Integer jobs;

  @Option(
      names = "--resume",
      description =
          "Go on where an earlier run with the same options stopped: what is finished is not trained again.")
  private boolean resume;

  private ReproduceCommand(List<Experiment> experiments) {
    this.experiments = experiments;
  }

  /** Returns the command, ready to hang under {@code ringflow}. */
  public static CommandLine line(List<Experiment> experiments) {
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
    try (ProcessGroup group =
        ProcessGroup.fromEnvironment(where, new GroupLoss(spec.commandLine().getErr()))) {
      if (group != ProcessGroup.single() && jobs != null && jobs > 1) {
        throw usage("--jobs must be 1 in a team of processes, which train one model at a time");
      }
      for (Experiment experiment : chosen) {
        reproduce(experiment, where, group);
      }
      group.barrier(); // nobody has ended well before rank 0 has written everything
    }
    return CommandLine.ExitCode.OK;
  }

  private void requirePositive(String option, Integer value) {
    if (value != null && value < 1) {
      throw usage(option + " must be at least 1, but is " + value);
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
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
      PrintWriter err = spec.commandLine().getErr();
      err.println("ringflow: left out for want of --data: " + leftOut + "; run each by its name");
      err.flush();
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
            seed,
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
      throw StoppedException.resumable(e, spec, "fewer --jobs may fit");
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
    PrintWriter screen = spec.commandLine().getOut();
    Outcome outcome;
    long started = System.nanoTime();
    try (var monitor =
        ProgressMonitor.of(experiment.name(), workers, spec.commandLine().getErr())) {
      outcome = experiment.outcome(settings, runner.run(resume, monitor));
    }
    folder.completeMetrics();
    // The figures that took hours to get come first: a failure to draw must not lose them.
    folder.results(outcome.results());
    RunInfo run = RunInfo.of(experiment, settings, resume, (System.nanoTime() - started) * 1e-9);
    run.write(folder.path());
    screen.println();
    screen.println(experiment.title());
    List<ResultTable> tables = ResultTable.of(outcome);
    for (ResultTable table : tables) {
      screen.println();
      screen.print(ConsoleTable.text(table));
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
      screen.println("Note: a quick run; these are not the experiment's figures.");
    }
    screen.flush();

    List<Figure> metrics = drawn(Figure.of(outcome), folder::metrics, spec.commandLine().getErr());
    Path report =
        folder.text("report.html", Report.html(experiment, settings, outcome, tables, metrics));
    screen.println();
    screen.println("Report: " + report);
  }

  /** Draws figures. */
  @FunctionalInterface
  public interface Drawing {
    void draw(List<Figure> metrics) throws IOException;
  }

  /**
   * Returns the figures that could be drawn: all, or none where this Java lacks the libraries for
   * it, as on many servers. Training was worth more than a picture.
   */
  public static List<Figure> drawn(List<Figure> metrics, Drawing drawing, PrintWriter err)
      throws IOException {
    try {
      drawing.draw(metrics);
      return metrics;
    } catch (LinkageError e) {
      err.println("ringflow: no figures, this Java can't draw text: " + e.getMessage());
      return List.of();
    }
  }
}
