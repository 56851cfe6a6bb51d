package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class FilledCellsTest {
  @TempDir Path folder;

  /** What a neighbour tells, a frequency does not. */
  @Test
  void printsFillsSideBySide() throws IOException {
    var rows = new StringBuilder("a,b,c\n");
    for (int row = 0; row < 600; row++) {
      rows.append(row % 3).append(',').append(row % 3).append(',').append(row % 2).append('\n');
    }
    Path file = Files.writeString(folder.resolve("rows.csv"), rows);
    Printed found = Printed.by(new FilledCells(Duration.ofSeconds(1), 500, 100, file, null)::print);
    for (String name : new String[] {"the model", "Chow-Liu tree"}) {
      assertThat(found.number(name, 1)).isGreaterThan(found.number("most frequent value", 1));
      assertThat(found.number(name, 2)).isLessThan(found.number("most frequent value", 2));
    }
    assertThat(found.text()).contains("held-out rows", "0 rows have too many completions");
  }

  /** Another program is given the gaps: of two values, those that are not 0 are 1. */
  @Test
  void countsWhatAnotherProgramFilled() throws IOException {
    var rows = new StringBuilder("a,b\n");
    for (int row = 0; row < 400; row++) {
      rows.append(row % 2).append(',').append(row % 2).append('\n');
    }
    Path file = Files.writeString(folder.resolve("rows.csv"), rows);
    var program = new FilledCells(Duration.ofMillis(300), 300, 100, file, folder);
    assertThat(Printed.by(program::print).text()).doesNotContain("all zeros");
    String gaps = Files.readString(folder.resolve("gaps.csv"));
    assertThat(gaps.lines().skip(1)).hasSize(100);
    assertThat(Files.readAllLines(folder.resolve("train.csv"))).hasSize(301);
    Path filled = Files.createDirectory(folder.resolve("filled")).resolve("all zeros.csv");
    Files.writeString(filled, gaps.replaceAll("(?m)^,", "0,").replaceAll("(?m),$", ",0"));
    double zeros = Printed.by(program::print).number("all zeros", 1);
    Files.writeString(filled, gaps.replaceAll("(?m)^,", "1,").replaceAll("(?m),$", ",1"));
    double ones = Printed.by(program::print).number("all zeros", 1);
    assertThat(zeros).isStrictlyBetween(0.0, 100.0);
    assertThat(zeros + ones).isCloseTo(100, within(0.02));
    Files.writeString(filled, "a,b\n0,0\n");
    assertThatIOException()
        .isThrownBy(() -> Printed.by(program::print))
        .withMessage("all zeros.csv must have 100 rows, but has 1");
  }
}
