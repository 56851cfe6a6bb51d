package io.ringflow.internal.coding;

import io.ringflow.internal.engine.Conditionals;
import java.util.Arrays;
import java.util.Optional;

/**
 * Writes a block of rows: it sees their symbols in any order, and writes them in the order that
 * {@link BlockDecoder} asks for them.
 *
 * <pre>
 *   block = runs of {@link Guard#RUN} symbols, each after the number of its offset
 *   order = group after group, in each row after row, turn after turn
 * </pre>
 *
 * <p>So a block does not depend on how many rows the model works on at a time. Keeps 16 bytes a
 * symbol until it is finished.
 */
final class BlockEncoder implements Conditionals.Visitor {
  private final BlockShape shape;
  private final Cumulative cumulative;
  private final double[] begins; // of each symbol's share, before rounding; NaN where it is certain
  private final double[] ends;

  BlockEncoder(BlockShape shape) {
    this.shape = shape;
    this.cumulative = new Cumulative(shape.maxSymbols());
    this.begins = new double[shape.symbols()];
    this.ends = new double[shape.symbols()];
    Arrays.fill(begins, Double.NaN);
  }

  @Override
  public void symbol(int row, int turn, int symbol, double[] logProbs, int from) {
    if (shape.certain(row, turn) < 0) {
      shape.fill(cumulative, row, turn, logProbs, from);
      int index = shape.index(row, turn);
      begins[index] = cumulative.place(symbol);
      ends[index] = cumulative.place(symbol + 1);
    }
  }

  /** The block; or nothing if a run has no safe offset, which hardly ever happens. */
  Optional<byte[]> finish() {
    int count = withoutCertain();
    var out = new RansEncoder();
    // Last in, first out.
    for (int from = (count - 1) / Guard.RUN * Guard.RUN; from >= 0; from -= Guard.RUN) {
      int to = Math.min(count, from + Guard.RUN);
      int number = safeOffset(from, to);
      if (number == Guard.OFFSETS) {
        return Optional.empty();
      }
      double u = Guard.offset(number);
      for (int i = to - 1; i >= from; i--) {
        int start = Cumulative.boundary(begins[i], u);
        out.push(start, Cumulative.boundary(ends[i], u) - start);
      }
      out.push(Guard.start(number), Guard.frequency(number));
    }
    return Optional.of(out.finish());
  }

  private int withoutCertain() {
    int count = 0;
    for (int i = 0; i < begins.length; i++) {
      if (!Double.isNaN(begins[i])) {
        begins[count] = begins[i];
        ends[count++] = ends[i];
      }
    }
    return count;
  }

  /** The first offset that is safe for a run, or {@link Guard#OFFSETS} if none is. */
  private int safeOffset(int from, int to) {
    int number = 0;
    while (number < Guard.OFFSETS && !isSafe(from, to, Guard.offset(number))) {
      number++;
    }
    return number;
  }

  private boolean isSafe(int from, int to, double u) {
    for (int i = from; i < to; i++) {
      if (!Guard.isSafe(begins[i], u) || !Guard.isSafe(ends[i], u)) {
        return false;
      }
    }
    return true;
  }
}
