package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Chain;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * What an entropy coder needs of a model: the base's symbols, one after the other, with the
 * probabilities of all that could be there instead.
 *
 * <p>{@link #visit} knows the rows and takes one parallel pass; {@link #choose} makes them, group
 * after group. Both compute in 64 bits, and their probabilities agree but for rounding. Symbols are
 * named by their <i>place</i>: how many positions of their row are drawn before them.
 *
 * <p>Safe from several threads at once, as the model is.
 */
public final class Conditionals {
  /** Sees the symbols of rows, in no particular order. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Sees a symbol.
     *
     * @param row of the symbol
     * @param place of the symbol in its row, in the order of drawing
     * @param symbol that is there
     * @param logProbs natural log-probabilities of many places
     * @param from where those of this place begin
     */
    void symbol(int row, int place, int symbol, double[] logProbs, int from);
  }

  /** Says which symbols rows have: group after group, in each row after row, place after place. */
  @FunctionalInterface
  public interface Chooser {
    /**
     * Chooses a symbol.
     *
     * @param row of the symbol
     * @param place of the symbol in its row, in the order of drawing
     * @param logProbs natural log-probabilities of many places
     * @param from where those of this place begin
     * @return one of the place's symbols
     */
    int symbol(int row, int place, double[] logProbs, int from);
  }

  private final RowWork work;
  private final Chain.Bound layers;
  private final Distribution base;
  private final Groups groups;
  private final Space inOrder;
  private final int[] positions;

  /** The coding of an unconditional model. */
  public Conditionals(RowWork work, Chain.Bound layers, Distribution base) {
    this.work = work;
    this.layers = layers;
    this.base = base;
    this.groups = base.groups();
    List<Integer> order = groups.order().positions();
    this.inOrder = layers.baseSpace().select(order);
    this.positions = order.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The space of the model's rows. */
  public Space rows() {
    return layers.dataSpace();
  }

  /** The base's space, in the order of drawing. */
  public Space places() {
    return inOrder;
  }

  /** Where each group begins in the order of drawing, and the number of places at the end. */
  public int[] groupStarts() {
    return groups.starts();
  }

  /**
   * Shows the base's symbols of rows.
   *
   * @throws IllegalArgumentException if a row is not one of the model's
   */
  public void visit(int[][] rows, Visitor visitor) {
    work.check(rows, RowWork.NOTHING);
    int width = inOrder.maxCardinality();
    work.inChunks(
        rows.length,
        RowWork.NOTHING,
        Precision.FLOAT64,
        chunk -> {
          Symbols symbols = layers.inverse(chunk.symbols(rows, rows()), chunk.context());
          Tensor logProbs = base.logProbs(symbols, chunk.context()); // [B or 1, D, K]
          double[] flat = Tensors.toDoubles(logProbs);
          int stride = logProbs.size(0) == 1 ? 0 : positions.length * width;
          int[][] baseRows = Tensors.toRows(symbols.ids());
          for (int i = 0; i < baseRows.length; i++) {
            for (int place = 0; place < positions.length; place++) {
              int position = positions[place];
              visitor.symbol(
                  chunk.from() + i,
                  place,
                  baseRows[i][position],
                  flat,
                  i * stride + position * width);
            }
          }
        });
  }

  /**
   * Makes rows, all at a time: the caller bounds their number.
   *
   * @return rows of the model
   */
  public int[][] choose(int rows, Chooser chooser) {
    return work.atOnce(
        rows,
        context -> {
          Device device = context.weights().device();
          Tensor chosen =
              base.choose(
                  rows, (logProbs, from) -> group(rows, chooser, logProbs, from, device), context);
          return layers.forward(Symbols.of(chosen), context);
        });
  }

  private Tensor group(int rows, Chooser chooser, Tensor logProbs, int from, Device device) {
    int size = (int) logProbs.size(1);
    int width = (int) logProbs.size(2);
    int stride = logProbs.size(0) == 1 ? 0 : size * width;
    double[] flat = Tensors.toDoubles(logProbs); // [B or 1, n, K]
    long[] symbols = new long[rows * size];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < size; i++) {
        symbols[row * size + i] = chooser.symbol(row, from + i, flat, row * stride + i * width);
      }
    }
    return Tensors.longs(symbols, device, rows, size);
  }

  /**
   * The base's symbols that need not be told of a row that ends early: those that follow from its
   * positions {@code known, known + 1, …} alone, all of which have symbol 0.
   *
   * <p>Where layers have networks, any symbol may depend on any, and all need to be told. Others
   * only carry symbols from place to place or pack them together: what does not change with the
   * first positions follows from the rest.
   *
   * @param known how many positions have a symbol that is not known beforehand
   * @return the symbol of each place, or -1 where it must be told
   */
  public int[] settled(int known) {
    int[] settled = new int[positions.length];
    Arrays.fill(settled, -1);
    if (layers.passes() == 0) {
      int[][] ends = new int[2][rows().size()];
      for (int d = 0; d < known; d++) {
        ends[1][d] = rows().cardinality(d) - 1;
      }
      int[][] baseRows = work.encode(ends, RowWork.NOTHING, Precision.FLOAT64);
      for (int place = 0; place < settled.length; place++) {
        int position = positions[place];
        if (baseRows[0][position] == baseRows[1][position]) {
          settled[place] = baseRows[0][position];
        }
      }
    }
    return settled;
  }
}
