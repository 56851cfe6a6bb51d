package io.ringflow.table;

import io.ringflow.table.TableColumn.Categories;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which cells of a table are missing, and the symbols of the others.
 *
 * <p>A cell is missing where it is blank or stood for a missing value somewhere in training; also
 * in columns where training had none, unless it is one of their values. A value that training never
 * saw is not missing: it counts as rare, and where nothing was rare it says nothing of the others.
 */
final class MissingCells {
  /** What a cell says. */
  private enum Kind {
    KNOWN,
    NEW,
    MISSING
  }

  private record Cell(Kind kind, int symbol, double logProb) {}

  private final TableCodec codec;
  private final int[] sources;
  private final int[][] symbols;
  private final double[] logProbs;
  private final List<List<Integer>> missing;
  private final List<List<Integer>> open;
  private final int[][] possible;

  MissingCells(TableCodec codec, DataTable table) {
    this.codec = codec;
    sources = codec.sources(table);
    symbols = new int[table.size()][sources.length];
    logProbs = new double[table.size()];
    missing = new ArrayList<>(Collections.nCopies(table.size(), List.of()));
    open = new ArrayList<>(Collections.nCopies(table.size(), List.of()));
    possible = new int[sources.length][];
    Set<String> markers = codec.missingMarkers();
    for (int d = 0; d < sources.length; d++) {
      TableColumn column = codec.columns().get(d);
      possible[d] =
          IntStream.range(0, column.cardinality())
              .filter(k -> k != column.missingSymbol())
              .toArray();
      var lookup = new ColumnLookup(column);
      TextColumn cells = table.column(sources[d]);
      Cell[] found = new Cell[cells.texts()];
      for (int id = 0; id < found.length; id++) {
        found[id] = cell(column, lookup.find(cells.text(id)), cells.text(id), markers);
      }
      for (int row = 0; row < symbols.length; row++) {
        put(row, d, found[cells.id(row)]);
      }
    }
  }

  /** Of encoded rows: unknown are values that are summed out, and new ones without a symbol. */
  MissingCells(TableCodec codec, TableCodec.Encoded rows) {
    this(
        codec,
        rows,
        Collections.nCopies(rows.size(), List.of()),
        IntStream.range(0, rows.size()).mapToObj(rows::open).toList());
  }

  private MissingCells(
      TableCodec codec,
      TableCodec.Encoded rows,
      List<List<Integer>> missing,
      List<List<Integer>> open) {
    this.codec = codec;
    this.sources = new int[0];
    this.symbols = rows.symbols();
    this.logProbs = rows.logProbGivenSymbols();
    this.missing = missing;
    this.open = open;
    this.possible = allSymbols(codec);
  }

  /**
   * Of a table one of whose columns is to be predicted: that one is unknown, and so are columns
   * that the table lacks, cells that are blank where training had no such or which are summed out,
   * and new values that no symbol stands for. Another missing value as training had it is known.
   * The predicted column's symbol is that which is there; -1 where none is, or a new value. It
   * alone is {@link #missing}, where the table has no value that could be compared.
   *
   * @throws IllegalArgumentException if the table has other columns than training
   */
  static MissingCells toPredict(TableCodec codec, DataTable table, int predicted) {
    DataTable whole = table.withColumns(codec.columns().stream().map(TableColumn::name).toList());
    TableCodec.Encoded rows = codec.encode(whole);
    int[] sources = codec.sources(whole);
    Set<String> markers = codec.missingMarkers();
    List<List<Integer>> missing = new ArrayList<>();
    List<List<Integer>> open = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      boolean isNone =
          sources[predicted] >= table.columns().size()
              || rows.missing(row).contains(predicted)
              || (rows.unseen(row).contains(predicted)
                  && isMissing(whole.cell(row, sources[predicted]), markers));
      missing.add(isNone ? List.of(predicted) : List.of());
      List<Integer> own = new ArrayList<>();
      for (int d = 0; d < sources.length; d++) {
        boolean lacks = sources[d] >= table.columns().size();
        boolean isNew = !lacks && rows.unseen(row).contains(d);
        if (d == predicted
            || lacks
            || rows.open(row).contains(d)
            || (isNew && whole.cell(row, sources[d]).isBlank())) {
          own.add(d);
        }
      }
      open.add(own);
    }
    var cells = new MissingCells(codec, rows, missing, open);
    for (int row = 0; row < rows.size(); row++) {
      if (!missing.get(row).isEmpty() || rows.unseen(row).contains(predicted)) {
        cells.symbols[row][predicted] = -1;
      }
    }
    return cells;
  }

  private static int[][] allSymbols(TableCodec codec) {
    return codec.columns().stream()
        .map(column -> IntStream.range(0, column.cardinality()).toArray())
        .toArray(int[][]::new);
  }

  private static Cell cell(
      TableColumn column, ColumnLookup.Match match, String text, Set<String> markers) {
    if (match != null && match.symbol() != column.missingSymbol()) {
      return new Cell(Kind.KNOWN, match.symbol(), match.logProb());
    }
    if (match != null || isMissing(text, markers)) {
      // A column that never had a value is filled with none.
      return column.missingSymbol() >= 0 && column.cardinality() == 1
          ? new Cell(Kind.KNOWN, 0, 0)
          : new Cell(Kind.MISSING, 0, 0);
    }
    int rare = column instanceof Categories categories ? categories.rareSymbol() : -1;
    return rare >= 0 ? new Cell(Kind.KNOWN, rare, 0) : new Cell(Kind.NEW, 0, 0);
  }

  private static boolean isMissing(String text, Set<String> markers) {
    return text.isBlank() || markers.contains(text.strip());
  }

  private void put(int row, int column, Cell cell) {
    symbols[row][column] = cell.symbol;
    logProbs[row] += cell.logProb;
    if (cell.kind == Kind.MISSING) {
      add(missing, row, column);
    }
    if (cell.kind != Kind.KNOWN && possible[column].length > 0) {
      add(open, row, column);
    }
  }

  private static void add(List<List<Integer>> to, int row, int column) {
    if (to.get(row).isEmpty()) {
      to.set(row, new ArrayList<>());
    }
    to.get(row).add(column);
  }

  int rows() {
    return symbols.length;
  }

  /** The symbols of a row, borrowed; any where they are {@link #open}. */
  int[] symbols(int row) {
    return symbols[row];
  }

  /** The log-probability of a row's known values given their symbols. */
  double logProbGivenSymbols(int row) {
    return logProbs[row];
  }

  /** The positions of a row's missing cells. */
  List<Integer> missing(int row) {
    return missing.get(row);
  }

  /** The positions of a row whose symbols are unknown: missing ones, and those of new values. */
  List<Integer> open(int row) {
    return open.get(row);
  }

  /** The symbols that stand for values of a column. */
  int[] possible(int column) {
    return possible[column];
  }

  /** The index in the table of a position. */
  int source(int column) {
    return sources[column];
  }

  /** In how many ways a row can be completed; {@link Long#MAX_VALUE} if there are more. */
  long completions(int row) {
    long count = 1;
    for (int column : open.get(row)) {
      if (count > Long.MAX_VALUE / possible[column].length) {
        return Long.MAX_VALUE;
      }
      count *= possible[column].length;
    }
    return count;
  }

  /** A row completed, by number. */
  int[] completion(int row, long number) {
    int[] all = symbols[row].clone();
    long rest = number;
    for (int column : open.get(row)) {
      all[column] = possible[column][(int) (rest % possible[column].length)];
      rest /= possible[column].length;
    }
    return all;
  }

  /** For each column the share of each symbol that a row leaves: 0 or 1. */
  double[] shares(int row, int column) {
    double[] shares = new double[codec.columns().get(column).cardinality()];
    if (open.get(row).contains(column)) {
      for (int symbol : possible[column]) {
        shares[symbol] = 1;
      }
    } else {
      shares[symbols[row][column]] = 1;
    }
    return shares;
  }
}
