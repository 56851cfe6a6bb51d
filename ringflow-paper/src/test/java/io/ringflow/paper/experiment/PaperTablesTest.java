package io.ringflow.paper.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Experiment;
import io.ringflow.paper.harness.Experiment.Settings;
import io.ringflow.paper.harness.PaperTable;
import io.ringflow.paper.harness.PaperTable.Cell;
import io.ringflow.paper.harness.PaperTable.Row;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.ResultsFile;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cells of the paper's tables are those of models that the experiments train. */
final class PaperTablesTest {
  private static final Path RUNS = Path.of("../docs/results");

  @TempDir Path folder;

  static List<PaperTable> tables() {
    return PaperTables.all();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void everyCellIsOfAModelThatIsTrained(PaperTable table) throws IOException {
    List<Result> trained = trained(table.experiment());
    for (Row row : table.rows()) {
      for (Cell cell : row.cells()) {
        if (cell.takesOurs()) {
          assertThat(trained)
              .as("%s, %s: %s", table.title(), row.label(), cell.model())
              .anyMatch(result -> table.variant(row, cell, as(result, cell.metric())).isPresent());
        }
      }
    }
  }

  private static Result as(Result result, String metric) {
    return new Result(
        result.experiment(),
        result.setting(),
        result.model(),
        metric,
        "nats",
        0,
        null,
        null,
        null,
        result.seed(),
        0,
        "cpu");
  }

  /** What the trials of an experiment are called, by default or in full. */
  private List<Result> trained(String name) throws IOException {
    Experiment experiment =
        Experiments.all().stream().filter(e -> e.name().equals(name)).findFirst().orElseThrow();
    List<Result> names = new ArrayList<>();
    for (Effort effort : List.of(Effort.DEFAULT, Effort.FULL)) {
      Path data = experiment.dataHelp().isPresent() ? data(name) : null;
      Settings settings = new Settings(folder, 1, 1, "cpu", effort, data, null, List.of());
      for (Trial trial : experiment.trials(settings, 1)) {
        names.add(
            new Result(
                name, trial.setting(), trial.model(), "", "", 0, null, null, null, 1, 0, "cpu"));
      }
    }
    return names;
  }

  private Path data(String name) throws IOException {
    if (name.equals("text8")) {
      return Files.writeString(folder.resolve("wiki27.txt"), "the cat sat on a mat ".repeat(500));
    }
    for (String part : List.of("train", "valid", "test")) {
      Files.writeString(folder.resolve("ptb.char." + part + ".txt"), "t h e _ c a t\n".repeat(20));
    }
    return folder;
  }

  /** What runs kept as the paper's figure is the one that the tables show. */
  @Test
  void theFiguresAreThoseOfTheExperiments() throws IOException {
    int compared = 0;
    for (Result result : kept()) {
      for (PaperTable table : PaperTables.all()) {
        for (Row row : table.rows()) {
          for (Cell cell : row.cells()) {
            if (result.paper() != null
                && cell.number().isPresent()
                && table.variant(row, cell, result).isPresent()) {
              assertThat(cell.number().getAsDouble())
                  .as("%s, %s, %s", table.title(), row.label(), cell.model())
                  .isCloseTo(result.paper(), within(1e-9));
              compared++;
            }
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(50);
  }

  private static List<Result> kept() throws IOException {
    List<Result> results = new ArrayList<>();
    try (Stream<Path> runs = Files.list(RUNS)) {
      for (Path file : runs.map(run -> run.resolve(ResultsFile.NAME)).sorted().toList()) {
        if (Files.exists(file)) {
          results.addAll(ResultsFile.read(file));
        }
      }
    }
    return results;
  }

  @Test
  void aNameThatGoesOnAfterACommaIsAVariant() {
    Cell cell = new Cell("1", "flow", "nll");
    Row row = new Row("D=1", List.of(cell));
    PaperTable table = new PaperTable("e", "Table", "network", List.of("flow"), List.of(row));
    assertThat(table.variant(row, cell, result("D=1", "flow"))).hasValue("");
    assertThat(table.variant(row, cell, result("D=1", "flow, large"))).hasValue("large");
    assertThat(table.variant(row, cell, result("D=1, J=2", "flow, large"))).hasValue("J=2, large");
    assertThat(table.variant(row, cell, result("D=1", "flows"))).isEmpty();
    assertThat(table.variant(row, cell, result("D=10", "flow"))).isEmpty();
    assertThat(table.variant(row, Cell.paperOnly("1"), result("D=1", "flow"))).isEmpty();
    assertThat(table.holds(result("D=1", "flow, large"))).isTrue();
    assertThat(table.holds(result("D=2", "flow"))).isFalse();
  }

  private static Result result(String setting, String model) {
    return new Result("e", setting, model, "nll", "nats", 0, null, null, null, 1, 0, "cpu");
  }
}
