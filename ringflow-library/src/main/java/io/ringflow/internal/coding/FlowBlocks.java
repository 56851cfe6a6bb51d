package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * A long text as a model's rows, in blocks: the decoder works on a whole block at a time.
 *
 * <pre>
 *   rows a block | 1 if the end of the last row is settled | block: its length, its bytes | block …
 * </pre>
 *
 * <p>The last row is filled up with symbol 0. Where the layers allow it ({@link
 * Conditionals#settled}) what follows from that is not written.
 */
public final class FlowBlocks {
  /** Elements of a block's {@code [rows, D, K]}. */
  private static final long MAX_ELEMENTS = 1L << 22;

  /** Elements of a row's {@code [D, K]}. */
  private static final long MAX_ELEMENTS_A_ROW = 1L << 27;

  private static final int MAX_ROWS = 4096;

  private final Conditionals coding;
  private final int rowsPerBlock;
  private final int positions;

  /**
   * Blocks as large as they may be.
   *
   * @throws IllegalArgumentException if a row of the model has too many symbols
   */
  public FlowBlocks(Conditionals coding) {
    this(coding, maxRows(coding));
  }

  /** Blocks of so many rows. */
  public FlowBlocks(Conditionals coding, int rowsPerBlock) {
    this.coding = coding;
    this.rowsPerBlock = rowsPerBlock;
    this.positions = coding.rows().size();
  }

  private static int maxRows(Conditionals coding) {
    int maxSymbols = coding.places().maxCardinality();
    if (maxSymbols > Cumulative.MAX_SYMBOLS) {
      throw new IllegalArgumentException(
          "the base's symbols at a position must be at most "
              + Cumulative.MAX_SYMBOLS
              + " to code with, but are "
              + maxSymbols);
    }
    long elements = Math.max(elements(coding.rows()), elements(coding.places()));
    if (elements > MAX_ELEMENTS_A_ROW) {
      throw new IllegalArgumentException(
          "a row's positions times symbols must be at most "
              + MAX_ELEMENTS_A_ROW
              + " to code with, but are "
              + elements);
    }
    return (int) Math.max(1, Math.min(MAX_ROWS, MAX_ELEMENTS / elements));
  }

  private static long elements(Space space) {
    return (long) space.size() * space.maxCardinality();
  }

  /**
   * Writes symbols.
   *
   * @param progress in symbols
   * @return false if that can't be done safely, as good as never; what is written is then useless
   */
  public boolean write(char[] symbols, ByteWriter out, ProgressListener progress) {
    int[] settled = settled(symbols);
    out.number(rowsPerBlock);
    out.single(settled.length == 0 ? 0 : 1);
    for (long from = 0; from < symbols.length; from += symbolsPerBlock()) {
      progress.done(from, symbols.length);
      Optional<byte[]> block = block(symbols, (int) from, settled).finish();
      if (block.isEmpty()) {
        return false;
      }
      out.number(block.get().length);
      out.bytes(block.get());
    }
    progress.done(symbols.length, symbols.length);
    return true;
  }

  /** What symbols cost by the model, in bits. */
  public double bits(char[] symbols) {
    int[] settled = settled(symbols);
    double bits = 0;
    for (long from = 0; from < symbols.length; from += symbolsPerBlock()) {
      bits += block(symbols, (int) from, settled).bits();
    }
    return bits;
  }

  private BlockEncoder block(char[] symbols, int from, int[] settled) {
    checkInterrupt();
    int[][] rows = new int[rowsFrom(from, symbols.length)][positions];
    int to = (int) Math.min(symbols.length, from + (long) symbolsPerBlock());
    for (int i = from; i < to; i++) {
      rows[(i - from) / positions][(i - from) % positions] = symbols[i];
    }
    var encoder = new BlockEncoder(shape(rows.length, to == symbols.length, settled));
    coding.visit(rows, encoder);
    return encoder;
  }

  /**
   * Reads symbols.
   *
   * @param count of them
   * @param progress in symbols
   */
  public char[] read(int count, ByteReader in, ProgressListener progress)
      throws CompressedFormatException {
    int rows = in.number("rows a block", rowsPerBlock);
    int tail = in.single("the end of the last row");
    if (rows == 0 || tail > 1) {
      throw CompressedFormatException.damaged("blocks of no known kind");
    }
    return new FlowBlocks(coding, rows).read(count, tail == 1, in, progress);
  }

  private char[] read(int count, boolean tail, ByteReader in, ProgressListener progress)
      throws CompressedFormatException {
    long leastBytes = blocks(count) * (1 + Long.BYTES);
    if (leastBytes > in.remaining()) {
      throw CompressedFormatException.damaged(
          count + " symbols take " + leastBytes + " bytes, but " + in.remaining() + " follow");
    }
    int[] settled = tail ? coding.settled(count % positions) : BlockShape.NOTHING_SETTLED;
    char[] symbols = new char[0];
    for (long next = 0; next < count; next += symbolsPerBlock()) {
      checkInterrupt();
      progress.done(next, count);
      int from = (int) next;
      int to = (int) Math.min(count, from + (long) symbolsPerBlock());
      if (to > symbols.length) {
        // As many as were really there, twice: a count may claim anything.
        symbols = Arrays.copyOf(symbols, (int) Math.min(count, Math.max(to, 2L * from)));
      }
      int[][] rows = readBlock(shape(rowsFrom(from, count), to == count, settled), in);
      for (int i = from; i < to; i++) {
        symbols[i] = (char) rows[(i - from) / positions][(i - from) % positions];
      }
    }
    progress.done(count, count);
    return symbols;
  }

  private int[][] readBlock(BlockShape shape, ByteReader in) throws CompressedFormatException {
    int length = in.number("a block's length", in.remaining());
    try {
      var decoder = new BlockDecoder(shape, in.slice("a block", length));
      int[][] rows = coding.choose(shape.rows(), decoder);
      decoder.finish();
      return rows;
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof CompressedFormatException damaged) {
        throw damaged;
      }
      throw e;
    }
  }

  /** Symbols of a full block; at most {@link Integer#MAX_VALUE}. */
  private int symbolsPerBlock() {
    return (int) Math.min(Integer.MAX_VALUE, (long) rowsPerBlock * positions);
  }

  private long blocks(int count) {
    return (count + symbolsPerBlock() - 1L) / symbolsPerBlock();
  }

  private int rowsFrom(int from, int count) {
    return (int) Math.min(rowsPerBlock, (count - from + positions - 1L) / positions);
  }

  private BlockShape shape(int rows, boolean last, int[] settled) {
    return new BlockShape(coding, rows, last ? settled : BlockShape.NOTHING_SETTLED);
  }

  /** What is settled of the last row; nothing if it is full. */
  private int[] settled(char[] symbols) {
    int known = symbols.length % positions;
    if (known == 0) {
      return BlockShape.NOTHING_SETTLED;
    }
    int[] settled = coding.settled(known);
    int[] row = new int[positions];
    for (int d = 0; d < known; d++) {
      row[d] = symbols[symbols.length - known + d];
    }
    boolean[] holds = {true};
    // A layer without a network might still mix symbols in a way that was not foreseen.
    coding.visit(
        new int[][] {row},
        (unused, place, symbol, logProbs, from) ->
            holds[0] &= settled[place] < 0 || settled[place] == symbol);
    return holds[0] ? settled : BlockShape.NOTHING_SETTLED;
  }

  /** Ends long work when the thread is interrupted. */
  static void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted");
    }
  }
}
