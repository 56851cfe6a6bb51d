package io.ringflow.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several figures of one model. */
final class OutcomeTablesTest {
  private static Result result(
      String model, String metric, String unit, double value, Double paper, long seed) {
    return new Result(
        "text8", "text8", model, metric, unit, value, null, null, paper, seed, 600, "cuda");
  }

  private static List<TextTable> tables(Outcome.Reference reference, Result... results) {
    return OutcomeTables.of(
        new Outcome(
            List.of(results), List.of(reference), List.of(), List.of(), List.of(), List.of()));
  }

  private static List<String> headings(TextTable table) {
    return table.columns().stream().map(TextTable.Column::heading).toList();
  }

  @Test
  void eachMetricHasATableWithThePapersOwnFigureForIt() {
    List<TextTable> tables =
        tables(
            new Outcome.Reference("text8", "base", 2.5, 1.2, "Transformer 1.13"),
            result("base", "nll", "bpc", 1.2345, 1.38, 1),
            result("base", "sampling", "ms", 0.012345, 19.8, 1),
            result("flow", "nll", "bpc", 1.3, null, 1),
            result("flow", "sampling", "ms", 5.4321, 0.16, 1));

    assertThat(tables).hasSize(2);
    assertThat(headings(tables.get(0)))
        .containsExactly(
            "setting",
            "model",
            "NLL (bpc)",
            "factorised",
            "family optimum",
            "paper",
            "peers",
            "seconds");
    assertThat(tables.get(0).rows())
        .containsExactly(
            List.of(
                "text8", "base", "1.235", "2.500", "1.200", "1.380", "Transformer 1.13", "600.0"),
            List.of("text8", "flow", "1.300", "-", "-", "-", "-", "600.0"));
    assertThat(headings(tables.get(1)))
        .as("what bits are compared with is nothing for milliseconds")
        .containsExactly("setting", "model", "sampling (ms)", "paper", "seconds");
    assertThat(tables.get(1).rows())
        .containsExactly(
            List.of("text8", "base", "0.0123", "19.8", "600.0"),
            List.of("text8", "flow", "5.43", "0.160", "600.0"));
  }

  @Test
  void theSpreadHasTheDecimalsOfTheMean() {
    List<TextTable> tables =
        tables(
            new Outcome.Reference("text8", "none", null, null, ""),
            result("base", "sampling", "ms", 12.1, null, 1),
            result("base", "sampling", "ms", 13.21, null, 2));
    assertThat(tables.get(0).rows().get(0).get(2)).isEqualTo("12.7 ± 0.6");
  }

  @Test
  void aMetricThatIsItsUnitSaysItOnce() {
    List<TextTable> tables =
        tables(
            new Outcome.Reference("text8", "none", null, null, ""),
            result("base", "bpc", "bpc", 1.2, null, 1),
            result("base", "symbols", "", 3, null, 1));
    assertThat(headings(tables.get(0)).get(2)).isEqualTo("BPC");
    assertThat(headings(tables.get(1)).get(2)).isEqualTo("symbols");
  }
}
