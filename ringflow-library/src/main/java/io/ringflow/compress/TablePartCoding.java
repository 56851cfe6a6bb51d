package io.ringflow.compress;

import io.ringflow.compress.LineParser.End;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.checks.Interruption;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.mixing.BitCoder;
import io.ringflow.internal.mixing.ByteCoding;
import io.ringflow.internal.mixing.BytePredictor;
import io.ringflow.internal.mixing.FlagCoding;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes and reads one {@link TablePart}, which depends on no other.
 *
 * <pre>
 *   number of lines that are no rows, their length | for each column, number of escaped cells
 *   length of these | length of the code of both, the code by counting bytes
 *   code of the rows, block after block:
 *     offset of the log-odds | for each row: lines before it, its end
 *     for each group of the model, row, column: the cell
 * </pre>
 */
final class TablePartCoding {
  private static final int MAX_SLOT_BITS = 20;
  private static final int OFFSET_BITS = 5;
  private static final int END_BITS = 2;
  private static final int EVEN = 1 << 15;

  private final Conditionals conditionals;
  private final int slot;
  private final List<CellColumn> columns;
  private final ModelOdds odds;
  private final TableLayout layout;
  private final RowText text = new RowText();

  /**
   * Codes parts with a model.
   *
   * @param slot of the thread, see {@link Conditionals#chooseNarrow}
   */
  TablePartCoding(
      Conditionals conditionals,
      int slot,
      List<CellColumn> columns,
      ModelOdds odds,
      TableLayout layout) {
    this.conditionals = conditionals;
    this.slot = slot;
    this.columns = columns;
    this.odds = odds;
    this.layout = layout;
  }

  private static BytePredictor predictor(int length) {
    int wanted = Integer.SIZE - Integer.numberOfLeadingZeros(length) + 3;
    return new BytePredictor(
        Math.min(MAX_SLOT_BITS, Math.max(BytePredictor.MIN_SLOT_BITS, wanted)));
  }

  /** The code of lines and escaped cells, which follow each other. */
  private static void writeBytes(TablePart part, int columns, ByteWriter out) {
    byte[] lines = part.lines();
    byte[] escapes = part.escapes();
    out.number(part.lineCount());
    out.number(lines.length);
    for (int column = 0; column < columns; column++) {
      out.number(part.escapes(column));
    }
    out.number(escapes.length);
    byte[] both = Arrays.copyOf(lines, lines.length + escapes.length);
    System.arraycopy(escapes, 0, both, lines.length, escapes.length);
    byte[] code =
        both.length == 0
            ? both
            : ByteCoding.encode(both, predictor(both.length), ProgressListener.IGNORED);
    out.number(code.length);
    out.bytes(code);
  }

  /** Writes a part; nothing if that can't be done safely, which hardly ever happens. */
  Optional<byte[]> write(TablePart part) {
    var out = new ByteWriter();
    writeBytes(part, columns.size(), out);
    BitCoder.Writing coder = BitCoder.writing();
    var rows = new RowFlags(coder, part.lineCount());
    int count = part.rows().size();
    var cells = new CellCoding(columns, layout.related(), coder, count);
    for (int from = 0; from < count; from += layout.rowsPerBlock()) {
      Interruption.check();
      int to = Math.min(count, from + layout.rowsPerBlock());
      if (!writeBlock(part, from, to, coder, rows, cells)) {
        return Optional.empty();
      }
    }
    out.bytes(coder.finish());
    return Optional.of(out.toBytes());
  }

  private boolean writeBlock(
      TablePart part, int from, int to, BitCoder coder, RowFlags flags, CellCoding cells) {
    TableBlock block = part.block(from, to);
    var paths = new TablePaths(block.rows() * conditionals.turns().size());
    find(block, paths);
    int offset = paths.safeOffset();
    if (offset < 0) {
      return false;
    }
    for (int shift = OFFSET_BITS - 1; shift >= 0; shift--) {
      coder.code((offset >> shift) & 1, EVEN);
    }
    flags.code(part, from, to);
    int[] starts = conditionals.groupStarts();
    for (int group = 0; group + 1 < starts.length; group++) {
      writeGroup(block, starts[group], starts[group + 1], paths, cells);
    }
    return true;
  }

  private void writeGroup(TableBlock block, int from, int to, TablePaths paths, CellCoding cells) {
    int turns = conditionals.turns().size();
    for (int row = 0; row < block.rows(); row++) {
      for (int turn = from; turn < to; turn++) {
        paths.follow(row * turns + turn);
        for (int column : odds.sources(turn)) {
          cells.code(block, column, row, paths);
        }
      }
    }
  }

  /** Finds the model's log-odds at all nodes that the cells of a row and turn pass. */
  private void find(TableBlock block, TablePaths paths) {
    int turns = conditionals.turns().size();
    // Step by step, as whoever reads will: so that both compute the same.
    conditionals.chooseNarrow(
        block.rows(),
        (row, turn, probabilities, from) -> {
          List<Integer> own = odds.sources(turn);
          odds.take(probabilities, from);
          paths.begin(row * turns + turn);
          int prefix = 0;
          for (int digit = 0; digit < own.size(); digit++) {
            int column = own.get(digit);
            int rank = block.ranks()[column][row];
            if (rank >= 0) {
              odds.column(turn, digit, prefix);
              paths.add(columns.get(column).tree(), rank, odds);
            }
            prefix = prefix * columns.get(column).ranks() + columns.get(column).symbol(rank);
          }
          return odds.symbol(turn, prefix, column -> block.ranks()[column][row]);
        },
        slot);
  }

  /** Lines that are no rows, and the ends of those that are. */
  private static final class RowFlags {
    private static final List<End> ALL_ENDS = List.of(End.LF, End.CRLF, End.NONE);
    private static final int ENDS = 4;

    private final BitCoder coder;
    private final FlagCoding flags = new FlagCoding(64);
    private int linesLeft;
    private int lastEnd;
    private int lastLine;
    private int lines;
    private End end = End.LF;

    RowFlags(BitCoder coder, int lines) {
      this.coder = coder;
      linesLeft = lines;
    }

    void code(TablePart part, int from, int to) {
      for (int row = from; row < to; row++) {
        code(part.linesBefore(row), part.end(row));
      }
    }

    void code(int wantedLines, End wantedEnd) {
      lines = 0;
      while (linesLeft > 0 && flags.code(coder, lines < wantedLines ? 1 : 0, lastLine) == 1) {
        lines++;
        linesLeft--;
        lastLine = 1;
      }
      lastLine = 0;
      int number = flags.number(coder, ALL_ENDS.indexOf(wantedEnd), END_BITS, 8 + lastEnd * ENDS);
      if (number >= ALL_ENDS.size()) {
        throw new UncheckedIOException(CompressedFormatException.damaged("a line has no end"));
      }
      end = ALL_ENDS.get(number);
      lastEnd = number;
    }
  }

  /**
   * Reads a part's rows.
   *
   * @param count of the part's rows
   * @param to how many of them are needed
   * @param maxBytes that lines and escaped cells can have
   */
  void read(ByteReader in, int count, int to, int maxBytes, Rows sink)
      throws CompressedFormatException {
    int lineCount = in.number("the number of lines", maxBytes);
    int lineBytes = in.number("the lines' length", maxBytes);
    int[] escapes = new int[columns.size()];
    for (int c = 0; c < escapes.length; c++) {
      escapes[c] = in.number("the number of cells", count);
    }
    int escapedBytes = in.number("the cells' length", Integer.MAX_VALUE - 64 - lineBytes);
    byte[] code = in.bytes("the bytes' code", in.number("the code's length", in.remaining()));
    int both = lineBytes + escapedBytes;
    byte[] bytes =
        both == 0 ? code : ByteCoding.decode(code, both, predictor(both), ProgressListener.IGNORED);
    var texts = new EscapedTexts(bytes, lineBytes, escapes);
    BitCoder.Reading coder = BitCoder.reading(in.bytes("the rows' code", in.remaining()));
    try {
      var flags = new RowFlags(coder, lineCount);
      var cells = new CellCoding(columns, layout.related(), coder, count);
      for (int from = 0; from < to; from += layout.rowsPerBlock()) {
        Interruption.check();
        int end = Math.min(count, from + layout.rowsPerBlock());
        readBlock(end - from, coder, flags, cells, texts, sink);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause() instanceof CompressedFormatException damaged ? damaged : rethrown(e);
    }
    if (to == count) {
      coder.finish();
      sink.line(texts.restOfLines());
      texts.finish();
    }
  }

  private static CompressedFormatException rethrown(UncheckedIOException e) {
    throw e;
  }

  /** Collects rows of a range, and the lines between them; all lines where it has no end. */
  static final class Rows {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final long from;
    private final long to;
    private long next;

    Rows(long from, long to) {
      this.from = from;
      this.to = to;
    }

    void line(byte[] line) {
      if (to == Long.MAX_VALUE || (next > from && next < to)) {
        out.writeBytes(line);
      }
    }

    void row(byte[] bytes, int size) {
      if (next >= from && next < to) {
        out.write(bytes, 0, size);
      }
      next++;
    }

    byte[] bytes() {
      return out.toByteArray();
    }

    /** How many rows there were, in the range or not. */
    long count() {
      return next;
    }
  }

  private void readBlock(
      int rows, BitCoder coder, RowFlags flags, CellCoding cells, EscapedTexts texts, Rows sink) {
    int number = 0;
    for (int i = 0; i < OFFSET_BITS; i++) {
      number = 2 * number + coder.code(0, EVEN);
    }
    int offset = number;
    int[] linesBefore = new int[rows];
    List<End> ends = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      flags.code(0, End.LF);
      linesBefore[row] = flags.lines;
      ends.add(flags.end);
    }
    var block = new TableBlock(rows, columns.size());
    conditionals.chooseNarrow(
        rows,
        (row, turn, probabilities, from) -> {
          List<Integer> own = odds.sources(turn);
          odds.take(probabilities, from);
          int prefix = 0;
          for (int digit = 0; digit < own.size(); digit++) {
            int column = own.get(digit);
            odds.column(turn, digit, prefix);
            cells.code(block, column, row, node -> ModelOdds.rounded(odds.at(node), offset));
            CellColumn of = columns.get(column);
            prefix = prefix * of.ranks() + of.symbol(block.ranks()[column][row]);
          }
          return odds.symbol(turn, prefix, column -> block.ranks()[column][row]);
        },
        slot);
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < linesBefore[row]; i++) {
        sink.line(texts.line());
      }
      text(block, row, ends.get(row), texts);
      sink.row(text.bytes(), text.size());
    }
  }

  private void text(TableBlock block, int row, End end, EscapedTexts texts) {
    text.clear();
    for (int c = 0; c < columns.size(); c++) {
      if (c > 0) {
        text.add(layout.separator());
      }
      boolean quoted = block.quoted()[c][row] == 1;
      if (quoted) {
        text.add((byte) '"');
      }
      int rank = block.ranks()[c][row];
      if (rank < 0) {
        text.add(texts.cell(c), quoted);
      } else {
        int decimals = block.decimals()[c][row];
        columns.get(c).write(rank, block.values()[c][row], decimals, quoted, text);
      }
      if (quoted) {
        text.add((byte) '"');
      }
    }
    text.add(end.text(), false);
  }
}
