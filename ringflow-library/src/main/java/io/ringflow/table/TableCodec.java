package io.ringflow.table;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.checks.Suggestions;
import io.ringflow.model.Codec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How the cells of a table become symbols, learned from training rows: the content of {@code
 * codec.json} in a table model's folder.
 *
 * <pre>{@code
 * DataTable table = DataTable.read(Path.of("people.csv"));
 * TableCodec codec = TableCodec.fit(table, CodecOptions.DEFAULTS);
 * int[][] rows = codec.encode(table).symbols(); // rows of codec.space()
 * DataTable people = codec.decode(rows, 1);
 * }</pre>
 *
 * <p>Each column becomes one position. {@link #fit} decides by these rules, in this order:
 *
 * <ol>
 *   <li>The options say which cells are missing. If training has any, they share a symbol of their
 *       own, and decoding writes them as training did; or they are {@linkplain
 *       MissingValues#SUMMED_OUT summed out}, and have none.
 *   <li>A column whose other cells are all numbers, more than {@code maxCategories} different ones,
 *       is cut into {@link TableColumn.Bins}: quantiles, equal numbers always in the same bin, no
 *       bin empty. With fewer, each number is a category, as it was written.
 *   <li>In a column of text, values seen in fewer than {@code minCount} rows are rare. If there are
 *       more values than {@code maxTexts}, all but the {@code maxTexts - 1} most frequent are rare
 *       too; and of more than 256 symbols a few more, so that their number is a product of two
 *       similar ones, and a model can learn the column in two parts. Rare values share one symbol,
 *       if there are two or more. Their counts are kept: decoding samples one of them, and {@link
 *       Encoded#logProbGivenSymbols} makes scores exact over all values seen.
 * </ol>
 *
 * <p>A constant column has one symbol. Immutable, and safe for use by several threads.
 *
 * @param columns in the order of the space's positions; all of the same number of training rows
 * @param summedOut for each column the cells that stood for a missing value and have no symbol;
 *     empty where missing values have symbols
 */
@JsonTypeName("table")
@JsonDeserialize(builder = TableCodecBuilder.class)
public record TableCodec(
    List<TableColumn> columns,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ValueCounts> summedOut)
    implements Codec {
  /** Checks that the columns belong together. */
  public TableCodec {
    columns = List.copyOf(columns);
    summedOut = List.copyOf(summedOut);
    DataTable.requireNames(columns.stream().map(TableColumn::name).toList());
    if (!summedOut.isEmpty() && summedOut.size() != columns.size()) {
      throw new IllegalArgumentException(
          "summedOut must be of " + columns.size() + " columns, but is of " + summedOut.size());
    }
    for (int d = 0; d < columns.size(); d++) {
      long rows = rows(columns, summedOut, d);
      if (rows != rows(columns, summedOut, 0)) {
        throw new IllegalArgumentException(
            String.format(
                "column %s counts %d rows, but column %s counts %d",
                Quotes.quoted(columns.get(d).name()),
                rows,
                Quotes.quoted(columns.get(0).name()),
                rows(columns, summedOut, 0)));
      }
    }
  }

  /** With symbols for missing values. */
  public TableCodec(List<TableColumn> columns) {
    this(columns, List.of());
  }

  private static long rows(List<TableColumn> columns, List<ValueCounts> summedOut, int column) {
    return columns.get(column).rows() + (summedOut.isEmpty() ? 0 : summedOut.get(column).total());
  }

  /**
   * Learns from training rows.
   *
   * @param table at least one row
   */
  public static TableCodec fit(DataTable table, CodecOptions options) {
    if (table.size() == 0) {
      throw new IllegalArgumentException("table must have at least 1 row, but has 0");
    }
    List<TableColumn> columns = new ArrayList<>();
    List<ValueCounts> summedOut = new ArrayList<>();
    for (int column = 0; column < table.columns().size(); column++) {
      String name = table.columns().get(column);
      columns.add(ColumnFit.fit(name, table.column(column), options));
      if (options.missingValues() == MissingValues.SUMMED_OUT) {
        summedOut.add(ColumnFit.summedOut(name, table.column(column), options));
      }
    }
    return new TableCodec(columns, summedOut);
  }

  /** What became of training's missing values. */
  public MissingValues missingValues() {
    return summedOut.isEmpty() ? MissingValues.SYMBOL : MissingValues.SUMMED_OUT;
  }

  /** The share of training rows without a value in a column, 0 to 1. */
  public double missingShare(int column) {
    double without = summedOut.isEmpty() ? 0 : summedOut.get(column).total();
    return columns.get(column).missingShare() + without / rows(columns, summedOut, column);
  }

  /** The number of training rows. */
  long trainingRows() {
    return rows(columns, summedOut, 0);
  }

  /** What stands for a missing value somewhere. */
  Set<String> missingMarkers() {
    Set<String> markers = new HashSet<>();
    columns.forEach(column -> markers.addAll(column.missing().values()));
    summedOut.forEach(cells -> markers.addAll(cells.values()));
    return markers;
  }

  /** The space of the rows of symbols: one position for each column. */
  public Space space() {
    return new Space(columns.stream().map(TableColumn::cardinality).toList());
  }

  /**
   * The position of a column, from 0.
   *
   * @throws IllegalArgumentException if there is no such column; the message suggests others
   */
  public int position(String name) {
    List<String> names = columns.stream().map(TableColumn::name).toList();
    if (!names.contains(name)) {
      throw new IllegalArgumentException(Suggestions.missing("column", name, names));
    }
    return names.indexOf(name);
  }

  /**
   * The symbols of a table's rows. Columns are matched by name, in any order; by position in a
   * table without given names. Where missing values are summed out, a cell is missing if it is
   * blank or stood for a missing value somewhere in training, and is none of its column's values.
   *
   * @throws IllegalArgumentException if the table has other columns than this codec
   */
  public Encoded encode(DataTable table) {
    return new TableEncoder(this).encode(table);
  }

  /**
   * The log-probability of each row's numbers given their bins, in nats: what is added to a score
   * for {@link NumberDetail#LAST_DIGIT}. For each column in bins, it sums to one over all numbers
   * of a bin; values that are categories, rare or missing add nothing.
   *
   * <p>From the smallest to the largest training number of a bin, a number is as likely as it is
   * {@linkplain #decode sampled}. Where new values are reserved a probability for, so is what lies
   * between bins, beyond all of training or has more decimals; otherwise it has none.
   *
   * @throws IllegalArgumentException if the table has other columns than this codec
   */
  public double[] logProbGivenBins(DataTable table, NewValues newValues) {
    return new TableEncoder(this).logProbGivenBins(table, newValues);
  }

  /** The index in the table of each of this codec's columns. */
  int[] sources(DataTable table) {
    Map<String, Integer> there = new HashMap<>();
    for (int column = 0; column < table.columns().size(); column++) {
      there.put(table.columns().get(column), column);
    }
    if (!table.named()) {
      if (there.size() != columns.size()) {
        throw new IllegalArgumentException(
            "the table must have " + columns.size() + " columns, but has " + there.size());
      }
      return IntStream.range(0, columns.size()).toArray();
    }
    List<String> missing = new ArrayList<>();
    int[] sources = new int[columns.size()];
    for (int d = 0; d < sources.length; d++) {
      Integer source = there.remove(columns.get(d).name());
      if (source == null) {
        missing.add(columns.get(d).name());
      } else {
        sources[d] = source;
      }
    }
    if (!missing.isEmpty() || !there.isEmpty()) {
      List<String> extra = table.columns().stream().filter(there::containsKey).toList();
      throw new IllegalArgumentException(
          "the table must have the columns of training, but "
              + (missing.isEmpty() ? "" : "lacks " + missing)
              + (missing.isEmpty() || extra.isEmpty() ? "" : " and ")
              + (extra.isEmpty() ? "" : "has " + extra + " too"));
    }
    return sources;
  }

  /**
   * The cells of rows of symbols. A category is written as in training. A rare or missing value is
   * sampled from those of training, by their counts. A number is sampled from those of its bin that
   * have the column's decimals: so whole numbers stay whole, and a bin of one number gives that
   * number. Those that three training rows or more have are as likely as their counts, less two,
   * say; what that leaves, all share evenly.
   *
   * @param symbols rows of {@link #space}
   * @param seed the same seed and symbols give the same cells
   */
  public DataTable decode(int[][] symbols, long seed) {
    space().check("row", symbols);
    var random = new SplittableRandom(seed);
    List<TextColumn> cells = new ArrayList<>();
    for (int d = 0; d < columns.size(); d++) {
      var decoder = new ColumnDecoder(columns.get(d));
      var builder = new TextColumn.Builder();
      for (int[] row : symbols) {
        builder.add(decoder.decode(row[d], random));
      }
      cells.add(builder.build(0));
    }
    return new DataTable(columns.stream().map(TableColumn::name).toList(), true, cells);
  }

  /**
   * The symbol of a value, such as a number's bin, to condition samples on. Other values may share
   * the symbol, so that it may be decoded to one of them.
   *
   * @param column its position, from 0
   * @param value the text of a cell
   * @throws IllegalArgumentException if training never saw the value; the message suggests others
   */
  public int symbolOf(int column, String value) {
    TableColumn of = columns.get(Objects.checkIndex(column, columns.size()));
    ColumnLookup.Match match = new ColumnLookup(of).find(value);
    if (match != null) {
      return match.symbol();
    }
    String name = "column " + Quotes.quoted(of.name());
    if (of instanceof TableColumn.Categories categories) {
      List<String> known =
          Stream.of(categories.values(), categories.rare(), categories.missing())
              .flatMap(counts -> counts.values().stream())
              .toList();
      throw new IllegalArgumentException(
          name + " never had " + Quotes.quoted(value) + "; near: " + Suggestions.of(value, known));
    }
    throw new IllegalArgumentException(
        String.format(
            "%s holds the numbers %s, but %s is none",
            name, ((TableColumn.Bins) of).range(), Quotes.quoted(value)));
  }

  /** Such as {@code 14 columns of 30162 rows}. */
  @Override
  public String toString() {
    return columns.size() + " columns of " + trainingRows() + " rows";
  }

  /** A table's rows as symbols, with what the symbols alone do not tell. */
  public static final class Encoded {
    private final int[][] symbols;
    private final double[] logProbGivenSymbols;
    private final double[] reserved;
    private final List<List<Integer>> unseen;
    private final List<List<Integer>> unknown;
    private final List<List<Integer>> missing;

    Encoded(
        int[][] symbols,
        double[] logProbGivenSymbols,
        double[] reserved,
        List<List<Integer>> unseen,
        List<List<Integer>> unknown,
        List<List<Integer>> missing) {
      this.symbols = symbols;
      this.logProbGivenSymbols = logProbGivenSymbols;
      this.reserved = reserved;
      this.unseen = unseen;
      this.unknown = unknown;
      this.missing = missing;
    }

    /**
     * Rows of the codec's space. The symbol of a value that is {@link #unseen} is that of rare
     * values, of the nearest number, or 0 where nothing stands for it or it is {@link #missing}.
     */
    public int[][] symbols() {
      return symbols;
    }

    /**
     * The log-probability of each row's values given their symbols, in nats: for each value that
     * shares its symbol, the log of its share of the symbol's training rows. Added to a model's
     * log-probability of the symbols, it gives that of the values, over all values seen in
     * training. A number stands for its bin, so it adds nothing.
     */
    public double[] logProbGivenSymbols() {
      return logProbGivenSymbols;
    }

    /**
     * What is added to each row's log-probability where new values are {@link NewValues#RESERVED}.
     */
    double[] logReserved() {
      return reserved;
    }

    /** The positions of a row's unseen values that no symbol stands for. */
    List<Integer> unknown(int row) {
      return unknown.get(row);
    }

    /**
     * The positions of a row's missing values, where those are {@linkplain MissingValues#SUMMED_OUT
     * summed out}; else they have symbols, and this is empty.
     */
    public List<Integer> missing(int row) {
      return Collections.unmodifiableList(missing.get(row));
    }

    /** The positions of a row that are summed out: missing values, and unknown ones. */
    List<Integer> open(int row) {
      if (missing.get(row).isEmpty() || unknown.get(row).isEmpty()) {
        return missing.get(row).isEmpty() ? unknown.get(row) : missing.get(row);
      }
      return Stream.concat(missing.get(row).stream(), unknown.get(row).stream()).sorted().toList();
    }

    /** The symbols of rows, -1 where one is {@link #missing}. */
    int[][] observed() {
      int[][] rows = symbols.clone();
      for (int row = 0; row < rows.length; row++) {
        if (!missing.get(row).isEmpty()) {
          int[] own = rows[row].clone();
          missing.get(row).forEach(d -> own[d] = -1);
          rows[row] = own;
        }
      }
      return rows;
    }

    /** The same with other symbols in some rows. */
    Encoded with(Map<Integer, int[]> changed) {
      int[][] all = symbols.clone();
      changed.forEach((row, own) -> all[row] = own);
      return new Encoded(all, logProbGivenSymbols, reserved, unseen, unknown, missing);
    }

    /**
     * The positions of the columns whose value in a row was never seen in training: another value,
     * none, or no number among numbers.
     */
    public List<Integer> unseen(int row) {
      return Collections.unmodifiableList(unseen.get(row));
    }

    /** The number of rows. */
    public int size() {
      return symbols.length;
    }

    /** The number of rows with an unseen value. */
    public int unseenRows() {
      return (int) unseen.stream().filter(columns -> !columns.isEmpty()).count();
    }
  }
}
