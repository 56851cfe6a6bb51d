package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.mixing.BitCoder;
import io.ringflow.internal.mixing.DecisionCoding;
import io.ringflow.internal.mixing.FlagCoding;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/**
 * Writes or reads cells one after the other, by the model's opinion and by all that was learned
 * from cells before.
 *
 * <p>A cell is a walk down its column's {@link SymbolTree}, then down the numbers of its bin. At
 * every step the model says what it thinks, as long as there are symbols; {@link NumberForecast}
 * says what follows from other numbers; and counts say what happened there before, in the same
 * context of neighbouring cells. {@link DecisionCoding} makes one probability of all.
 *
 * <p>For one thread, and one run of rows from its first to its last.
 */
final class CellCoding {
  private static final int MIN_TABLE_BITS = 12;
  private static final int MAX_TABLE_BITS = 20;
  private static final int ENTRIES_A_CELL_BITS = 4;
  private static final int MAX_COUNTED_DEPTH = 24;
  private static final int FLAGS = 128; // contexts of each column
  private static final int ESCAPE_FLAGS = 0;
  private static final int QUOTE_FLAGS = 4;
  private static final int DECIMAL_FLAGS = 16;
  private static final int DECIMAL_NUMBER = 32;
  private static final int DECIMAL_BITS = 5;
  private static final int EVEN = 1 << 15;

  private final List<CellColumn> columns;
  private final int[][] related; // earlier columns of each, the closest first
  private final int[][] numbers; // those of them that are numeric
  private final NumberForecast[] forecasts; // null where there is none
  private final BitCoder coder;
  private final DecisionCoding decisions;
  private final FlagCoding flags;
  private final int[] opinions = new int[DecisionCoding.OPINIONS];
  private final int[] hashes = new int[DecisionCoding.CONTEXTS];
  private final long[] contexts = new long[DecisionCoding.CONTEXTS];
  private final int[] lastFlags;
  private final long[] lastKeys;

  /**
   * Begins with nothing learned.
   *
   * @param rows how many will come
   */
  CellCoding(List<CellColumn> columns, int[][] related, BitCoder coder, int rows) {
    long cells = Math.max(1, (long) rows * columns.size());
    int wanted = Long.SIZE - Long.numberOfLeadingZeros(cells) + ENTRIES_A_CELL_BITS;
    decisions = new DecisionCoding(Math.max(MIN_TABLE_BITS, Math.min(MAX_TABLE_BITS, wanted)));
    this.columns = columns;
    this.related = related;
    this.coder = coder;
    int count = columns.size();
    flags = new FlagCoding(count * FLAGS);
    lastFlags = new int[count];
    lastKeys = new long[count];
    forecasts = new NumberForecast[count];
    numbers = new int[count][];
    for (int c = 0; c < count; c++) {
      numbers[c] = Arrays.stream(related[c]).filter(r -> columns.get(r).isNumeric()).toArray();
      forecasts[c] =
          columns.get(c).isNumeric() ? new NumberForecast(columns.get(c), numbers[c].length) : null;
    }
  }

  /** Says what the model thinks of a node of a column's tree. */
  @FunctionalInterface
  interface ModelOpinion {
    /** The log-odds of the right side, in units of {@link DecisionCoding#UNIT}. */
    int logOdds(int node);
  }

  /**
   * Writes the cell of a block, or reads it into the block, and learns from it.
   *
   * <p>Long on purpose, as {@link DecisionCoding#code} is.
   */
  void code(TableBlock block, int column, int row, ModelOpinion model) {
    CellColumn cells = columns.get(column);
    int flagsFrom = column * FLAGS;
    int wanted = block.ranks()[column][row];
    int escaped =
        flags.code(coder, wanted < 0 ? 1 : 0, flagsFrom + ESCAPE_FLAGS + (lastFlags[column] & 1));
    int rank = -1;
    if (escaped == 0) {
      begin(block, column, row);
      rank = rank(block, column, row, model);
      if (cells.isNumber(rank)) {
        number(block, column, row, rank);
      } else if (cells.shared(rank) != null) {
        shared(block, column, row, cells.shared(rank), rank);
      } else if (!cells.hasText(rank)) {
        throw new UncheckedIOException(
            CompressedFormatException.damaged("a number stands where none can"));
      }
    }
    block.ranks()[column][row] = rank;
    int kind =
        escaped == 1 ? 0 : rank < cells.numericRanks() ? 1 : rank == cells.ranks() - 1 ? 3 : 2;
    int quoted =
        flags.code(
            coder,
            block.quoted()[column][row],
            flagsFrom + QUOTE_FLAGS + kind * 2 + ((lastFlags[column] >> 1) & 1));
    block.quoted()[column][row] = (byte) quoted;
    lastFlags[column] = escaped | (quoted << 1);
    lastKeys[column] = block.key(column, row);
    NumberForecast forecast = forecasts[column];
    if (forecast == null) {
      return;
    }
    if (rank >= 0 && rank < cells.numericRanks()) {
      long number = cells.isNumber(rank) ? block.values()[column][row] : cells.bound(rank);
      forecast.learn(number);
      block.features()[column][row] = forecast.feature(number);
    } else {
      block.features()[column][row] = forecast.typicalFeature();
    }
  }

  private void begin(TableBlock block, int column, int row) {
    NumberForecast forecast = forecasts[column];
    long expected = 0;
    if (forecast != null) {
      for (int i = 0; i < numbers[column].length; i++) {
        forecast.take(i, block.features()[numbers[column][i]][row]);
      }
      forecast.begin();
      expected = forecast.rounded();
    }
    int[] near = related[column];
    long key1 = near.length > 0 ? block.key(near[0], row) : 0;
    long key2 = near.length > 1 ? block.key(near[1], row) : 0;
    long rank1 = near.length > 0 ? block.ranks()[near[0]][row] : 0;
    long rank2 = near.length > 1 ? block.ranks()[near[1]][row] : 0;
    long rank3 = near.length > 2 ? block.ranks()[near[2]][row] : 0;
    contexts[0] = 0;
    contexts[1] = lastKeys[column];
    contexts[2] = rank1;
    contexts[3] = key1;
    contexts[4] = key1 * 31 + key2;
    contexts[5] = key2;
    contexts[6] = forecast != null ? expected : rank1 * 7919 + rank2;
    contexts[7] = (rank1 * 7919 + rank2) * 7919 + rank3;
    for (int i = 0; i < contexts.length; i++) {
      contexts[i] *= 0xE7037ED1A0B428DBL;
    }
  }

  /** Looks up what happened before at a node, and in the contexts of {@link #begin}. */
  private void look(int column, long node, int phase) {
    long at = (column * 4L + phase) * 0xD6E8FEB86659FD93L + node * 0xA0761D6478BD642FL;
    for (int i = 0; i < hashes.length; i++) {
      long hash = (at + contexts[i]) * 0x9E3779B97F4A7C15L;
      hashes[i] = (int) (((hash ^ (hash >>> 29)) * 0xBF58476D1CE4E5B9L) >>> 32);
    }
    decisions.look(hashes);
  }

  private int decide(int column, int depth, int phase, int bit) {
    int place = ((column * 2 + (phase > 0 ? 1 : 0)) << 5) | Math.min(31, depth);
    return decisions.code(coder, bit, opinions, place);
  }

  private int rank(TableBlock block, int column, int row, ModelOpinion model) {
    CellColumn cells = columns.get(column);
    SymbolTree tree = cells.tree();
    int wanted = block.ranks()[column][row];
    int node = tree.nodes() == 0 ? -1 : 0;
    if (node >= 0) {
      look(column, node, 0);
    }
    for (int depth = 0; node >= 0; depth++) {
      opinions[0] = model.logOdds(node);
      boolean numeric = tree.end(node) <= cells.numericRanks();
      if (numeric) {
        forecasts[column].opinions(cells.bound(tree.middle(node)), opinions);
      } else {
        opinions[1] = 0;
        opinions[2] = 0;
      }
      int bit = decide(column, depth, 0, wanted >= tree.middle(node) ? 1 : 0);
      node = tree.child(node, bit);
      if (node >= 0) {
        look(column, node, 0);
      }
      if (numeric) {
        forecasts[column].decide(bit);
      }
    }
    return -1 - node;
  }

  private void shared(TableBlock block, int column, int row, SymbolTree tree, int rank) {
    long wanted = block.values()[column][row];
    Arrays.fill(opinions, 0);
    int node = 0;
    for (int depth = 0; node >= 0; depth++) {
      look(column, ((long) rank << 32) | node, 1);
      int bit = decide(column, depth, 1, wanted >= tree.middle(node) ? 1 : 0);
      node = tree.child(node, bit);
    }
    block.values()[column][row] = -1L - node;
  }

  /** Which number of a bin, and with how many decimals. */
  private void number(TableBlock block, int column, int row, int rank) {
    CellColumn cells = columns.get(column);
    long wanted = block.values()[column][row];
    long begin = cells.bound(rank);
    long end = cells.bound(rank + 1);
    opinions[0] = 0;
    for (int depth = 0; end - begin > 1; depth++) {
      long middle = begin + ((end - begin) >> 1);
      int bit = wanted >= middle ? 1 : 0;
      if (depth < MAX_COUNTED_DEPTH) {
        look(column, middle * 64 + depth, 2);
        forecasts[column].opinions(middle, opinions);
        bit = decide(column, depth, 2, bit);
        forecasts[column].decide(bit);
      } else {
        bit = coder.code(bit, EVEN);
      }
      if (bit == 1) {
        begin = middle;
      } else {
        end = middle;
      }
    }
    block.values()[column][row] = begin;
    int most = cells.maxDecimals();
    if (most == 0) {
      return;
    }
    int first = column * FLAGS;
    int usual = cells.usualDecimals(begin);
    int written = block.decimals()[column][row];
    boolean whole = usual == most; // nothing to leave out
    int unusual =
        flags.code(coder, written == usual ? 0 : 1, first + DECIMAL_FLAGS + (whole ? 1 : 0));
    if (unusual == 1) {
      written = flags.number(coder, written, DECIMAL_BITS, first + DECIMAL_NUMBER);
      if (written > most || written < 0) {
        throw new UncheckedIOException(
            CompressedFormatException.damaged("a number has " + written + " decimals"));
      }
    } else {
      written = usual;
    }
    block.decimals()[column][row] = (byte) written;
  }
}
