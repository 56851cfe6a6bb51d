package io.ringflow.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.core.DataFormatException;
import io.ringflow.core.Machine;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Where a run's results come from, as it stands in {@code run.json} beside them.
 *
 * @param title of the experiment
 * @param command that makes them again
 * @param seconds of the run, or of its last part if it was resumed
 * @param machine and date, in a line
 * @param ringflow its version
 * @param commit of the sources; empty where they are no git checkout
 */
public record RunInfo(
    String title, String command, double seconds, String machine, String ringflow, String commit) {
  static final String NAME = "run.json";
  static final String RESUMED = " --resume";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Describes a run that has just ended.
   *
   * @param resumed whether the seconds are only those since the run was resumed
   */
  public static RunInfo of(
      Experiment experiment, Experiment.Settings settings, boolean resumed, double seconds) {
    String command =
        String.format(
            "ringflow %sreproduce %s --seed %d --seeds %d --device %s%s%s%s",
            settings.group().size() == 1 ? "" : "launch -n " + settings.group().size() + " -- ",
            experiment.name(),
            settings.seed(),
            settings.seeds(),
            settings.device(),
            option(settings.effort()),
            dataAndTime(settings),
            resumed ? RESUMED : "");
    return new RunInfo(
        experiment.title(),
        command,
        seconds,
        Machine.describe(),
        Machine.ringflowVersion(),
        System.getProperty("ringflow.commit", "")); // the launcher knows
  }

  /** The option that asks for an effort, after a space; nothing for the default. */
  static String option(Effort effort) {
    return effort == Effort.DEFAULT ? "" : " --" + effort.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The options that name the data and the time for a model, each after a space where the user gave
   * it. The data's folder is left out: it says something about the machine and nothing about the
   * results.
   */
  static String dataAndTime(Experiment.Settings settings) {
    var options = new StringBuilder();
    if (settings.data() != null) {
      Path name = settings.data().toAbsolutePath().normalize().getFileName();
      options.append(" --data ").append(ShellWord.of(name == null ? "/" : name.toString()));
    }
    if (settings.perModel() != null) {
      options.append(" --minutes ").append(Numbers.minutes(settings.perModel()));
    }
    settings.only().forEach(part -> options.append(" --only ").append(ShellWord.of(part)));
    return options.toString();
  }

  /** Reads what {@link #write} wrote. */
  public static RunInfo read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    try {
      return JSON.readValue(Files.readString(file), RunInfo.class);
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          file, "holds no description of a run: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Whether a folder holds a run with the same options that came to its end, by the same version.
   */
  public static boolean isFinished(Experiment experiment, Experiment.Settings settings)
      throws IOException {
    if (!KeptRun.isFinished(settings.out())) {
      return false;
    }
    RunInfo found = read(settings.out());
    RunInfo wanted = of(experiment, settings, false, 0);
    return found.command.replaceFirst(RESUMED + "$", "").equals(wanted.command)
        && found.ringflow.equals(wanted.ringflow);
  }

  /** Takes away what says that a folder's run is finished; its results stay until there are new. */
  public static void forget(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(NAME));
  }

  /** Writes {@code run.json} into a run's folder. */
  public void write(Path folder) throws IOException {
    byte[] bytes = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    WholeFile.write(folder.resolve(NAME), out -> out.write(bytes));
  }

  /** One line for people. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "Run: %s, %.0f s%s; %s%s",
        command,
        seconds,
        command.endsWith(RESUMED) ? " since it was resumed" : "",
        machine,
        commit.isEmpty() ? "" : "; commit " + commit);
  }
}
