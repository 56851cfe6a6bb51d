package io.ringflow.internal.coding;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.Constraint;
import io.ringflow.internal.engine.PartialRows;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A long text as a model's rows, in blocks: the decoder works on a whole block at a time.
 *
 * <pre>
 *   rows a block | block: its length, its bytes | block …
 * </pre>
 *
 * <p>What does not fill a row at the end is coded as {@link PartialRows} says: as a row of which
 * only the first symbols are free, or symbol by symbol in a block of its own.
 */
public final class FlowBlocks {
  /** Elements of a block's {@code [rows, D, K]}. */
  private static final long MAX_ELEMENTS = 1L << 22;

  /** Elements of a row's {@code [D, K]}. */
  private static final long MAX_ELEMENTS_A_ROW = 1L << 27;

  private static final int MAX_ROWS = 4096;

  private final Conditionals conditionals;
  private final PartialRows partial;
  private final int rowsPerBlock;
  private final int positions;
  private final BlocksAtOnce atOnce;

  /**
   * Blocks of as many rows as possible.
   *
   * @throws IllegalArgumentException if a row of the model has too many symbols
   */
  public FlowBlocks(Conditionals conditionals, PartialRows partial) {
    this(conditionals, partial, 0, conditionals.onGpu() ? BlocksAtOnce.GPU : BlocksAtOnce.ONE);
  }

  /**
   * Blocks of so many rows.
   *
   * @param rowsPerBlock 0 for as many as possible
   * @param atOnce how many are read at once
   * @throws IllegalArgumentException if a row of the model has too many symbols
   */
  public FlowBlocks(
      Conditionals conditionals, PartialRows partial, int rowsPerBlock, BlocksAtOnce atOnce) {
    this.atOnce = atOnce;
    this.conditionals = conditionals;
    this.partial = partial;
    this.rowsPerBlock = rowsPerBlock == 0 ? maxRows(conditionals) : rowsPerBlock;
    this.positions = conditionals.rows().size();
  }

  private static int maxRows(Conditionals conditionals) {
    int maxSymbols = conditionals.turns().maxCardinality();
    if (maxSymbols > Cumulative.MAX_SYMBOLS) {
      throw new IllegalArgumentException(
          "the base's symbols at a position must be at most "
              + Cumulative.MAX_SYMBOLS
              + " to code with, but are "
              + maxSymbols);
    }
    long elements = Math.max(elements(conditionals.rows()), elements(conditionals.turns()));
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
   * @param progress in symbols; ends the work by an exception
   * @return false if that can't be done safely, which hardly ever happens; what is written is then
   *     useless
   */
  public boolean write(char[] symbols, ByteWriter out, ProgressListener progress) {
    out.number(rowsPerBlock);
    int inRows = inRows(symbols.length);
    for (long from = 0; from < inRows; from += symbolsPerBlock()) {
      progress.done(from, symbols.length);
      if (!write(rowBlock(symbols, (int) from, inRows), out)) {
        return false;
      }
    }
    boolean safe = inRows == symbols.length || write(symbolBlock(symbols, inRows), out);
    progress.done(symbols.length, symbols.length);
    return safe;
  }

  private static boolean write(BlockEncoder encoder, ByteWriter out) {
    Optional<byte[]> block = encoder.finish();
    block.ifPresent(
        bytes -> {
          out.number(bytes.length);
          out.bytes(bytes);
        });
    return block.isPresent();
  }

  /** How many of so many symbols are coded in rows; the rest is coded symbol by symbol. */
  private int inRows(int count) {
    return partial.areRows() ? count : count - count % positions;
  }

  private BlockEncoder rowBlock(char[] symbols, int from, int to) {
    int end = (int) Math.min(to, from + (long) symbolsPerBlock());
    int[][] rows = new int[rowsFrom(from, to)][positions];
    for (int i = from; i < end; i++) {
      rows[(i - from) / positions][(i - from) % positions] = symbols[i];
    }
    var encoder = new BlockEncoder(shape(rows.length, end, to));
    conditionals.visit(rows, encoder);
    return encoder;
  }

  private BlockEncoder symbolBlock(char[] symbols, int from) {
    double[] logProbs = partial.symbolLogProbs();
    int count = symbols.length - from;
    var encoder = new BlockEncoder(BlockShape.ofSymbols(count, logProbs.length));
    for (int turn = 0; turn < count; turn++) {
      encoder.symbol(0, turn, symbols[from + turn], logProbs, 0);
    }
    return encoder;
  }

  /**
   * Reads symbols.
   *
   * @param count of them
   * @param progress in symbols; ends the work by an exception
   */
  public char[] read(int count, ByteReader in, ProgressListener progress)
      throws CompressedFormatException {
    int rows = in.number("rows a block", rowsPerBlock);
    if (rows == 0) {
      throw CompressedFormatException.damaged("blocks of no rows");
    }
    return new FlowBlocks(conditionals, partial, rows, atOnce).readBlocks(count, in, progress);
  }

  private char[] readBlocks(int count, ByteReader in, ProgressListener progress)
      throws CompressedFormatException {
    int inRows = inRows(count);
    long minBytes = blocks(count) * (1 + Long.BYTES);
    if (minBytes > in.remaining()) {
      throw CompressedFormatException.damaged(
          count + " symbols take " + minBytes + " bytes, but " + in.remaining() + " follow");
    }
    char[] symbols = new char[0];
    int from = 0;
    while (from < inRows) {
      progress.done(from, count);
      List<BlocksAtOnce.Block> blocks = new ArrayList<>();
      int to = from;
      while (to < inRows && blocks.size() < atOnce.count()) {
        int end = (int) Math.min(inRows, to + (long) symbolsPerBlock());
        blocks.add(block(shape(rowsFrom(to, inRows), end, inRows), in));
        to = end;
      }
      if (to > symbols.length) {
        // As many as were really there, twice: a count may claim anything.
        symbols = Arrays.copyOf(symbols, (int) Math.min(count, Math.max(to, 2L * from)));
      }
      int next = from;
      for (int[][] rows : atOnce.read(blocks, conditionals)) {
        for (int[] row : rows) {
          for (int i = 0; i < positions && next < to; i++) {
            symbols[next++] = (char) row[i];
          }
        }
      }
      from = to;
    }
    symbols = Arrays.copyOf(symbols, count);
    if (inRows < count) {
      readSymbols(symbols, inRows, in);
    }
    progress.done(count, count);
    return symbols;
  }

  private void readSymbols(char[] symbols, int from, ByteReader in)
      throws CompressedFormatException {
    double[] logProbs = partial.symbolLogProbs();
    BlockShape shape = BlockShape.ofSymbols(symbols.length - from, logProbs.length);
    BlocksAtOnce.Block block = block(shape, in);
    try {
      var decoder = new BlockDecoder(shape, block.bytes());
      for (int turn = 0; turn < shape.turns(); turn++) {
        symbols[from + turn] = (char) decoder.symbol(0, turn, logProbs, 0);
      }
      decoder.finish();
    } catch (UncheckedIOException e) {
      throw BlocksAtOnce.damage(e);
    }
  }

  private static BlocksAtOnce.Block block(BlockShape shape, ByteReader in)
      throws CompressedFormatException {
    int length = in.number("a block's length", in.remaining());
    return new BlocksAtOnce.Block(shape, in.slice("a block", length));
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

  private BlockShape shape(int rows, int end, int count) {
    int known = end == count ? count % positions : 0;
    Constraint lastRow = known == 0 ? null : partial.constraint(known);
    return BlockShape.of(conditionals, rows, lastRow);
  }
}
