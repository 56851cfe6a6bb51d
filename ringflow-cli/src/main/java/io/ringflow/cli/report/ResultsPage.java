package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.PaperBelowFloor;
import io.ringflow.paper.harness.PaperTable;
import io.ringflow.paper.harness.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One Markdown page of the results of several runs: the paper's tables with ours in them, what we
 * added, and every measurement.
 */
public final class ResultsPage {
  private final List<PaperTable> tables;
  private final List<KeptRun> runs;
  private final ChosenResults chosen;

  /**
   * A page.
   *
   * @param tables of the paper, in its order
   * @param runs in the order they were named
   */
  public ResultsPage(List<PaperTable> tables, List<KeptRun> runs) {
    this.tables = List.copyOf(tables);
    this.runs = List.copyOf(runs);
    this.chosen = new ChosenResults(runs);
  }

  /**
   * The whole page.
   *
   * @param summary a {@link SummaryTemplate} to begin with; null for none
   */
  public String markdown(Path summary) throws IOException {
    var page = new StringBuilder("# Results\n\n");
    page.append(
            "Written by `ringflow results` from the files of finished runs; what was stopped or ")
        .append("quick does not count. ")
        .append(KeptRun.RULE)
        .append('\n');
    if (summary != null) {
      page.append('\n').append(new SummaryTemplate(summary, chosen).filled().strip()).append('\n');
    }
    List<PaperTable> shown = tables.stream().filter(table -> !rows(table).isEmpty()).toList();
    if (!shown.isEmpty()) {
      page.append("\n## The paper's tables\n");
    }
    for (PaperTable table : shown) {
      page.append("\n### ").append(table.title()).append("\n\n").append(markdown(table));
    }
    additions(page);
    measurements(page);
    return page.toString();
  }

  /**
   * Only what stands for one experiment: its table in the paper's shape, or all its rows where the
   * paper has none.
   */
  public Optional<String> markdown(String experiment) {
    if (chosen.of(experiment).isEmpty()) {
      return Optional.empty();
    }
    return tables.stream()
        .filter(table -> table.experiment().equals(experiment))
        .findFirst()
        .map(this::markdown)
        .or(() -> Optional.of(rows(chosen.of(experiment))));
  }

  private String markdown(PaperTable table) {
    return new PaperTableText(table, chosen).markdown();
  }

  /** An experiment's rows that stand in the paper's table. */
  private List<ModelRuns> rows(PaperTable table) {
    return chosen.of(table.experiment()).stream().filter(row -> table.holds(row.first())).toList();
  }

  /** What the paper has no cell for: experiment by experiment, of each model its first metric. */
  private void additions(StringBuilder page) {
    Map<String, List<ModelRuns>> byExperiment = new LinkedHashMap<>();
    Map<List<String>, String> firstMetrics = new LinkedHashMap<>();
    for (ModelRuns row : chosen.rows()) {
      Result result = row.first();
      String first =
          firstMetrics.computeIfAbsent(
              List.of(result.experiment(), result.setting(), result.model()),
              key -> result.metric());
      if (result.metric().equals(first)
          && tables.stream().noneMatch(table -> table.holds(result))) {
        byExperiment.computeIfAbsent(result.experiment(), key -> new ArrayList<>()).add(row);
      }
    }
    if (!byExperiment.isEmpty()) {
      page.append("\n## Beyond the paper's tables\n");
    }
    byExperiment.forEach(
        (experiment, rows) ->
            page.append("\n### ")
                .append(chosen.source(rows.get(0).first()).info().title())
                .append("\n\n")
                .append(rows(rows)));
  }

  /** Rows of ours as they are, and the runs they come from; letters name them if several. */
  private String rows(List<ModelRuns> rows) {
    List<Result> results = rows.stream().flatMap(row -> row.runs().stream()).toList();
    List<KeptRun> sources = results.stream().map(chosen::source).distinct().toList();
    boolean several = sources.size() > 1;
    var letters = new RunLetters();
    var text = new StringBuilder();
    for (TextTable table :
        OutcomeTables.of(
            outcome(results, references(rows)),
            result -> several ? letters.of(chosen.source(result)) : "")) {
      text.append(table.markdown()).append('\n');
    }
    return text.append(several ? letters.legend() : sources.get(0).line() + "\n").toString();
  }

  private List<Reference> references(List<ModelRuns> rows) {
    return rows.stream().flatMap(row -> chosen.reference(row.first()).stream()).toList();
  }

  private static Outcome outcome(List<Result> results, List<Reference> references) {
    return new Outcome(results, references, List.of(), List.of(), List.of(), List.of());
  }

  private void measurements(StringBuilder page) {
    page.append("\n## All measurements\n\nRun by run; ± is half the range over seeds.\n");
    for (KeptRun run : runs) {
      page.append("\n### ").append(run.info().title()).append("\n\n");
      for (TextTable table : OutcomeTables.of(outcome(run.results(), run.references()))) {
        page.append(table.markdown()).append('\n');
      }
      PaperBelowFloor.sentence(run.results(), "nll")
          .ifPresent(sentence -> page.append(sentence).append("\n\n"));
      page.append(run.line()).append('\n');
    }
  }
}
