package io.ringflow.cli.command;

import io.ringflow.paper.harness.Experiment;
import java.util.List;
import java.util.stream.Collectors;

/** The part of the help that says which experiments there are, and what each needs. */
final class ExperimentListing {
  /** The name that stands for all that need no data. */
  static final String ALL = "all";

  private ExperimentListing() {}

  /** Returns a line or two for each, under a heading. */
  static String text(List<Experiment> experiments) {
    int width =
        experiments.stream().mapToInt(e -> e.name().length()).reduce(ALL.length(), Math::max);
    return experiments.stream()
        .map(
            e ->
                "  %s  %s (%s by default%s)%n%s"
                    .formatted(
                        pad(e.name(), width),
                        e.title(),
                        e.defaultSeeds() == 1 ? "1 seed" : e.defaultSeeds() + " seeds",
                        e.timed() ? "; trains by time" : "",
                        e.dataHelp()
                            .map(help -> "  %s  needs --data: %s%n".formatted(pad("", width), help))
                            .orElse("")))
        .collect(
            Collectors.joining(
                "",
                "%nExperiments:%n".formatted(),
                "  %s  One after the other%s%n"
                    .formatted(
                        pad(ALL, width),
                        experiments.stream().allMatch(ExperimentListing::makesItsData)
                            ? ""
                            : ", without those that need --data")));
  }

  /** Whether it can run without {@code --data}. */
  static boolean makesItsData(Experiment experiment) {
    return experiment.dataHelp().isEmpty();
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
