package io.ringflow.network;

import io.ringflow.core.Order;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.WeightedRows;
import io.ringflow.spi.Counts;
import io.ringflow.spi.ParameterValues;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Keeps the rows it is given, and counts their n-grams in the end.
 *
 * <p>Memory: 2 bytes a symbol, and 16 more while they are sorted, as n-grams and then as words. Of
 * more rows than a third of Java's memory has room for, the first are counted.
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
      Tensor keys = table.keys(values);
      Tensor counts = table.counts(values);
      long words = table.wordContexts();
      if (words > 0) {
        countWords(table, keys.narrow(0, 0, words), counts.narrow(0, 0, words));
      }
      var sorter = new NgramSorter(table.symbols(), table.order(), Math.toIntExact(symbols));
      forEachRow((part, from, to) -> sorter.add(part, from, to, table.direction()));
      long others = keys.size(0) - words;
      sorter.write(
          keys.narrow(0, words, others),
          counts.narrow(0, words, others),
          (done, all) -> progress.done((before + done) / tables.size(), all));
    }
  }

  private void countWords(NgramTable table, Tensor keys, Tensor counts) {
    var sorter = new WordSorter(table.words(), table.symbols(), Math.toIntExact(symbols));
    forEachRow((part, from, to) -> sorter.add(part, from, to, table.direction()));
    sorter.write(keys, counts);
  }

  /** A row: {@code part[from … to - 1]}. */
  @FunctionalInterface
  private interface RowVisitor {
    void visit(char[] part, int from, int to);
  }

  private void forEachRow(RowVisitor visitor) {
    for (char[] part : parts) {
      for (int row = 0; row < part.length; row += places.length) {
        visitor.visit(part, row, row + places.length);
      }
    }
  }
}
