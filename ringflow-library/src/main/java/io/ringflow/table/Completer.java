package io.ringflow.table;

import io.ringflow.core.ProgressListener;
import io.ringflow.train.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Fills missing cells from the {@link RowCompletions} of a table: the likeliest, or draws. */
final class Completer {
  private final DataTable table;
  private final MissingCells cells;
  private final CompletionOptions options;
  private final List<ColumnDecoder> decoders;
  private final List<ColumnLookup> lookups;
  private final List<Map<Integer, Map<Integer, String>>> filled; // [table]: by column, by row
  private final double[][] probabilities;
  private final double[] logProbKnown;
  private final double[] effective;

  Completer(TableCodec codec, DataTable table, MissingCells cells, CompletionOptions options) {
    this.table = table;
    this.cells = cells;
    this.options = options;
    decoders = codec.columns().stream().map(ColumnDecoder::new).toList();
    lookups = codec.columns().stream().map(ColumnLookup::new).toList();
    int tables = Math.max(1, options.draws());
    filled = IntStream.range(0, tables).mapToObj(i -> newMap()).toList();
    probabilities = new double[tables][table.size()];
    logProbKnown = new double[table.size()];
    effective = new double[table.size()];
  }

  private static Map<Integer, Map<Integer, String>> newMap() {
    return new HashMap<>();
  }

  Completions complete(RowCompletions completions, ProgressListener progress) {
    completions.visit(IntStream.range(0, table.size()).toArray(), progress, this::fill);
    int missing = IntStream.range(0, cells.rows()).map(row -> cells.missing(row).size()).sum();
    return new Completions(
        filled.stream().map(this::filled).toList(),
        probabilities,
        logProbKnown,
        effective,
        missing);
  }

  private void fill(int row, RowCompletions.Found found) {
    double known = found.logKnown();
    logProbKnown[row] = known + cells.logProbGivenSymbols(row);
    effective[row] = found.effective();
    if (cells.missing(row).isEmpty()) {
      for (double[] own : probabilities) {
        own[row] = 1;
      }
      return;
    }
    Map<List<Integer>, Double> fills = fills(row, found);
    if (options.draws() == 0) {
      fillLikeliest(row, fills, known);
      return;
    }
    var random = new SplittableRandom(Batches.random(options.seed(), row).nextLong());
    double[] upTo = shares(found.logWeights());
    for (int draw = 0; draw < options.draws(); draw++) {
      int[] drawn = found.rows()[pick(upTo, random)];
      List<Integer> symbols = cells.missing(row).stream().map(d -> drawn[d]).toList();
      double nats = fills.get(symbols) - known;
      for (int i = 0; i < symbols.size(); i++) {
        int column = cells.missing(row).get(i);
        String text = decoders.get(column).decode(symbols.get(i), random);
        nats += lookups.get(column).find(text).logProb();
        put(draw, column, row, text);
      }
      probabilities[draw][row] = Math.min(1, Math.exp(nats));
    }
  }

  private void fillLikeliest(int row, Map<List<Integer>, Double> fills, double known) {
    List<Integer> columns = cells.missing(row);
    List<Integer> best = null;
    double bestNats = Double.NEGATIVE_INFINITY;
    for (Map.Entry<List<Integer>, Double> fill : fills.entrySet()) {
      double nats = fill.getValue();
      for (int i = 0; i < columns.size(); i++) {
        String text = decoders.get(columns.get(i)).likeliest(fill.getKey().get(i));
        nats += lookups.get(columns.get(i)).find(text).logProb();
      }
      if (best == null || nats > bestNats) {
        best = fill.getKey();
        bestNats = nats;
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      put(0, columns.get(i), row, decoders.get(columns.get(i)).likeliest(best.get(i)));
    }
    probabilities[0][row] = Math.min(1, Math.exp(bestNats - known));
  }

  private void put(int draw, int column, int row, String text) {
    filled.get(draw).computeIfAbsent(column, d -> new HashMap<>()).put(row, text);
  }

  /**
   * The different symbols of the missing cells, each with the log-probability of the row that has
   * them. Symbols of new values, which stay as they are, are summed out: by weight where not all of
   * them are there.
   */
  private Map<List<Integer>, Double> fills(int row, RowCompletions.Found found) {
    List<Integer> columns = cells.missing(row);
    Map<List<Integer>, List<Integer>> members = new LinkedHashMap<>();
    for (int i = 0; i < found.rows().length; i++) {
      int[] symbols = found.rows()[i];
      members
          .computeIfAbsent(columns.stream().map(d -> symbols[d]).toList(), key -> new ArrayList<>())
          .add(i);
    }
    boolean sumsOut = cells.open(row).size() > columns.size();
    Map<List<Integer>, Double> fills = new LinkedHashMap<>();
    members.forEach(
        (symbols, own) -> {
          double nats = found.logProbs()[own.get(0)]; // of a sample that may be there twice
          if (sumsOut) {
            double[] of = found.exact() ? found.logProbs() : found.logWeights();
            nats = RowCompletions.logSum(own.stream().mapToDouble(i -> of[i]).toArray());
            nats -= found.exact() ? 0 : Math.log(of.length);
          }
          fills.put(symbols, nats);
        });
    return fills;
  }

  private static double[] shares(double[] logWeights) {
    double all = RowCompletions.logSum(logWeights);
    double[] upTo = Arrays.stream(logWeights).map(log -> Math.exp(log - all)).toArray();
    for (int i = 1; i < upTo.length; i++) {
      upTo[i] += upTo[i - 1];
    }
    return upTo;
  }

  private static int pick(double[] upTo, SplittableRandom random) {
    int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
    int at = found >= 0 ? found + 1 : -found - 1;
    while (at > 0 && (at == upTo.length || upTo[at] == upTo[at - 1])) {
      at--; // behind the last that is possible
    }
    return at;
  }

  private DataTable filled(Map<Integer, Map<Integer, String>> byColumn) {
    List<TextColumn> columns = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      columns.add(table.column(i));
    }
    byColumn.forEach(
        (column, byRow) -> {
          var builder = new TextColumn.Builder();
          TextColumn old = table.column(cells.source(column));
          for (int row = 0; row < old.size(); row++) {
            String text = byRow.get(row);
            builder.add(text == null ? old.cell(row) : text);
          }
          columns.set(cells.source(column), builder.build(0));
        });
    return new DataTable(table.columns(), table.named(), columns);
  }
}
