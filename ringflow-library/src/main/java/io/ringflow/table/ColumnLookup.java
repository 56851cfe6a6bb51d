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
   * Where a value is.
   *
   * @param symbol of the value
   * @param nats log probability of the value among those that share the symbol
   */
  record Place(int symbol, double nats) {}

  private final Map<String, Place> places = new HashMap<>();
  private final BigDecimal[] starts; // of the bins

  ColumnLookup(TableColumn column) {
    List<Bin> bins = List.of();
    if (column instanceof Categories categories) {
      for (int symbol = 0; symbol < categories.values().size(); symbol++) {
        places.put(categories.values().values().get(symbol), new Place(symbol, 0));
      }
      share(categories.rareSymbol(), categories.rare());
    } else if (column instanceof Bins numbers) {
      bins = numbers.bins();
    }
    share(column.missingSymbol(), column.missing());
    starts = bins.stream().map(Bin::from).toArray(BigDecimal[]::new);
  }

  private void share(int symbol, ValueCounts tally) {
    double total = tally.total();
    for (int i = 0; i < tally.size(); i++) {
      places.put(tally.values().get(i), new Place(symbol, Math.log(tally.counts().get(i) / total)));
    }
  }

  /** Where a cell's value is; null if training never saw it. */
  Place find(String cell) {
    Place place = places.get(cell);
    if (place != null || starts.length == 0) {
      return place;
    }
    BigDecimal number = Decimal.parse(cell);
    if (number == null) {
      return null;
    }
    int found = Arrays.binarySearch(starts, number);
    // Not found is told as minus the place to insert at, minus 1; the bin is the one before.
    return new Place(found >= 0 ? found : Math.max(0, -found - 2), 0);
  }
}
