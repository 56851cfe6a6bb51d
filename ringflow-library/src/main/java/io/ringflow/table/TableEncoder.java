package io.ringflow.table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Finds the symbols of a table's cells. */
final class TableEncoder {
  private final TableCodec codec;

  TableEncoder(TableCodec codec) {
    this.codec = codec;
  }

  TableCodec.Encoded encode(DataTable table) {
    int[] sources = codec.sources(table);
    int[][] symbols = new int[table.size()][codec.columns().size()];
    double[] logProbs = new double[table.size()];
    double[] reserved = new double[table.size()];
    List<List<Integer>> unseen = new ArrayList<>(Collections.nCopies(table.size(), List.of()));
    List<List<Integer>> unknown = new ArrayList<>(Collections.nCopies(table.size(), List.of()));
    List<List<Integer>> missing = new ArrayList<>(Collections.nCopies(table.size(), List.of()));
    Set<String> markers = codec.missingMarkers();
    for (int d = 0; d < sources.length; d++) {
      TextColumn cells = table.column(sources[d]);
      var lookup = new ColumnLookup(codec.columns().get(d));
      var shares = new NewValueShares(codec.columns().get(d));
      var matches = new ColumnLookup.Match[cells.texts()];
      int[] standsFor = new int[cells.texts()];
      double[] added = new double[cells.texts()];
      boolean[] gap = new boolean[cells.texts()];
      for (int id = 0; id < matches.length; id++) {
        String text = cells.text(id);
        matches[id] = lookup.find(text);
        gap[id] = matches[id] == null && isSummedOut(text, markers);
        boolean isNew = matches[id] == null;
        standsFor[id] = isNew ? shares.symbol(text) : matches[id].symbol();
        added[id] = isNew ? shares.logNew() : shares.logSeen(text);
      }
      for (int row = 0; row < symbols.length; row++) {
        int id = cells.id(row);
        if (gap[id]) {
          add(missing, row, d);
          continue;
        }
        if (matches[id] == null) {
          add(unseen, row, d);
        } else {
          logProbs[row] += matches[id].logProb();
        }
        if (standsFor[id] == NewValueShares.ANY) {
          add(unknown, row, d);
        }
        symbols[row][d] = Math.max(0, standsFor[id]);
        reserved[row] += added[id];
      }
    }
    return new TableCodec.Encoded(symbols, logProbs, reserved, unseen, unknown, missing);
  }

  private boolean isSummedOut(String cell, Set<String> markers) {
    return codec.missingValues() == MissingValues.SUMMED_OUT
        && (cell.isBlank() || markers.contains(cell.strip()));
  }

  private static void add(List<List<Integer>> to, int row, int column) {
    if (to.get(row).isEmpty()) {
      to.set(row, new ArrayList<>());
    }
    to.get(row).add(column);
  }

  /** What {@link TableCodec#logProbGivenBins} says. */
  double[] logProbGivenBins(DataTable table, NewValues newValues) {
    int[] sources = codec.sources(table);
    double[] sums = new double[table.size()];
    for (int d = 0; d < sources.length; d++) {
      if (codec.columns().get(d) instanceof TableColumn.Bins bins) {
        TextColumn cells = table.column(sources[d]);
        var lookup = new ColumnLookup(bins);
        var shares = new NumberShares(bins);
        double[] added = new double[cells.texts()];
        for (int id = 0; id < added.length; id++) {
          ColumnLookup.Match match = lookup.find(cells.text(id));
          if (match != null && match.symbol() != bins.missingSymbol()) {
            added[id] = shares.logProb(Decimal.parse(cells.text(id)), match.symbol(), newValues);
          }
        }
        for (int row = 0; row < sums.length; row++) {
          sums[row] += added[cells.id(row)];
        }
      }
    }
    return sums;
  }
}
