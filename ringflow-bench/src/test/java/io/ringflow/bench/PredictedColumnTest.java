package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class PredictedColumnTest {
  @TempDir Path folder;

  private Path rows(String name, int count) throws IOException {
    var rows = new StringBuilder("a,b\n");
    for (int row = 0; row < count; row++) {
      rows.append(row % 4).append(row % 4 == 0 ? ",yes\n" : ",no\n");
    }
    return Files.writeString(folder.resolve(name), rows);
  }

  /** A model that sees the other column knows all; one that says the same of all rows nothing. */
  @Test
  void comparesPredictionsOfTwoPrograms() throws IOException {
    Path others = Files.createDirectory(folder.resolve("others"));
    Files.writeString(others.resolve("even odds.csv"), "no,yes\n" + "0.5,0.5\n".repeat(40));
    Printed found =
        Printed.by(
            new PredictedColumn(
                    rows("train.csv", 400),
                    rows("test.csv", 40),
                    "b",
                    Duration.ofSeconds(1),
                    others,
                    List.of(3L))
                ::print);
    assertThat(found.number("the model, seed 3", 1)).isEqualTo(100);
    assertThat(found.number("the model, seed 3", 2)).isLessThan(0.1);
    assertThat(found.number("the model, seed 3", 3)).isEqualTo(1);
    assertThat(found.number("even odds", 1)).isEqualTo(75);
    assertThat(found.number("even odds", 2)).isCloseTo(Math.log(2), within(1e-4));
    assertThat(found.number("even odds", 3)).isEqualTo(0.5);
    assertThat(found.number("frequencies", 1)).isEqualTo(75);
    assertThat(found.number("frequencies", 2)).isCloseTo(0.5623, within(1e-4));
  }
}
