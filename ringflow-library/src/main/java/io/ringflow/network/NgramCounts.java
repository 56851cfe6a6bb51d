package io.ringflow.network;

import io.ringflow.core.Order;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.WeightedRows;
import io.ringflow.spi.Counts;
import io.ringflow.spi.ParameterValues;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the rows it is given, and counts their n-grams in the end.
 *
 * <p>Memory: 2 bytes a symbol, and 16 more while they are sorted. Of more rows than a third of
 * Java's memory has room for, the first are counted.
 */
final class NgramCounts implements Counts {
  private static final int BYTES_A_SYMBOL = 18;

  private final List<NgramTable> tables;
  private final int[] places; // in order, of each position
  private final long maxSymbols;
  private final List<char[]> parts = new ArrayList<>();
  private long symbols;

  NgramCounts(List<NgramTable> tables, Order order) {
    this(tables, order, Runtime.getRuntime().maxMemory() / 3 / BYTES_A_SYMBOL);
  }

  NgramCounts(List<NgramTable> tables, Order order, long maxSymbols) {
    this.tables = List.copyOf(tables);
    this.places = order.inverse().positions().stream().mapToInt(Integer::intValue).toArray();
    this.maxSymbols = Math.min(maxSymbols, Integer.MAX_VALUE - 8L); // as long as arrays may be
  }

  @Override
  public void add(WeightedRows data) {
    long room = (maxSymbols - symbols) / places.length;
    int rows = (int) Math.min(room, data.rows().length);
    char[] part = new char[Math.multiplyExact(rows, places.length)];
    for (int i = 0; i < rows; i++) {
      if (data.weights()[i] != 1) {
        throw new IllegalArgumentException(
            "n-grams are counted in rows that count once, but one counts " + data.weights()[i]);
      }
      for (int position = 0; position < places.length; position++) {
        part[i * places.length + position] = (char) data.rows()[i][places[position]];
      }
    }
    parts.add(part);
    symbols += part.length;
  }

  @Override
  public void write(ParameterValues values) {
    write(values, ProgressListener.IGNORED);
  }

  @Override
  public void write(ParameterValues values, ProgressListener progress) {
    long tablesDone = 0;
    for (NgramTable table : tables) {
      long before = tablesDone++ * symbols;
      NgramSorter sorter =
          new NgramSorter(table.symbols(), table.order(), Math.toIntExact(symbols));
      for (char[] part : parts) {
        for (int row = 0; row < part.length; row += places.length) {
          sorter.add(part, row, row + places.length, table.direction());
        }
      }
      sorter.write(
          table.contexts(),
          table.keys(values),
          table.counts(values),
          (done, all) -> progress.done((before + done) / tables.size(), all));
    }
  }
}
