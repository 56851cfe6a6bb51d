package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

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
    Printed found = Printed.by(new FilledCells(Duration.ofSeconds(1), 500, 100, file)::print);
    for (String name : new String[] {"the model", "Chow-Liu tree"}) {
      assertThat(found.number(name, 1)).isGreaterThan(found.number("most frequent value", 1));
      assertThat(found.number(name, 2)).isLessThan(found.number("most frequent value", 2));
    }
    assertThat(found.text()).contains("held-out rows", "0 rows have too many completions");
  }
}
