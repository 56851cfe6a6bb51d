package io.ringflow.compress;

import io.ringflow.table.TableColumn;
import io.ringflow.table.TableColumn.Bins;
import io.ringflow.table.TableColumn.Categories;
import io.ringflow.table.ValueCounts;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The cells of one column as a rank, which stands for the model's symbol, and what the rank leaves
 * open: which number of a bin, which of the values that share a symbol.
 *
 * <p>Ranks are symbols in another order: numbers first, ascending, so that neighbours are alike.
 * Cells are bytes in the form of Latin-1 texts, whatever they mean. Immutable but for what it
 * remembers; for one thread.
 */
final class CellColumn {
  /** A cell that the model has no symbol for. */
  static final Cell ESCAPED = new Cell(-1, 0, 0);

  private static final int MAX_DIGITS = 18;

  /**
   * A cell.
   *
   * @param rank -1 for none
   * @param value the number, in units of the last decimal; or which of several that share a rank
   * @param decimals as written
   */
  record Cell(int rank, long value, int decimals) {}

  private final boolean bins;
  private final int[] symbols; // of ranks
  private final int[] counts; // of training rows, of ranks
  private final int scale; // decimals of numbers
  private final int minDecimals;
  private final long[] bounds; // of numbers: where each rank begins, and the end
  private final List<List<String>> shared = new ArrayList<>(); // values of each rank, if not bins
  private final List<SymbolTree> sharedTrees = new ArrayList<>();
  private final SymbolTree tree;
  private final int unseen; // the symbol that the model is told for an escaped cell
  private final Map<String, Cell> known = new HashMap<>();
  private final CellCache met = new CellCache();

  CellColumn(TableColumn column) {
    bins = column instanceof Bins;
    int size = column.cardinality();
    symbols = new int[size];
    counts = new int[size];
    if (column instanceof Bins numbers) {
      scale = numbers.maxDecimals();
      minDecimals = numbers.minDecimals();
      bounds = binBounds(numbers);
      unseen = numbers.bins().size() / 2;
      Arrays.setAll(symbols, i -> i);
      for (int i = 0; i < numbers.bins().size(); i++) {
        counts[i] = numbers.bins().get(i).count();
      }
    } else {
      Categories categories = (Categories) column;
      List<String> values = categories.values().values();
      scale = commonScale(values);
      minDecimals = 0;
      unseen = Math.max(0, categories.rareSymbol());
      bounds = scale < 0 ? new long[0] : order(values, symbols);
      for (int rank = 0; rank < values.size(); rank++) {
        if (scale < 0) {
          symbols[rank] = rank;
        }
        int symbol = symbols[rank];
        counts[rank] = categories.values().counts().get(symbol);
        shared.add(List.of(latin(values.get(symbol))));
      }
      share(categories.rareSymbol(), categories.rare());
    }
    share(column.missingSymbol(), column.missing());
    for (int i = 0; i < shared.size(); i++) {
      int rank = size - shared.size() + i;
      List<String> values = shared.get(i);
      for (int index = 0; index < values.size(); index++) {
        known.put(values.get(index), new Cell(rank, index, 0));
      }
    }
    int numeric = Math.max(0, bounds.length - 1);
    tree =
        new SymbolTree(
            Arrays.stream(counts).asLongStream().toArray(), numeric < size ? numeric : 0);
  }

  private void share(int symbol, ValueCounts values) {
    if (symbol >= 0) {
      symbols[symbol] = symbol;
      counts[symbol] = (int) Math.min(Integer.MAX_VALUE, values.total());
      shared.add(values.values().stream().map(CellColumn::latin).toList());
      while (sharedTrees.size() < shared.size() - 1) {
        sharedTrees.add(null);
      }
      sharedTrees.add(new SymbolTree(SymbolTree.counts(values.counts()), 0));
    }
  }

  private static String latin(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Where bins begin, as whole numbers; nothing if those would be too large. */
  private static long[] binBounds(Bins numbers) {
    int count = numbers.bins().size();
    long[] bounds = new long[count + 1];
    for (int i = 0; i <= count; i++) {
      String text = i < count ? numbers.bins().get(i).min() : numbers.bins().get(count - 1).max();
      BigDecimal scaled = new BigDecimal(text.strip()).movePointRight(numbers.maxDecimals());
      if (scaled.precision() - scaled.scale() > MAX_DIGITS) {
        return new long[0];
      }
      bounds[i] = scaled.longValueExact();
    }
    bounds[count]++;
    return bounds;
  }

  /** The decimals of numbers, all as they are usually written; -1 if they are something else. */
  private static int commonScale(List<String> values) {
    int scale = values.size() > 2 ? 0 : -1;
    for (String value : values) {
      int decimals = decimals(value);
      scale = scale < 0 || decimals < 0 ? -1 : Math.max(scale, decimals);
    }
    int digits = scale;
    return values.stream().anyMatch(value -> value.length() + digits > MAX_DIGITS) ? -1 : scale;
  }

  /** Sorts values; returns them, and the end, as whole numbers. */
  private long[] order(List<String> values, int[] symbols) {
    Integer[] order = new Integer[values.size()];
    Arrays.setAll(order, i -> i);
    long[] numbers =
        values.stream().mapToLong(value -> number(value, scale - decimals(value))).toArray();
    Arrays.sort(order, Comparator.comparingLong(i -> numbers[i]));
    long[] bounds = new long[order.length + 1];
    for (int rank = 0; rank < order.length; rank++) {
      symbols[rank] = order[rank];
      bounds[rank] = numbers[order[rank]];
    }
    bounds[order.length] = bounds[order.length - 1] + 1;
    return bounds;
  }

  /** How many digits are behind the point of a plain number; -1 for any other text. */
  private static int decimals(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    int point = text.indexOf('.');
    int whole = (point < 0 ? text.length() : point) - start;
    boolean plain = whole >= 1 && point != text.length() - 1 && text.length() <= MAX_DIGITS + 2;
    for (int i = start; plain && i < text.length(); i++) {
      plain = i == point || (text.charAt(i) >= '0' && text.charAt(i) <= '9');
    }
    plain = plain && (whole == 1 || text.charAt(start) != '0');
    return !plain ? -1 : point < 0 ? 0 : text.length() - point - 1;
  }

  /** A plain number, times a power of ten. */
  private static long number(String text, int zeros) {
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next >= '0' && next <= '9') {
        number = 10 * number + next - '0';
      }
    }
    for (int i = 0; i < zeros; i++) {
      number *= 10;
    }
    return text.startsWith("-") ? -number : number;
  }

  /** What the cell of some bytes is. */
  Cell find(byte[] bytes, int from, int to) {
    Cell cell = met.find(bytes, from, to);
    if (cell == null) {
      cell = find(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
      met.remember(bytes, from, to, cell);
    }
    return cell;
  }

  /** What a cell is. */
  Cell find(String text) {
    Cell cell = known.get(text);
    if (cell == null && bins && bounds.length > 0) {
      cell = binned(text);
    }
    return cell == null ? ESCAPED : cell;
  }

  private Cell binned(String text) {
    int decimals = decimals(text);
    if (decimals < 0 || decimals > scale || text.length() + scale - decimals > MAX_DIGITS) {
      return ESCAPED;
    }
    long value = number(text, scale - decimals);
    if (value < bounds[0] || value >= bounds[bounds.length - 1]) {
      return ESCAPED;
    }
    int found = Arrays.binarySearch(bounds, value);
    return value == 0 && text.startsWith("-") // -0 would come back as 0
        ? ESCAPED
        : new Cell(found >= 0 ? found : -found - 2, value, decimals);
  }

  /**
   * Writes a cell that is not escaped.
   *
   * @param value as that of a {@link Cell}
   * @param quoted whether quotes in it are doubled
   */
  void write(int rank, long value, int decimals, boolean quoted, RowText out) {
    if (isNumber(rank)) {
      out.add(value, scale, decimals);
    } else {
      out.add(values(rank).get((int) value), quoted);
    }
  }

  private List<String> values(int rank) {
    return shared.get(rank - (symbols.length - shared.size()));
  }

  /** How the values that share a rank are told apart; null for one that no others share. */
  SymbolTree shared(int rank) {
    int index = rank - (symbols.length - shared.size());
    SymbolTree tree = index < sharedTrees.size() ? sharedTrees.get(index) : null;
    return tree == null || tree.nodes() == 0 ? null : tree;
  }

  /** Whether a rank is a bin, whose number and decimals are to be told. */
  boolean isNumber(int rank) {
    return bins && rank < bounds.length - 1;
  }

  /** Whether a rank alone, or with a value, has a text. */
  boolean hasText(int rank) {
    return isNumber(rank) || rank >= symbols.length - shared.size();
  }

  /** Whether ranks are known to be numbers. */
  boolean isNumeric() {
    return bounds.length > 0;
  }

  /** How many ranks are numbers; those come first. */
  int numericRanks() {
    return Math.max(0, bounds.length - 1);
  }

  /** The number that a rank begins with, or behind the last one the end. */
  long bound(int rank) {
    return bounds[rank];
  }

  /** The digits behind the point that a number takes at least, in this column. */
  int usualDecimals(long value) {
    int decimals = scale;
    long rest = value;
    while (decimals > minDecimals && rest % 10 == 0) {
      rest /= 10;
      decimals--;
    }
    return decimals;
  }

  int maxDecimals() {
    return Math.max(0, scale);
  }

  SymbolTree tree() {
    return tree;
  }

  int ranks() {
    return symbols.length;
  }

  /** In how many training rows a rank was. */
  int count(int rank) {
    return counts[rank];
  }

  /** The model's symbol of a rank; -1 for an escaped cell. */
  int symbol(int rank) {
    return rank < 0 ? unseen : symbols[rank];
  }
}
