package io.ringflow.cli.command;

import io.ringflow.cli.report.RunFolder;
import io.ringflow.cli.report.RunInfo;
import io.ringflow.core.Device;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import io.ringflow.paper.harness.StoppedRun;
import io.ringflow.paper.harness.TrialRunner;
import io.ringflow.train.TrainingListener;
import java.io.IOException;
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
      "The run folder gets results.json (every result), references.json (what to compare them with), run.json,",
      "metrics.jsonl (how training went; while it runs, metrics.jsonl.part), models/, figures/*.png and *.svg,",
      "and report.html, which needs no other file. 'ringflow results' makes a page of the results of runs.",
      "A run that was stopped leaves its finished trials (trials/) and checkpoints/ too; the same command",
      "with --resume continues from there; of all, experiments that are finished are not repeated.",
      "",
      "Seeds begin at 201 because settings were chosen on seeds 1 to 9: what stands in the results is of",
      "seeds that nothing was tuned on.",
      "",
      "Examples:",
      "  ringflow reproduce ring",
      "  ringflow reproduce ring --quick --out /tmp/ring",
      "  ringflow reproduce all --resume",
      "  ringflow reproduce all --full --data data --device cuda --resume",
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
      description =
          "The data, for an experiment that does not make its own; see the list below. With all, a"
              + " folder in which each finds its own.")
  private Path data;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "201",
      description =
          "The first seed: the same seeds and options give the same result (default:"
              + " ${DEFAULT-VALUE}, since settings were chosen on seeds 1 to 9).")
  private long seed;

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
      description =
          "Only the models whose name contains this, or ends with it where the setting stands before, as in"
              + " 'beta 0.44, 16 passes'; may be repeated; of timed experiments, ising, sk and bayes.")
  private List<String> only = List.of();

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
    if (quick && full) {
      throw usage("--full and --quick exclude each other");
    }
    requirePositive("--seeds", seeds);
    requirePositive("--jobs", jobs);
    List<Experiment> chosen = chosen();
    checkTime(chosen);
    Device where = device.resolve();
    try (ProcessGroup group = ProcessGroup.fromEnvironment(where, new GroupLoss(err()))) {
      if (group != ProcessGroup.single() && jobs != null && jobs > 1) {
        throw usage("--jobs must be 1 in a process group, which trains one model at a time");
      }
      if (isAll()) {
        reproduceAll(chosen, where, group);
      } else {
        reproduce(chosen.get(0), settings(chosen.get(0), where, group));
      }
      group.barrier(); // nobody has ended well before rank 0 has written everything
    }
    return CommandLine.ExitCode.OK;
  }

  private boolean isAll() {
    return name.equals(ExperimentListing.ALL);
  }

  /** One after the other; what an earlier run had finished is not repeated if it is resumed. */
  private void reproduceAll(List<Experiment> chosen, Device where, ProcessGroup group)
      throws IOException, StoppedException {
    var found = new ReproducedExperiments();
    if (group.isRankZero()) {
      tellLeftOut(experiments.stream().filter(experiment -> !isAvailable(experiment)).toList());
    }
    if (!resume && group.isRankZero()) {
      for (Experiment experiment : chosen) {
        // Or resuming this run would take what an earlier one left.
        RunInfo.forget(folder(experiment));
        StoppedRun.forget(folder(experiment));
      }
    }
    for (Experiment experiment : chosen) {
      Experiment.Settings settings = settings(experiment, where, group);
      if (isFinished(experiment, settings)) {
        if (group.isRankZero()) {
          err().println("ringflow: finished before: " + experiment.name() + ", " + settings.out());
          err().flush();
          found.addFinishedBefore(ResultsFile.read(settings.out().resolve(ResultsFile.NAME)));
        }
      } else {
        found.add(reproduce(experiment, settings));
      }
    }
    if (group.isRankZero()) {
      found.print(out());
    }
  }

  /** What rank 0 finds; the others may not see its folder. */
  private boolean isFinished(Experiment experiment, Experiment.Settings settings)
      throws IOException {
    ProcessGroup group = settings.group();
    boolean here = resume && group.isRankZero() && RunInfo.isFinished(experiment, settings);
    return group.allReduce(new double[] {here ? 1 : 0})[0] > 0;
  }

  private void checkTime(List<Experiment> chosen) {
    String bySteps =
        chosen.stream()
            .filter(experiment -> !experiment.timed())
            .map(Experiment::name)
            .collect(Collectors.joining(", "));
    String whole =
        chosen.stream()
            .filter(experiment -> !experiment.selectable())
            .map(Experiment::name)
            .collect(Collectors.joining(", "));
    if (!only.isEmpty() && !whole.isEmpty()) {
      throw usage("--only is for experiments whose models stand alone, not for " + whole);
    }
    if (perModel != null && chosen.stream().noneMatch(Experiment::timed)) {
      throw usage("--minutes is for training by time, not by steps as in " + bySteps);
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
    if (isAll()) {
      if (data != null && !Files.isDirectory(data)) {
        throw usage("--data must be a folder with all, but " + data + " is none");
      }
      return experiments.stream().filter(this::isAvailable).toList();
    }
    Experiment found =
        experiments.stream()
            .filter(e -> e.name().equals(name))
            .findFirst()
            .orElseThrow(() -> usage("no such experiment: " + name + "; there are: " + names));
    checkData(found);
    return List.of(found);
  }

  private void checkData(Experiment experiment) {
    boolean makesItsData = ExperimentListing.makesItsData(experiment);
    if (data == null && !makesItsData) {
      throw usage(experiment.name() + " needs --data: " + experiment.dataHelp().orElseThrow());
    }
    if (data != null && makesItsData) {
      throw usage(experiment.name() + " makes its own data; leave out --data");
    }
    if (data != null && !Files.exists(data)) {
      throw usage("--data: there is no " + data);
    }
  }

  /** Whether it can run as one of all. */
  private boolean isAvailable(Experiment experiment) {
    return ExperimentListing.makesItsData(experiment)
        || (data != null && experiment.dataIn(data).isPresent());
  }

  private void tellLeftOut(List<Experiment> leftOut) {
    if (data == null && !leftOut.isEmpty()) {
      err()
          .println(
              "ringflow: left out for want of --data: "
                  + leftOut.stream().map(Experiment::name).collect(Collectors.joining(", ")));
    } else {
      for (Experiment experiment : leftOut) {
        err()
            .printf(
                "ringflow: left out %s: %s holds no %s%n",
                experiment.name(), data, experiment.dataHelp().orElseThrow());
      }
    }
    err().flush();
  }

  private Experiment.Settings settings(Experiment experiment, Device where, ProcessGroup group) {
    return new Experiment.Settings(
        folder(experiment),
        seed,
        seeds == null ? experiment.defaultSeeds() : seeds,
        where.toString(),
        quick ? Effort.QUICK : full ? Effort.FULL : Effort.DEFAULT,
        dataFor(experiment),
        experiment.timed() ? perModel : null,
        only,
        group);
  }

  /** The data of one experiment; null where it makes its own. */
  private Path dataFor(Experiment experiment) {
    if (ExperimentListing.makesItsData(experiment)) {
      return null;
    }
    return isAll() ? experiment.dataIn(data).orElseThrow() : data;
  }

  /** Runs an experiment; returns its results, or none on processes other than rank 0. */
  private List<Result> reproduce(Experiment experiment, Experiment.Settings settings)
      throws IOException, StoppedException {
    ProcessGroup group = settings.group();
    int workers =
        jobs == null ? defaultJobs(experiment, Device.of(settings.device()), group) : jobs;
    if (!group.isRankZero()) {
      new TrialRunner(experiment, settings, workers, null)
          .run(resume, trial -> new TrainingListener() {});
      return List.of();
    }
    RunFolder folder = RunFolder.open(settings.out());
    // What makes no sense is told before anything of an earlier run is gone.
    TrialRunner runner = new TrialRunner(experiment, settings, workers, folder.unfinishedMetrics());
    runner.requireSources(resume);
    folder.startMetrics(resume);
    try {
      return new ExperimentRun(experiment, settings, workers, resume, out(), err())
          .run(folder, runner);
    } catch (IOException | RuntimeException | Error e) {
      throw StoppedException.resumable(e, spec(), "fewer --jobs may fit");
    }
  }

  private Path folder(Experiment experiment) {
    if (out != null && !isAll()) {
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
}
