package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BenchmarkTableTest {
  @TempDir Path folder;

  private MarkedSection section(String text) throws IOException {
    Path file = folder.resolve("page.md");
    Files.writeString(file, text);
    return new MarkedSection(file, "<!-- b -->", "<!-- e -->");
  }

  @Test
  void onlyWhatIsMarkedIsReplaced() throws IOException {
    MarkedSection section = section("before\n<!-- b -->\nold\n<!-- e -->\nafter\n");
    section.replace("new\n\nlines\n");
    section.replace("new\n\nlines\n");
    assertThat(folder.resolve("page.md"))
        .hasContent("before\n<!-- b -->\nnew\n\nlines\n<!-- e -->\nafter\n");
  }

  @ParameterizedTest
  @CsvSource({
    "nothing, has no line '<!-- b -->'",
    "<!-- b -->, has no line '<!-- e -->'",
    "<!-- e --><!-- b -->, comes before",
    "<!-- b --><!-- b --><!-- e -->, twice"
  })
  void missingMarksAreNamed(String text, String message) throws IOException {
    MarkedSection section = section(text);
    assertThatThrownBy(section::check)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMissingFileIsNamed() {
    var section = new MarkedSection(folder.resolve("none.md"), "<!-- b -->", "<!-- e -->");
    assertThatThrownBy(section::check)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.md is missing");
  }

  @Test
  void timesAreHeldAgainstEachOther() {
    Map<String, String> made = Map.of("network", "made");
    String table =
        MarkdownTable.of(
            List.of(
                new Measurement("MatrixBenchmark.product", Map.of(), 20, 1),
                new Measurement("SamplingBenchmark.keptState", made, 10, Double.NaN),
                new Measurement("SamplingBenchmark.wholePass", made, 5, 2),
                new Measurement("ScoringBenchmark.score", Map.of("precision", "FLOAT32"), 3, 0),
                new Measurement("ScoringBenchmark.score", Map.of("precision", "FLOAT64"), 6, 0)));
    assertThat(table)
        .contains("| Matrix: product |  | 20.000 ± 1.000 | 1.00 | 107 GFLOP/s |")
        .contains("| Sampling: keptState | made | 10.000 | 0.50 | 2.0 x whole pass, not 64 |")
        .contains("| Sampling: wholePass | made | 5.000 ± 2.000 | 0.25 |  |")
        .contains("| Scoring: score | FLOAT64 | 6.000 ± 0.000 | 0.30 | 2.0 x float32 |");
  }
}
