package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.layer.Rearrangement;
import io.ringflow.model.Architecture;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Codes the rows of a table by the probabilities of its model, and all else that a file has.
 *
 * <pre>
 *   the model's hash | {@link TableLayout} | number of parts
 *   for each part: rows, bytes of the original, length | the parts
 * </pre>
 *
 * <p>Parts depend on no other: rows can be read without those of parts before.
 */
final class TableCoding implements BodyCoding {
  private static final long MAX_ELEMENTS = 1L << 22;
  private static final int MAX_ROWS_PER_BLOCK = 4096;

  /** What a CPU computes of so many rows stays in its caches. */
  private static final int CPU_ROWS_PER_BLOCK = 512;

  private static final int PART_LENGTH = 1 << 25;

  private final ModelHash hash;
  private final TableCodec codec;
  private final Conditionals conditionals;
  private final Rearrangement positions;
  private final int rowsPerBlock;
  private final int rowsPerPart;
  private final int threads;

  TableCoding(TableModel model) {
    this(model, MAX_ROWS_PER_BLOCK, TablePart.MAX_ROWS, SideBySide.availableThreads());
  }

  /** Codes in blocks of so many rows at most, in parts of so many, by so many threads. */
  TableCoding(TableModel model, int maxRowsPerBlock, int rowsPerPart, int threads) {
    Architecture architecture = model.flow().architecture();
    if (architecture.movesSymbols()) {
      throw new IllegalArgumentException(
          "layers of this model move symbols, but tables are compressed by models that only have"
              + " a base; train one of the family autoregressive or group");
    }
    hash = new ModelHash(model.flow().fingerprint());
    codec = model.codec();
    conditionals = new Conditionals(EngineAccess.of(model.flow()));
    positions = architecture.positions();
    Space turns = conditionals.turns();
    long elements = Math.max(1, (long) turns.size() * turns.maxCardinality());
    rowsPerBlock = (int) Math.max(1, Math.min(maxRowsPerBlock, MAX_ELEMENTS / elements));
    this.rowsPerPart = rowsPerPart;
    this.threads = threads;
  }

  @Override
  public Container.Method method() {
    return Container.Method.TABLE;
  }

  @Override
  public int partLength() {
    return PART_LENGTH;
  }

  /** Behind the last line that is whole, if there is one. */
  @Override
  public int end(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return end == 0 ? bytes.length : end;
  }

  private List<CellColumn> columns() {
    return codec.columns().stream().map(CellColumn::new).toList();
  }

  /** Nothing either if most of the bytes are of no row: the model does not fit. */
  @Override
  public Optional<byte[]> write(byte[] bytes, ProgressListener progress) {
    List<CellColumn> columns = columns();
    byte separator = LineParser.separator(bytes, columns.size());
    var parser = new LineParser(bytes, separator, columns.size());
    var index = new ByteWriter();
    var bodies = new ByteWriter();
    var body = new ByteWriter();
    hash.write(body);
    TableLayout layout = null;
    int lineCount = lineEnds(bytes);
    int expectedParts = Math.max(1, (int) Math.ceil((double) lineCount / rowsPerPart));
    // All about as long: they are coded side by side.
    int rows = Math.max(1, (int) Math.ceil((double) lineCount / expectedParts));
    int parts = 0;
    long lines = 0;
    boolean safe = true;
    try (var side = new SideBySide<Optional<byte[]>>(threads, expectedParts)) {
      Deque<TablePart> open = new ArrayDeque<>();
      while (!parser.isAtEnd() || !open.isEmpty()) {
        if (!parser.isAtEnd() && !side.isFull()) {
          TablePart part = TablePart.read(parser, bytes, columns, rows);
          lines += part.lines().length;
          if (2 * lines > parser.position()) {
            return Optional.empty();
          }
          if (layout == null) {
            int[][] related = TableLayout.related(columns, odds(columns).order(), part.rows());
            layout = new TableLayout(separator, writtenRowsPerBlock(), related);
            layout.write(body);
          }
          TableLayout known = layout;
          open.add(part);
          side.submit(slot -> coding(columns, known, slot).write(part));
        } else {
          TablePart part = open.remove();
          byte[] coded = side.next().orElse(null);
          progress.done(part.end(), bytes.length);
          safe &= coded != null;
          if (coded != null) {
            parts++;
            index.number(part.rows().size());
            index.number(part.length());
            index.number(coded.length);
            bodies.bytes(coded);
          }
        }
      }
    } catch (CompressedFormatException e) {
      throw new IllegalStateException(e); // nothing is read
    }
    if (!safe || parts == 0) {
      return Optional.empty();
    }
    body.number(parts);
    body.bytes(index.toBytes());
    body.bytes(bodies.toBytes());
    return Optional.of(body.toBytes());
  }

  private int writtenRowsPerBlock() {
    return conditionals.onGpu() ? rowsPerBlock : Math.min(rowsPerBlock, CPU_ROWS_PER_BLOCK);
  }

  private static int lineEnds(byte[] bytes) {
    int count = 0;
    for (byte each : bytes) {
      count += each == '\n' ? 1 : 0;
    }
    return count;
  }

  private ModelOdds odds(List<CellColumn> columns) {
    return new ModelOdds(columns, conditionals, positions);
  }

  private TablePartCoding coding(List<CellColumn> columns, TableLayout layout, int slot) {
    return new TablePartCoding(conditionals, slot, columns, odds(columns), layout);
  }

  @Override
  public byte[] read(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException {
    return rows(body, length, 0, Long.MAX_VALUE, progress).bytes();
  }

  private record Part(int rows, int bytes, int length) {}

  /** Some rows as they are in a file. */
  static final class Rows {
    private final byte[] bytes;
    private final long count;

    Rows(byte[] bytes, long count) {
      this.bytes = bytes;
      this.count = count;
    }

    byte[] bytes() {
      return bytes;
    }

    /** How many rows there are in all, asked for or not. */
    long count() {
      return count;
    }
  }

  /**
   * Gives back some rows, and the lines between them that are none.
   *
   * @param from the first row, counted from 0; may lie before it
   * @param to the row behind the last, may lie behind it; {@link Long#MAX_VALUE} for all lines too
   */
  Rows rows(ByteReader body, int length, long from, long to, ProgressListener progress)
      throws CompressedFormatException {
    hash.check(body);
    List<CellColumn> columns = columns();
    TableLayout layout = TableLayout.read(body, odds(columns).order(), rowsPerBlock);
    int count = body.number("the number of parts", body.remaining());
    Deque<Part> parts = new ArrayDeque<>();
    long rows = 0;
    for (int i = 0; i < count; i++) {
      var part =
          new Part(
              body.number("a part's rows", TablePart.MAX_ROWS),
              body.number("a part's bytes", length),
              body.number("a part's length", body.remaining()));
      parts.add(part);
      rows += part.rows;
    }
    boolean all = to == Long.MAX_VALUE;
    var out = new ByteArrayOutputStream();
    long begin = 0;
    try (var side = new SideBySide<byte[]>(threads, count)) {
      while (!parts.isEmpty() || !side.isEmpty()) {
        if (parts.isEmpty() || side.isFull()) {
          out.writeBytes(side.next());
          progress.done(Math.min(out.size(), length), length);
          continue;
        }
        Part part = parts.remove();
        ByteReader own = body.part("a part", part.length);
        long last = begin + part.rows;
        if (all || (from < last && to > begin)) {
          int wanted = (int) (Math.min(to, last) - begin);
          var sink = new TablePartCoding.Rows(from - begin, all ? to : to - begin);
          side.submit(
              slot -> {
                coding(columns, layout, slot).read(own, part.rows, wanted, part.bytes, sink);
                return sink.bytes();
              });
        }
        begin = last;
      }
    }
    body.finish("the last part");
    return new Rows(out.toByteArray(), rows);
  }

  /** Finds rows, and the lines between them, in bytes that were compressed in another way. */
  Rows plainRows(byte[] bytes, long from, long to) {
    List<CellColumn> columns = columns();
    byte separator = LineParser.separator(bytes, columns.size());
    var parser = new LineParser(bytes, separator, columns.size());
    var sink = new TablePartCoding.Rows(from, to);
    while (!parser.isAtEnd()) {
      int begin = parser.position();
      TablePart part = TablePart.read(parser, bytes, columns, 1);
      int row = begin + part.lines().length;
      sink.line(Arrays.copyOfRange(bytes, begin, row));
      if (!part.rows().isEmpty()) {
        byte[] own = Arrays.copyOfRange(bytes, row, parser.position());
        sink.row(own, own.length);
      }
    }
    return new Rows(sink.bytes(), sink.count());
  }
}
