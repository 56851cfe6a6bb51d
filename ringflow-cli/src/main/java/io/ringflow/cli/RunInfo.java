package io.ringflow.cli;

import io.ringflow.Versions;
import io.ringflow.paper.Experiment;
import io.ringflow.store.Json;
import io.ringflow.torch.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Where a run's figures come from, as it stands in {@code run.json} beside them.
 *
 * @param title of the experiment
 * @param command that makes them again
 * @param seconds of the whole run
 * @param machine and date, in a line
 * @param ringflow its version
 * @param commit of the sources; empty where they are no git checkout
 */
record RunInfo(
    String title, String command, double seconds, String machine, String ringflow, String commit) {
  private static final String NAME = "run.json";

  static RunInfo of(Experiment experiment, Experiment.Settings settings, double seconds) {
    String command =
        String.format(
            "ringflow reproduce %s --seed %d --seeds %d --device %s%s",
            experiment.name(),
            settings.seed(),
            settings.seeds(),
            settings.device(),
            settings.quick() ? " --quick" : "");
    return new RunInfo(
        experiment.title(),
        command,
        seconds,
        Machine.describe(),
        Versions.ringflow(),
        System.getProperty("ringflow.commit", "")); // the launcher knows
  }

  static RunInfo read(Path folder) throws IOException {
    return Json.read(folder.resolve(NAME), RunInfo.class);
  }

  void write(Path folder) throws IOException {
    Json.write(folder.resolve(NAME), this);
  }

  /** One line for people. */
  String line() {
    return String.format(
        Locale.ROOT,
        "Run: %s, %.0f s; %s%s",
        command,
        seconds,
        machine,
        commit.isEmpty() ? "" : "; commit " + commit);
  }
}
