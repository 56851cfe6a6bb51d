package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.oracle.PlantedTable;
import io.ringflow.table.Condition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class QueryErrorsTest {
  @TempDir Path folder;

  @Test
  void everyQueryHoldsForSomeRowAndIsACondition() {
    var planted = new PlantedTable(1);
    int[][] rows = planted.sample(300, 1).rows();
    var source =
        new RandomQueries(planted.space(), planted.columns(), rows, new SplittableRandom(3));
    for (int i = 0; i < 200; i++) {
      RandomQueries.Query query = source.next();
      assertThat(Arrays.stream(rows)).anyMatch(query::accepts);
      assertThat(Condition.parse(query.text())).hasToString(query.text());
    }
  }

  @Test
  void printsErrorsSideBySide() throws IOException {
    Path model = folder.resolve("model");
    Printed first = Printed.by(new QueryErrors(3000, 8, Duration.ofMillis(500), model)::print);
    assertThat(model).isDirectory();
    for (String name : new String[] {"the model", "Chow-Liu tree", "independent columns"}) {
      assertThat(first.number(name, 1)).isGreaterThanOrEqualTo(1);
      assertThat(first.number(name, 4)).isGreaterThanOrEqualTo(first.number(name, 1));
    }
    assertThat(first.number("milliseconds", 1)).isPositive();
    assertThat(first.text()).contains("Structure 1, rows of seed 1, training of seed 1, ");
    Printed again = Printed.by(new QueryErrors(3000, 8, Duration.ofMillis(500), model)::print);
    assertThat(again.row("the model")).as("of the kept model").isEqualTo(first.row("the model"));
  }
}
