package io.ringflow.network;

import io.ringflow.core.Order;
import io.ringflow.core.WeightedRows;
import io.ringflow.spi.Counts;
import io.ringflow.spi.ParameterValues;
import java.util.ArrayList;
import java.util.List;

/** Keeps the rows it is given, and counts their n-grams in the end. */
final class NgramCounts implements Counts {
  private final List<NgramTable> tables;
  private final int[] places; // in order, of each position
  private final List<char[]> parts = new ArrayList<>();
  private long symbols;

  NgramCounts(List<NgramTable> tables, Order order) {
    this.tables = List.copyOf(tables);
    this.places = order.inverse().positions().stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public void add(WeightedRows data) {
    char[] part = new char[Math.multiplyExact(data.rows().length, places.length)];
    for (int i = 0; i < data.rows().length; i++) {
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
    for (NgramTable table : tables) {
      NgramSorter sorter =
          new NgramSorter(table.symbols(), table.order(), Math.toIntExact(symbols));
      for (char[] part : parts) {
        for (int row = 0; row < part.length; row += places.length) {
          sorter.add(part, row, row + places.length, table.direction());
        }
      }
      sorter.write(table.contexts(), table.keys(values), table.counts(values));
    }
  }
}
