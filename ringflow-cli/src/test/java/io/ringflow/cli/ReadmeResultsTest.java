package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The README's results are copies: each stands in a page that a command of this repository wrote.
 */
final class ReadmeResultsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern VALUE = Pattern.compile("[0-9]+[.,][0-9]{3}(?![0-9])");

  private static List<String> values() throws IOException {
    List<String> found = new ArrayList<>();
    boolean table = false;
    for (String line : Files.readAllLines(ROOT.resolve("README.md"))) {
      table = line.startsWith("| data | ours |") || (table && line.startsWith("|"));
      if (table) {
        String[] cells = line.split("\\|", -1);
        Matcher matcher = VALUE.matcher(cells[2] + " " + cells[3]); // ours, floor
        while (matcher.find()) {
          found.add(matcher.group());
        }
      }
    }
    return found;
  }

  @Test
  void everyResultStandsInAGeneratedPage() throws IOException {
    var pages = new StringBuilder();
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        pages.append(Files.readString(page)).append('\n');
      }
    }
    assertThat(values()).hasSizeGreaterThan(10);
    assertThat(values()).allSatisfy(value -> assertThat(pages.indexOf(value)).isNotNegative());
  }

  @Test
  void everyTimeStandsOnThePageOfSpeed() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    String speed = readme.substring(readme.indexOf("Speed on one H200"));
    String paragraph = speed.substring(0, speed.indexOf("\n\n"));
    List<String> times =
        Pattern.compile("[0-9]+\\.[0-9]+")
            .matcher(paragraph)
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(times).hasSize(4);
    assertThat(Files.readString(ROOT.resolve("docs/benchmarks.md"))).contains(times);
  }
}
