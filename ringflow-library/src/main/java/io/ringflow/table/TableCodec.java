package io.ringflow.table;

import com.fasterxml.jackson.annotation.JsonTypeName;
import io.ringflow.core.Space;
import io.ringflow.model.Codec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How the cells of a table become symbols, learned from training rows.
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
 *   <li>A cell that is empty, or that the options call missing, is missing. If training has such,
 *       missing is a symbol of its own, and decoding writes it as training did.
 *   <li>A column whose other cells are all numbers, of more different ones than {@code
 *       maxCategories}, is cut into {@link TableColumn.Bins}: quantiles, equal numbers always in
 *       the same bin, no bin empty. With fewer, each number is a category, as it was written.
 *   <li>In a column of text, values seen in fewer than {@code minCount} rows are rare, and if there
 *       are more values than {@code maxCategories}, all but the {@code maxCategories - 1} most
 *       frequent. Two or more rare values share one symbol. They are kept with their counts:
 *       decoding draws one that was really there, and {@link EncodedTable#extraNats} makes scores
 *       exact over all values seen.
 * </ol>
 *
 * <p>A constant column has one symbol. A plain value, written as JSON as it stands; safe for use by
 * several threads.
 *
 * @param columns in the order of the space's positions; all of the same number of training rows
 */
@JsonTypeName("table")
public record TableCodec(List<TableColumn> columns) implements Codec {
  /** Checks that the columns belong together. */
  public TableCodec {
    columns = List.copyOf(columns);
    DataTable.requireNames(columns.stream().map(TableColumn::name).toList());
    for (TableColumn column : columns) {
      if (column.rows() != columns.get(0).rows()) {
        throw new IllegalArgumentException(
            String.format(
                "column %s counts %d rows, but column %s counts %d",
                CellText.shown(column.name()),
                column.rows(),
                CellText.shown(columns.get(0).name()),
                columns.get(0).rows()));
      }
    }
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
    for (int column = 0; column < table.columns().size(); column++) {
      columns.add(ColumnFit.fit(table.columns().get(column), table.column(column), options));
    }
    return new TableCodec(columns);
  }

  /** Of the rows of symbols: one position a column. */
  public Space space() {
    return new Space(columns.stream().map(TableColumn::cardinality).toList());
  }

  /**
   * The place of a column, from 0.
   *
   * @throws IllegalArgumentException if there is none of that name; it names the nearest ones
   */
  public int position(String name) {
    List<String> names = columns.stream().map(TableColumn::name).toList();
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          "there is no column " + CellText.shown(name) + "; near: " + Suggestions.of(name, names));
    }
    return names.indexOf(name);
  }

  /**
   * Symbols of a table's rows. Columns are found by their names, in any order; those of a table
   * that nobody named by their places.
   *
   * @throws IllegalArgumentException if the table has other columns than this codec
   */
  public EncodedTable encode(DataTable table) {
    int[] sources = sources(table);
    int[][] symbols = new int[table.size()][columns.size()];
    double[] extraNats = new double[table.size()];
    List<List<Integer>> unseen = new ArrayList<>(Collections.nCopies(table.size(), List.of()));
    for (int d = 0; d < sources.length; d++) {
      TextColumn cells = table.column(sources[d]);
      var lookup = new ColumnLookup(columns.get(d));
      var places = new ColumnLookup.Place[cells.texts()];
      for (int id = 0; id < places.length; id++) {
        places[id] = lookup.find(cells.text(id));
      }
      for (int row = 0; row < symbols.length; row++) {
        ColumnLookup.Place place = places[cells.id(row)];
        if (place == null) {
          if (unseen.get(row).isEmpty()) {
            unseen.set(row, new ArrayList<>());
          }
          unseen.get(row).add(d);
        } else {
          symbols[row][d] = place.symbol();
          extraNats[row] += place.nats();
        }
      }
    }
    return new EncodedTable(symbols, extraNats, unseen);
  }

  /** The table's column for each of ours. */
  private int[] sources(DataTable table) {
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
   * drawn among those of training, each as often as it was there; a number is drawn evenly among
   * those of its bin that have the column's decimals, so whole numbers stay whole and a bin of one
   * number gives that number.
   *
   * @param symbols rows of {@link #space}
   * @param seed of the drawing; the same seed and symbols give the same cells
   */
  public DataTable decode(int[][] symbols, long seed) {
    space().check("row", symbols);
    var random = new SplittableRandom(seed);
    List<TextColumn> cells = new ArrayList<>();
    for (int d = 0; d < columns.size(); d++) {
      var draw = new ColumnDecoder(columns.get(d));
      var builder = new TextColumn.Builder();
      for (int[] row : symbols) {
        builder.add(draw.draw(row[d], random));
      }
      cells.add(builder.build(0));
    }
    return new DataTable(columns.stream().map(TableColumn::name).toList(), true, cells);
  }

  /**
   * The symbol of a value, such as a number's bin, for sampling with that value given. Others may
   * share the symbol: what is decoded from it may be one of them.
   *
   * @param column its place, from 0
   * @param value as a cell holds it
   * @throws IllegalArgumentException if training never saw the value; it names the nearest ones
   */
  public int symbolOf(int column, String value) {
    TableColumn of = columns.get(Objects.checkIndex(column, columns.size()));
    ColumnLookup.Place place = new ColumnLookup(of).find(value);
    if (place != null) {
      return place.symbol();
    }
    String name = "column " + CellText.shown(of.name());
    if (of instanceof TableColumn.Categories categories) {
      List<String> known =
          Stream.of(categories.values(), categories.rare(), categories.missing())
              .flatMap(tally -> tally.values().stream())
              .toList();
      throw new IllegalArgumentException(
          name + " never had " + CellText.shown(value) + "; near: " + Suggestions.of(value, known));
    }
    throw new IllegalArgumentException(
        name
            + " holds the numbers "
            + ColumnSummary.of(of).range()
            + ", but "
            + CellText.shown(value)
            + " is none");
  }

  /** What became of a column, for people. */
  public ColumnSummary summary(int column) {
    return ColumnSummary.of(columns.get(Objects.checkIndex(column, columns.size())));
  }

  /** Such as {@code 14 columns of 30162 rows}. */
  @Override
  public String toString() {
    return columns.size() + " columns of " + columns.get(0).rows() + " rows";
  }
}
