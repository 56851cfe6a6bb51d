package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.ringflow.paper.oracle.PlantedTable;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class OwnTableTest {
  private static final int ROWS = 600;
  private static final int FRESH = 200;

  @Test
  void printsModelAndTruthSideBySide() throws IOException {
    var program = new OwnTable(Duration.ofMillis(500), 1, ROWS, FRESH);
    Printed printed = Printed.by(program::print);
    var planted = new PlantedTable(1);
    String entropy = String.format(Locale.ROOT, "%.3f", planted.entropy());
    assertThat(printed.row("exact entropy").get(1)).isEqualTo(entropy);
    double model = printed.number("the model, ", 1);
    double exact = printed.number("exact, the same rows", 1);
    assertThat(model).isGreaterThan(exact);
    assertThat(printed.number("exact, the same rows", 2) / 100)
        .isCloseTo(model / exact - 1, offset(2e-4));
    PlantedTable.Rows rows = planted.sample(ROWS, 2);
    double[] oddness =
        Arrays.stream(rows.rows()).mapToDouble(row -> -planted.logProb(row)).toArray();
    assertThat(printed.row("the table's 600 rows").get(3))
        .isEqualTo(String.format(Locale.ROOT, "%.4f", RankingArea.of(oddness, rows.odd())));
    assertThat(printed.number("200 fresh rows", 2)).isBetween(0.0, 1.0);
    assertThat(printed.number("one of 100, 200 fresh rows", 1)).isBetween(1.0, 20.0);
    assertThat(printed.number("one of 100, 200 fresh rows", 2)).isBetween(0.0, 1.0);
    assertThat(printed.number("one of 100, 200 fresh rows", 3))
        .isBetween(Math.max(0.5, printed.number("one of 100, 200 fresh rows", 2)), 1.0);
    assertThat(printed.number("independent columns", 1)).isGreaterThan(exact);
    assertThat(printed.row("at most 10 minutes").get(1)).isEqualTo("yes");
    assertThat(printed.number("scoring in float64", 1)).isPositive();
    assertThat(printed.text())
        .contains("fresh rows of 200 have a value that training never saw")
        .contains("not the best ranking")
        .contains("Structure 1, rows of seed 2, fresh rows of seed 3, training of seed 1; ");
  }
}
