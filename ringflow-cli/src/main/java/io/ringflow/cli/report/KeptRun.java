package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.ReferencesFile;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A finished run, as its folder holds it.
 *
 * @param info where its results come from
 * @param results every one
 * @param references what to compare them with
 */
public record KeptRun(RunInfo info, List<Result> results, List<Reference> references) {
  static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  /** Settings were chosen on seeds up to this one. */
  private static final long LAST_CHOSEN_ON = 9;

  /** The rule of {@link #better}, in words. */
  static final String RULE =
      "Runs that differ in nothing but their seeds, which follow each other, count as one. Where two"
          + " runs have the same row, it is taken whole from one of them: first from seeds above "
          + LAST_CHOSEN_ON
          + ", on which no setting was chosen, then from the run with more seeds, then from one with --full, then"
          + " from the later date, then from the one named last.";

  public KeptRun {
    results = List.copyOf(results);
    references = List.copyOf(references);
  }

  /** Whether a folder holds a run that came to its end. */
  public static boolean isFinished(Path folder) {
    return Files.exists(folder.resolve(ResultsFile.NAME))
        && Files.exists(folder.resolve(RunInfo.NAME));
  }

  /** Reads a finished run. */
  public static KeptRun read(Path folder) throws IOException {
    return new KeptRun(
        RunInfo.read(folder),
        ResultsFile.read(folder.resolve(ResultsFile.NAME)),
        ReferencesFile.read(folder.resolve(ReferencesFile.NAME)));
  }

  /** Orders runs, the one whose rows are to be shown last; of equal ones neither is better. */
  static Comparator<KeptRun> better() {
    return Comparator.comparing(KeptRun::hasUnseenSeeds)
        .thenComparing(KeptRun::seeds)
        .thenComparing(KeptRun::isFull)
        .thenComparing(KeptRun::date);
  }

  /** A run that only shows that everything works; its results are not the experiment's. */
  public boolean isQuick() {
    return has("--quick");
  }

  private boolean isFull() {
    return has("--full");
  }

  private boolean has(String option) {
    return List.of(info.command().split(" ")).contains(option);
  }

  private boolean hasUnseenSeeds() {
    return results.stream().allMatch(result -> result.seed() > LAST_CHOSEN_ON);
  }

  private long seeds() {
    return results.stream().mapToLong(Result::seed).distinct().count();
  }

  /** The day it ended, such as {@code 2026-11-15}; empty where its description has none. */
  String date() {
    return DATE.matcher(info.machine()).results().map(MatchResult::group).findFirst().orElse("");
  }

  /** One line for a page, with the command as code. */
  String line() {
    return info.line().replace(info.command(), "`" + info.command() + "`") + ".";
  }
}
