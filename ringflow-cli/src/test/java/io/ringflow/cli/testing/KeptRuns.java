package io.ringflow.cli.testing;

import io.ringflow.cli.report.RunInfo;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Run folders as {@code reproduce} leaves them, without a run. */
public final class KeptRuns {
  private KeptRuns() {}

  /** A nats figure without standard error, 10 s of training on the CPU. */
  public static Result nats(
      String experiment, String setting, String model, double value, Double floor, long seed) {
    return new Result(
        experiment, setting, model, "nll", "nats", value, null, floor, null, seed, 10, "cpu");
  }

  /**
   * Writes a finished run.
   *
   * @param options after the experiment's name, such as {@code --full}
   * @param date such as {@code 2026-01-31}
   */
  public static Path write(Path folder, String options, String date, Result... results)
      throws IOException {
    Files.createDirectories(folder);
    ResultsFile.write(folder.resolve(ResultsFile.NAME), List.of(results));
    String experiment = results[0].experiment();
    new RunInfo(
            "Title of " + experiment,
            "ringflow reproduce " + experiment + options,
            42,
            "some CPU, 2 cores; " + date,
            "1.0",
            "abc1234")
        .write(folder);
    return folder;
  }
}
