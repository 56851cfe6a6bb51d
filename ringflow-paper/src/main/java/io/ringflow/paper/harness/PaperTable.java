package io.ringflow.paper.harness;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The shape of one table of the paper, and which of our results stand in which of its cells.
 *
 * <p>It holds the paper's own figures and the names of our models, never a figure of ours: those
 * come from the runs. A model or setting whose name continues after a comma is a variant of the
 * cell's: {@code "autoregressive flow, table networks"} stands in the cell of {@code
 * "autoregressive flow"}, on a line {@code "table networks"}.
 *
 * @param experiment whose results fill it, such as {@code fullrank}
 * @param title with the table's number in the paper
 * @param network what the models without a variant's name are made of, in words
 * @param columns headings of the paper's columns
 * @param rows of the paper, in its order
 */
public record PaperTable(
    String experiment, String title, String network, List<String> columns, List<Row> rows) {
  private static final String SEPARATOR = ", ";

  /** Checks that every row has a cell for each column. */
  public PaperTable {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
    for (Row row : rows) {
      if (row.cells().size() != columns.size()) {
        throw new IllegalArgumentException(
            "%s: row '%s' must have %d cells, but has %d"
                .formatted(title, row.label(), columns.size(), row.cells().size()));
      }
    }
  }

  /**
   * One row of the paper.
   *
   * @param label as the paper has it
   * @param setting of our results, as in {@link Result}; {@link #ANY_SETTING} where that names the
   *     data a user chose
   * @param cells one for each column
   */
  public record Row(String label, String setting, List<Cell> cells) {
    /** Whatever setting the results have. */
    public static final String ANY_SETTING = "";

    /** Copies the list. */
    public Row {
      cells = List.copyOf(cells);
    }

    /** A row that is its own setting. */
    public Row(String label, List<Cell> cells) {
      this(label, label, cells);
    }
  }

  /**
   * One cell.
   *
   * @param figure the paper's, as it prints it; {@link #NONE} where it has none
   * @param model of our results, as in {@link Result}; empty where none of ours stands here
   * @param metric of our results, as in {@link Result}
   */
  public record Cell(String figure, String model, String metric) {
    /** The figure of a cell that the paper leaves empty. */
    public static final String NONE = "-";

    /** A figure that we have nothing to put beside. */
    public static Cell paperOnly(String figure) {
      return new Cell(figure, "", "");
    }

    /** Whether a result of ours may stand here. */
    public boolean takesOurs() {
      return !model.isEmpty();
    }

    /** The paper's figure, where it is a plain number and not such as {@code "3.8 min"}. */
    public OptionalDouble number() {
      try {
        return OptionalDouble.of(Double.parseDouble(figure));
      } catch (NumberFormatException e) {
        return OptionalDouble.empty();
      }
    }
  }

  /**
   * Names the line on which a result stands in a cell.
   *
   * @return what its setting and model are called beyond the row's and the cell's, empty text for
   *     nothing; nothing if the result does not belong into the cell
   */
  public Optional<String> variant(Row row, Cell cell, Result result) {
    if (!cell.takesOurs()
        || !result.experiment().equals(experiment)
        || !result.metric().equals(cell.metric)) {
      return Optional.empty();
    }
    Optional<String> setting =
        row.setting.equals(Row.ANY_SETTING)
            ? Optional.of(result.setting())
            : beyond(row.setting, result.setting());
    Optional<String> model = beyond(cell.model, result.model());
    return setting.flatMap(
        first ->
            model.map(
                second ->
                    Stream.of(first, second)
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(SEPARATOR))));
  }

  /** What a name says after another; nothing if it does not begin with that. */
  private static Optional<String> beyond(String name, String longer) {
    if (longer.equals(name)) {
      return Optional.of("");
    }
    return longer.startsWith(name + SEPARATOR)
        ? Optional.of(longer.substring(name.length() + SEPARATOR.length()))
        : Optional.empty();
  }

  /** Whether a result stands in one of the cells. */
  public boolean holds(Result result) {
    return rows.stream()
        .anyMatch(
            row -> row.cells.stream().anyMatch(cell -> variant(row, cell, result).isPresent()));
  }
}
