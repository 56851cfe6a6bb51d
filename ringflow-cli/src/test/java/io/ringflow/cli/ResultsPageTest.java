package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.testing.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of results is what the command prints of the kept runs: no figure in it is typed. */
final class ResultsPageTest {
  private static final Path DOCS = Path.of("../docs");

  @Test
  void thePageIsMadeOfTheKeptRuns() throws IOException {
    List<Object> args = new ArrayList<>();
    args.add("results");
    args.add("--summary");
    args.add(DOCS.resolve("results/summary.md.in"));
    try (Stream<Path> runs = Files.list(DOCS.resolve("results"))) {
      runs.filter(Files::isDirectory).sorted().forEach(args::add);
    }

    CommandResult result = CommandResult.of(args.toArray());

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(Files.readString(DOCS.resolve("results.md")))
        .as("docs/results.md; run docs/update results")
        .startsWith(result.out());
  }

  /** What a reviewer reads first: each claim of the paper in a numbered line, no figure typed. */
  @Test
  void theSummaryNamesItsFiguresByTheRuns() throws IOException {
    String summary = Files.readString(DOCS.resolve("results/summary.md.in"));
    assertThat(summary.lines().filter(line -> line.matches("\\d+\\. .*"))).hasSize(10);
    assertThat(summary.replaceAll("\\$\\{[^}]*}", "")).doesNotContainPattern("\\d\\.\\d\\d");
  }
}
