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
import java.util.ArrayList;
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

  private final ModelHash hash;
  private final TableCodec codec;
  private final Conditionals conditionals;
  private final Rearrangement positions;
  private final int rowsPerBlock;
  private final int rowsPerPart;

  TableCoding(TableModel model) {
    this(model, MAX_ROWS_PER_BLOCK, TablePart.MAX_ROWS);
  }

  /** Codes in blocks of so many rows at most, in parts of so many. */
  TableCoding(TableModel model, int maxRowsPerBlock, int rowsPerPart) {
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
  }

  @Override
  public Container.Method method() {
    return Container.Method.TABLE;
  }

  private List<CellColumn> columns() {
    return codec.columns().stream().map(CellColumn::new).toList();
  }

  /** Nothing either if most of the bytes are of no row: the model does not fit. */
  @Override
  public Optional<byte[]> write(byte[] bytes, ProgressListener progress) {
    List<CellColumn> columns = columns();
    var odds = new ModelOdds(columns, conditionals, positions);
    byte separator = LineParser.separator(bytes, columns.size());
    var parser = new LineParser(bytes, separator, columns.size());
    var index = new ByteWriter();
    var bodies = new ByteWriter();
    TablePartCoding coding = null;
    int parts = 0;
    long lines = 0;
    var body = new ByteWriter();
    hash.write(body);
    while (!parser.isAtEnd()) {
      int from = parser.position();
      TablePart part = TablePart.read(parser, bytes, columns, rowsPerPart);
      lines += part.lines().length;
      if (2 * lines > parser.position()) {
        return Optional.empty();
      }
      if (coding == null) {
        int[][] related = TableLayout.related(columns, odds.order(), part.rows());
        var layout = new TableLayout(separator, rowsPerBlock, related);
        layout.write(body);
        coding = new TablePartCoding(conditionals, columns, odds, layout);
      }
      int rows = Math.max(1, part.rows().size());
      Optional<byte[]> coded =
          coding.write(
              part,
              done -> progress.done(from + part.length() * done / rows, bytes.length));
      if (coded.isEmpty()) {
        return Optional.empty();
      }
      parts++;
      index.number(part.rows().size());
      index.number(part.length());
      index.number(coded.get().length);
      bodies.bytes(coded.get());
    }
    progress.done(bytes.length, bytes.length);
    if (parts == 0) {
      return Optional.empty();
    }
    body.number(parts);
    body.bytes(index.toBytes());
    body.bytes(bodies.toBytes());
    return Optional.of(body.toBytes());
  }

  private record Part(int rows, int bytes, int length) {}

  @Override
  public byte[] read(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException {
    var out = new ByteArrayOutputStream();
    read(
        body,
        length,
        0,
        Long.MAX_VALUE,
        new TablePartCoding.RowSink() {
          @Override
          public void line(byte[] line) {
            out.writeBytes(line);
          }

          @Override
          public void row(byte[] row) {
            out.writeBytes(row);
          }
        },
        progress);
    return out.toByteArray();
  }

  /**
   * Gives back some rows, and the lines between them that are none.
   *
   * @param from the first row, counted from 0
   * @param to the row behind the last
   */
  byte[] rows(ByteReader body, int length, long from, long to, ProgressListener progress)
      throws CompressedFormatException {
    var out = new ByteArrayOutputStream();
    long[] next = {0};
    long all =
        read(
            body,
            length,
            from,
            to,
            new TablePartCoding.RowSink() {
              @Override
              public void line(byte[] line) {
                if (next[0] > from && next[0] < to) {
                  out.writeBytes(line);
                }
              }

              @Override
              public void row(byte[] row) {
                if (next[0] >= from && next[0] < to) {
                  out.writeBytes(row);
                }
                next[0]++;
              }

              @Override
              public void skip(long rows) {
                next[0] += rows;
              }
            },
            progress);
    if (to > all) {
      throw new IllegalArgumentException(
          "has " + all + " rows, but row " + to + " is asked for");
    }
    return out.toByteArray();
  }

  /** Reads the parts that have rows of a range; returns how many rows there are in all. */
  private long read(
      ByteReader body,
      int length,
      long from,
      long to,
      TablePartCoding.RowSink sink,
      ProgressListener progress)
      throws CompressedFormatException {
    hash.check(body);
    List<CellColumn> columns = columns();
    var odds = new ModelOdds(columns, conditionals, positions);
    TableLayout layout = TableLayout.read(body, odds.order(), rowsPerBlock);
    int count = body.number("the number of parts", body.remaining());
    List<Part> parts = new ArrayList<>();
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
    var coding = new TablePartCoding(conditionals, columns, odds, layout);
    long begin = 0;
    long done = 0;
    for (Part part : parts) {
      ByteReader own = body.part("a part", part.length);
      long last = begin + part.rows;
      if (to == Long.MAX_VALUE || (from < last && to > begin)) {
        long before = done;
        int wanted = (int) (Math.min(to, last) - begin);
        int all = Math.max(1, part.rows);
        coding.read(
            own,
            part.rows,
            wanted,
            part.bytes,
            sink,
            row -> progress.done(before + part.bytes * row / all, length));
      } else {
        sink.skip(part.rows);
      }
      begin = last;
      done += part.bytes;
    }
    body.finish("the last part");
    progress.done(length, length);
    return rows;
  }
}
