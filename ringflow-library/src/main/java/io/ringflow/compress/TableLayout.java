package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is told of a table before its rows. */
final class TableLayout {
  private static final int MAX_RELATED = 8;
  private static final int MAX_CANDIDATES = 64;
  private static final int MAX_ROWS = 4096;
  private static final int CLASSES = 16;

  private final byte separator;
  private final int rowsPerBlock;
  private final int[][] related;

  /**
   * Takes what was found out.
   *
   * @param separator of cells
   * @param rowsPerBlock rows that are coded column by column
   * @param related for each column, columns coded before it that say most about it, the closest
   *     first
   */
  TableLayout(byte separator, int rowsPerBlock, int[][] related) {
    this.separator = separator;
    this.rowsPerBlock = rowsPerBlock;
    this.related = related;
  }

  byte separator() {
    return separator;
  }

  int rowsPerBlock() {
    return rowsPerBlock;
  }

  int[][] related() {
    return related;
  }

  /** Finds out which columns of a table are related, by the mutual information of rough classes. */
  static int[][] related(List<CellColumn> columns, int[] order, List<CellColumn.Cell[]> rows) {
    int count = Math.min(rows.size(), MAX_ROWS);
    byte[][] classes = new byte[columns.size()][count];
    for (int c = 0; c < columns.size(); c++) {
      int ranks = columns.get(c).ranks();
      int numeric = columns.get(c).numericRanks();
      for (int i = 0; i < count; i++) {
        int rank = rows.get((int) ((long) i * rows.size() / count))[c].rank();
        classes[c][i] =
            (byte)
                (rank < 0
                    ? CLASSES - 1
                    : numeric > 0
                        ? (long) rank * (CLASSES - 1) / ranks
                        : Math.min(CLASSES - 1, rank));
      }
    }
    int[][] related = new int[columns.size()][];
    for (int at = 0; at < order.length; at++) {
      byte[] own = classes[order[at]];
      record Candidate(int column, double information) {}
      List<Candidate> candidates = new ArrayList<>();
      for (int other = Math.max(0, at - MAX_CANDIDATES); other < at; other++) {
        double information = information(own, classes[order[other]]);
        if (information > 0) {
          candidates.add(new Candidate(order[other], information));
        }
      }
      candidates.sort(Comparator.comparingDouble(Candidate::information).reversed());
      related[order[at]] =
          candidates.stream().limit(MAX_RELATED).mapToInt(Candidate::column).toArray();
    }
    return related;
  }

  /** In nats, less what chance alone would make of it. */
  private static double information(byte[] a, byte[] b) {
    int[] both = new int[CLASSES * CLASSES];
    int[] first = new int[CLASSES];
    int[] second = new int[CLASSES];
    for (int i = 0; i < a.length; i++) {
      both[a[i] * CLASSES + b[i]]++;
      first[a[i]]++;
      second[b[i]]++;
    }
    double sum = 0;
    int cells = 0;
    for (int i = 0; i < both.length; i++) {
      if (both[i] > 0) {
        double independent = (double) first[i / CLASSES] * second[i % CLASSES] / a.length;
        sum += both[i] * Math.log(both[i] / independent);
        cells++;
      }
    }
    return (sum - cells / 2.0) / Math.max(1, a.length);
  }

  void write(ByteWriter out) {
    out.single(separator);
    out.number(rowsPerBlock);
    for (int[] some : related) {
      out.number(some.length);
      for (int column : some) {
        out.number(column);
      }
    }
  }

  static TableLayout read(ByteReader in, int[] order, int maxRowsPerBlock)
      throws CompressedFormatException {
    byte separator = in.bytes("the separator", 1)[0];
    int rowsPerBlock = in.number("rows a block", maxRowsPerBlock);
    int[][] related = new int[order.length][];
    int[] places = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      places[order[i]] = i;
    }
    for (int c = 0; c < related.length; c++) {
      related[c] = new int[in.number("related columns", MAX_RELATED)];
      for (int i = 0; i < related[c].length; i++) {
        related[c][i] = in.number("a column", order.length - 1);
        if (places[related[c][i]] >= places[c]) {
          throw CompressedFormatException.damaged("a column is related to a later one");
        }
      }
    }
    if (rowsPerBlock == 0) {
      throw CompressedFormatException.damaged("blocks of no rows");
    }
    return new TableLayout(separator, rowsPerBlock, related);
  }
}
