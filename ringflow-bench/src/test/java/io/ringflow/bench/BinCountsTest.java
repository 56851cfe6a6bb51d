package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class BinCountsTest {
  @TempDir Path folder;

  /** A bin's number is told by the other column, but for its last digits. */
  @Test
  void printsCostsByTheNumberOfBins() throws IOException {
    var rows = new StringBuilder("side,number\n");
    for (int row = 0; row < 700; row++) {
      rows.append(row % 2 == 0 ? "low," : "high,").append(row / 2 + row % 2 * 1000).append('\n');
    }
    Path file = Files.writeString(folder.resolve("rows.csv"), rows);
    Printed found =
        Printed.by(
            new BinCounts(file, Duration.ofMillis(500), List.of(2, 8), 600, 100, List.of("side"))
                ::print);
    assertThat(found.number("2 bins", 1)).isLessThan(found.number("8 bins", 1));
    assertThat(found.number("2 bins", 2)).isBetween(6.3, 8.5); // log 700 is 6.55
    assertThat(found.number("8 bins", 2)).isBetween(6.3, 8.5);
    assertThat(found.number("8 bins", 3)).as("percent").isGreaterThan(95);
  }
}
