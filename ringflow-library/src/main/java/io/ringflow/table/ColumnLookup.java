package io.ringflow.table;

import io.ringflow.table.TableColumn.Bin;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the symbols of one column's cells. */
final class ColumnLookup {
  /**
   * The symbol of a cell.
   *
   * @param symbol shared by one or more values
   * @param logProb the log-probability of the cell's value given the symbol, in nats; 0 for a bin
   */
  record Match(int symbol, double logProb) {}

  private final Map<String, Match> matches = new HashMap<>();
  private final BigDecimal[] starts; // of the bins

  ColumnLookup(TableColumn column) {
    List<Bin> bins = List.of();
    if (column instanceof Categories categories) {
      for (int symbol = 0; symbol < categories.values().size(); symbol++) {
        matches.put(categories.values().values().get(symbol), new Match(symbol, 0));
      }
      share(categories.rareSymbol(), categories.rare());
    } else if (column instanceof Bins numbers) {
      bins = numbers.bins();
    }
    share(column.missingSymbol(), column.missing());
    starts = bins.stream().map(Bin::minNumber).toArray(BigDecimal[]::new);
  }

  private void share(int symbol, ValueCounts values) {
    double total = values.total();
    for (int i = 0; i < values.size(); i++) {
      double logProb = Math.log(values.counts().get(i) / total);
      matches.put(values.values().get(i), new Match(symbol, logProb));
    }
  }

  /** The symbol of a cell; null if training never saw its value. */
  Match find(String cell) {
    Match match = matches.get(cell);
    if (match != null || starts.length == 0) {
      return match;
    }
    BigDecimal number = Decimal.parse(cell);
    if (number == null) {
      return null;
    }
    int found = Arrays.binarySearch(starts, number);
    // A number between two starts gives minus its insertion point, minus 1; its bin is before that.
    return new Match(found >= 0 ? found : Math.max(0, -found - 2), 0);
  }
}
