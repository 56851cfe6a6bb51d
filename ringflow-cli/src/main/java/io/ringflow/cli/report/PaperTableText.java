package io.ringflow.cli.report;

import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.PaperBelowFloor;
import io.ringflow.paper.harness.PaperTable;
import io.ringflow.paper.harness.PaperTable.Cell;
import io.ringflow.paper.harness.PaperTable.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One table of the paper as ours: under each row of the paper's figures a line for each kind of
 * network of ours, mean and worst over seeds.
 */
final class PaperTableText {
  /** Marks a figure of the paper that lies below the floor. */
  private static final String BELOW = "†";

  private static final String PAPER = "*paper*";
  private static final String FAMILY = "*best of its family*";

  private final PaperTable table;
  private final ChosenResults results;
  private final RunLetters letters = new RunLetters();
  private boolean hasWorst;
  private boolean hasFigureBelow;
  private boolean hasOwnFloors;

  PaperTableText(PaperTable table, ChosenResults results) {
    this.table = table;
    this.results = results;
  }

  /** The table, what its marks mean, and its runs, as Markdown. */
  String markdown() {
    List<List<String>> lines = new ArrayList<>();
    for (Row row : table.rows()) {
      add(row, lines);
    }
    List<TextTable.Column> columns = new ArrayList<>();
    columns.add(TextTable.Column.text(""));
    columns.add(TextTable.Column.text("network"));
    table.columns().forEach(heading -> columns.add(TextTable.Column.number(heading)));
    columns.add(TextTable.Column.number("floor"));
    columns.add(TextTable.Column.number("training (s)"));
    columns.add(TextTable.Column.text("seeds"));
    columns.add(TextTable.Column.text("run"));
    return new TextTable(columns, lines).withoutEmptyColumns().markdown()
        + "\n"
        + legend()
        + letters.legend();
  }

  private String legend() {
    List<String> sentences = new ArrayList<>();
    if (hasWorst) {
      sentences.add("Mean over seeds (the worst seed).");
    }
    if (hasOwnFloors) {
      sentences.add(
          "Where each seed has data of its own, in parentheses stands how far the worst seed is above its floor.");
    }
    if (hasFigureBelow) {
      sentences.add(
          BELOW + " lies below the floor: it can't be the likelihood of fresh data as we read it.");
    }
    return sentences.isEmpty() ? "" : String.join(" ", sentences) + "\n\n";
  }

  /**
   * Of each line of ours, what stands in which column; columns without a result hold null. Where
   * there is none at all, an empty line shows that.
   */
  private Map<String, List<ModelRuns>> lines(Row row) {
    Map<String, List<ModelRuns>> lines = new TreeMap<>();
    for (int column = 0; column < row.cells().size(); column++) {
      for (ModelRuns found : results.of(table.experiment())) {
        int at = column;
        table
            .variant(row, row.cells().get(column), found.first())
            .ifPresent(
                variant -> lines.computeIfAbsent(variant, key -> emptyLine()).set(at, found));
      }
    }
    if (lines.isEmpty() && row.cells().stream().anyMatch(Cell::takesOurs)) {
      lines.put("", emptyLine());
    }
    return lines;
  }

  private List<ModelRuns> emptyLine() {
    List<ModelRuns> line = new ArrayList<>();
    table.columns().forEach(heading -> line.add(null));
    return line;
  }

  private void add(Row row, List<List<String>> lines) {
    Map<String, List<ModelRuns>> ours = lines(row);
    List<String> paper = new ArrayList<>(List.of("**" + row.label() + "**", PAPER));
    for (int column = 0; column < row.cells().size(); column++) {
      paper.add(figure(row.cells().get(column), column, ours.values()));
    }
    paper.addAll(List.of("", "", "", ""));
    lines.add(paper);
    ours.forEach(
        (variant, cells) -> {
          lines.add(line(variant, cells));
          List<String> best = cells.stream().map(this::familyOptimum).toList();
          if (best.stream().anyMatch(text -> !text.isEmpty())) {
            List<String> line = new ArrayList<>(List.of("", FAMILY));
            line.addAll(best);
            line.addAll(List.of("", "", "", ""));
            lines.add(line);
          }
        });
  }

  /** The best that any weights could do; empty where it is unknown. */
  private String familyOptimum(ModelRuns cell) {
    if (cell == null || !cell.isLikelihood()) {
      return "";
    }
    return results
        .reference(cell.first())
        .map(Reference::familyOptimum)
        .map(cell::shown)
        .orElse("");
  }

  /** The paper's figure, marked if it lies below the floor of every line of ours that has one. */
  private String figure(Cell cell, int column, Collection<List<ModelRuns>> ours) {
    List<ModelRuns> beside =
        ours.stream()
            .map(line -> line.get(column))
            .filter(found -> found != null && found.floor().isPresent())
            .toList();
    boolean below =
        cell.number().isPresent()
            && !beside.isEmpty()
            && beside.stream()
                .allMatch(
                    found -> PaperBelowFloor.isBelow(cell.number().getAsDouble(), found.runs()));
    hasFigureBelow |= below;
    return below ? cell.figure() + BELOW : cell.figure();
  }

  private List<String> line(String variant, List<ModelRuns> cells) {
    List<ModelRuns> found = cells.stream().filter(Objects::nonNull).toList();
    List<String> sources = distinct(found, row -> letters.of(results.source(row.first())));
    List<String> line = new ArrayList<>();
    line.add("");
    line.add(variant.isEmpty() ? table.network() : variant);
    for (ModelRuns cell : cells) {
      line.add(
          cell == null
              ? TextTable.NONE
              : value(cell)
                  + (sources.size() > 1 ? " " + letters.of(results.source(cell.first())) : ""));
    }
    line.add(joined(distinct(found, row -> row.shown(row.floor())), found, this::floor));
    line.add(
        joined(distinct(found, PaperTableText::seconds), oneEach(found), PaperTableText::seconds));
    line.add(String.join("; ", distinct(found, ModelRuns::seeds)));
    line.add(String.join(", ", sources));
    return line;
  }

  /** One value where all are the same; otherwise one for each, in the order of the columns. */
  private static String joined(
      List<String> distinct, List<ModelRuns> found, Function<ModelRuns, String> part) {
    return distinct.size() < 2
        ? String.join("", distinct)
        : found.stream().map(part).collect(Collectors.joining(" / "));
  }

  private String floor(ModelRuns row) {
    return row.floor().isPresent() ? row.shown(row.floor()) : TextTable.NONE;
  }

  private static String seconds(ModelRuns row) {
    return Numbers.fixed(row.seconds(), row.seconds() < 10 ? 1 : 0);
  }

  /** Of several metrics of one model the first: it trained once. */
  private static List<ModelRuns> oneEach(List<ModelRuns> found) {
    Map<String, ModelRuns> first = new LinkedHashMap<>();
    found.forEach(row -> first.putIfAbsent(row.first().model(), row));
    return List.copyOf(first.values());
  }

  private static List<String> distinct(List<ModelRuns> found, Function<ModelRuns, String> part) {
    Stream<String> parts = found.stream().map(part).filter(text -> !text.isEmpty());
    return parts.distinct().toList();
  }

  private String value(ModelRuns cell) {
    String mean = cell.shown(cell.mean());
    if (!cell.hasSeveralSeeds() || !cell.isLikelihood()) {
      return mean;
    }
    hasWorst = true;
    if (cell.hasFloorsOfItsSeeds()) {
      hasOwnFloors = true;
      return mean + " (+" + cell.shown(cell.worstAboveFloor()) + ")";
    }
    return mean + " (" + cell.shown(cell.highest()) + ")";
  }
}
