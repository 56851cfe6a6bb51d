package io.ringflow.cli;

import io.ringflow.paper.Experiment;
import io.ringflow.paper.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
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

/** {@code ringflow reproduce EXPERIMENT}: runs one experiment and fills its run folder. */
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
      "metrics.jsonl.part), figures/*.png and *.svg, and report.html, which needs no other file.",
      "",
      "Examples:",
      "  ringflow reproduce ring",
      "  ringflow reproduce ring --quick --out /tmp/ring",
      "  ringflow reproduce ring --seed 10 --seeds 5 --device cuda"
    })
final class ReproduceCommand implements Callable<Integer> {
  private static final String EXPERIMENTS_SECTION = "experiments";

  private final List<Experiment> experiments;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "EXPERIMENT",
      hideParamSyntax = true,
      description = "Which experiment; see the list below.")
  private String name;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "The run folder, made if missing; what an earlier run left is replaced (default: runs/EXPERIMENT).")
  private Path out;

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

  private ReproduceCommand(List<Experiment> experiments) {
    this.experiments = experiments;
  }

  /** Returns the command, ready to hang under {@code ringflow}. */
  static CommandLine line(List<Experiment> experiments) {
    var line = new CommandLine(new ReproduceCommand(experiments));
    var whole = new WholeNumber();
    line.registerConverter(long.class, whole);
    line.registerConverter(Integer.class, text -> Math.toIntExact(whole.convert(text)));
    var sections = new ArrayList<>(line.getHelpSectionKeys());
    sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER), EXPERIMENTS_SECTION);
    line.setHelpSectionKeys(sections);
    line.getHelpSectionMap().put(EXPERIMENTS_SECTION, help -> listing(experiments));
    return line;
  }

  private static String listing(List<Experiment> experiments) {
    int width = experiments.stream().mapToInt(e -> e.name().length()).max().orElse(0);
    return experiments.stream()
        .map(
            e ->
                "  %s  %s (%s by default)%n"
                    .formatted(
                        pad(e.name(), width),
                        e.title(),
                        e.defaultSeeds() == 1 ? "1 seed" : e.defaultSeeds() + " seeds"))
        .collect(Collectors.joining("", "%nExperiments:%n".formatted(), ""));
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  @Override
  public Integer call() throws IOException {
    Experiment experiment = experiment();
    int runs = seeds == null ? experiment.defaultSeeds() : seeds;
    if (runs < 1) {
      throw new ParameterException(
          spec.commandLine(), "--seeds must be at least 1, but is " + runs);
    }
    String resolved = device.resolve().toString();
    RunFolder folder = RunFolder.open(out == null ? Path.of("runs", experiment.name()) : out);
    reproduce(
        experiment, folder, new Experiment.Settings(folder.path(), seed, runs, resolved, quick));
    return CommandLine.ExitCode.OK;
  }

  private Experiment experiment() {
    String names =
        experiments.isEmpty()
            ? "none"
            : experiments.stream().map(Experiment::name).collect(Collectors.joining(", "));
    if (name == null) {
      throw new ParameterException(spec.commandLine(), "name an experiment; there are: " + names);
    }
    return experiments.stream()
        .filter(e -> e.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(), "no such experiment: " + name + "; there are: " + names));
  }

  private void reproduce(Experiment experiment, RunFolder folder, Experiment.Settings settings)
      throws IOException {
    PrintWriter screen = spec.commandLine().getOut();
    Outcome outcome;
    long started = System.nanoTime();
    Path metrics = folder.startMetrics();
    try (var monitor = ProgressMonitor.of(spec.commandLine().getErr(), metrics)) {
      outcome = experiment.run(settings, monitor);
    }
    folder.completeMetrics();
    // The figures that took hours to get come first: a failure to draw must not lose them.
    folder.results(outcome.results());
    RunInfo run = RunInfo.of(experiment, settings, (System.nanoTime() - started) * 1e-9);
    run.write(folder.path());
    screen.println();
    screen.println(experiment.title());
    List<Table> tables = Table.of(outcome);
    for (Table table : tables) {
      screen.println();
      screen.print(ConsoleTable.text(table));
    }
    screen.println(run.line());
    for (String note : outcome.notes()) {
      screen.println("Note: " + note);
    }
    if (settings.quick()) {
      screen.println("Note: a quick run; these are not the experiment's figures.");
    }
    screen.flush();

    List<Figure> figures = drawn(Figure.of(outcome), folder::figures, spec.commandLine().getErr());
    Path report =
        folder.text("report.html", Report.html(experiment, settings, outcome, tables, figures));
    screen.println();
    screen.println("Report: " + report);
  }

  /** Draws figures. */
  @FunctionalInterface
  interface Drawing {
    void draw(List<Figure> figures) throws IOException;
  }

  /**
   * Returns the figures that could be drawn: all, or none where this Java lacks the libraries for
   * it, as on many servers. Training was worth more than a picture.
   */
  static List<Figure> drawn(List<Figure> figures, Drawing drawing, PrintWriter err)
      throws IOException {
    try {
      drawing.draw(figures);
      return figures;
    } catch (LinkageError e) {
      err.println("ringflow: no figures, this Java can't draw text: " + e.getMessage());
      return List.of();
    }
  }
}
