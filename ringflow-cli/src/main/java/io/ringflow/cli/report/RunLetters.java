package io.ringflow.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Names the runs of a table by letters, in the order they are met. */
final class RunLetters {
  private static final int LETTERS = 26;

  private final List<KeptRun> runs = new ArrayList<>();

  /** The run's letter, {@code a} for the first. */
  String of(KeptRun run) {
    int known = runs.indexOf(run);
    if (known < 0) {
      known = runs.size();
      runs.add(run);
    }
    return letter(known);
  }

  private static String letter(int index) {
    String last = String.valueOf((char) ('a' + index % LETTERS));
    return index < LETTERS ? last : letter(index / LETTERS - 1) + last;
  }

  /** A line for each run that has a letter, as a Markdown list. */
  String legend() {
    return IntStream.range(0, runs.size())
        .mapToObj(i -> "- " + letter(i) + ": " + runs.get(i).line().replaceFirst("^Run: ", ""))
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
