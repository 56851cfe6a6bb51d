package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.Container.Method;
import io.ringflow.internal.coding.PartReader;
import io.ringflow.internal.coding.PartWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Decompresses a stream, or parts of it. Nothing is written before it was found to be what went in.
 * Progress is in bytes of what was compressed, with a total of 0.
 */
final class StreamDecompression {
  private final BodyCoding coding;
  private final InputStream in;
  private final ProgressListener progress;

  StreamDecompression(BodyCoding coding, InputStream in, ProgressListener progress) {
    this.coding = coding;
    this.in = in;
    this.progress = progress;
  }

  /**
   * Gives back bytes of a range.
   *
   * @param from the first byte, counted from 0
   * @param to the byte behind the last; {@link Long#MAX_VALUE} for all
   * @throws IllegalArgumentException if there are fewer
   */
  void bytes(long from, long to, OutputStream out) throws IOException {
    byte[] head = in.readNBytes(PartReader.HEAD);
    long length = PartReader.isSeries(head) ? series(from, to, out) : single(head, from, to, out);
    if (to != Long.MAX_VALUE && length < to) {
      throw new IllegalArgumentException(
          "has " + length + " bytes, but byte " + to + " is asked for");
    }
  }

  /** Writes what a container has of a range; returns its length. */
  private long single(byte[] head, long from, long to, OutputStream out) throws IOException {
    byte[] whole = whole(head);
    Container container = Container.open(whole);
    byte[] bytes = decoded(container, at(0, whole.length));
    write(bytes, 0, from, to, out);
    return bytes.length;
  }

  private byte[] decoded(Container container, ProgressListener here)
      throws CompressedFormatException {
    return container.checked(
        new PartDecoder(coding)
            .first(container.method(), container.length(), container.body(), here));
  }

  private byte[] whole(byte[] head) throws IOException {
    var all = new ByteArrayOutputStream();
    all.writeBytes(head);
    try {
      in.transferTo(all);
    } catch (OutOfMemoryError e) { // no more than an array has, or than Java may use
      throw new CompressedFormatException(
          "takes more than %,d MB of memory to decompress, more than Java may use here (-Xmx)"
              .formatted(all.size() >> 20));
    }
    return all.toByteArray();
  }

  /** Writes what a series has of a range; returns how many bytes it has, up to the range's end. */
  private long series(long from, long to, OutputStream out) throws IOException {
    var parts = new PartReader(in);
    var decoder = new PartDecoder(coding);
    long needed = needed(from, parts.block());
    while (parts.next()) {
      long end = parts.offset() + parts.length();
      if (end <= needed) {
        parts.skip();
        continue;
      }
      byte[] bytes = decoded(parts, decoder);
      write(bytes, parts.offset(), from, to, out);
      if (end >= to) {
        return end;
      }
    }
    progress.done(parts.bytesRead(), 0);
    return parts.offset();
  }

  /** The first byte that it takes to read one. */
  private static long needed(long from, int block) {
    return block == PartWriter.NO_PART_CONTINUES ? from : block == 0 ? 0 : from / block * block;
  }

  private byte[] decoded(PartReader parts, PartDecoder decoder) throws IOException {
    long before = parts.bytesRead();
    ByteReader body = parts.body();
    ProgressListener here = at(before, parts.bodyLength());
    return parts.checked(
        parts.continues()
            ? decoder.next(parts.method(), parts.length(), body, here)
            : decoder.first(parts.method(), parts.length(), body, here));
  }

  private static void write(byte[] bytes, long offset, long from, long to, OutputStream out)
      throws IOException {
    long begin = Math.max(0, from - offset);
    long end = Math.min(bytes.length, to - offset);
    if (begin < end) {
      out.write(bytes, (int) begin, (int) (end - begin));
    }
  }

  /**
   * Gives back rows of a table, and the lines between them.
   *
   * @param from the first row, counted from 0
   * @param to the row behind the last
   * @throws IllegalArgumentException if there are fewer, or the model is not one of a table
   */
  void rows(long from, long to, OutputStream out) throws IOException {
    if (!(coding instanceof TableCoding table)) {
      throw new IllegalArgumentException("takes the model of its table to read rows");
    }
    byte[] head = in.readNBytes(PartReader.HEAD);
    long rows = 0;
    if (!PartReader.isSeries(head)) {
      byte[] whole = whole(head);
      Container container = Container.open(whole);
      ProgressListener here = at(0, whole.length);
      TableCoding.Rows some =
          container.method() == Method.TABLE
              ? table.rows(container.body(), container.length(), from, to, here)
              : table.plainRows(decoded(container, here), from, to);
      out.write(some.bytes());
      rows = some.count();
    } else {
      var parts = new PartReader(in);
      var decoder = new PartDecoder(coding);
      while (rows < to && parts.next()) {
        long before = parts.bytesRead();
        TableCoding.Rows some =
            parts.method() == Method.TABLE
                ? table.rows(
                    parts.body(),
                    parts.length(),
                    from - rows,
                    to - rows,
                    at(before, parts.bodyLength()))
                : table.plainRows(decoded(parts, decoder), from - rows, to - rows);
        out.write(some.bytes());
        rows += some.count();
      }
    }
    if (to > rows) {
      throw new IllegalArgumentException("has " + rows + " rows, but row " + to + " is asked for");
    }
  }

  /** Progress in a part of so many compressed bytes. */
  private ProgressListener at(long before, int length) {
    ProgressListener inner =
        (done, total) ->
            progress.done(before + (total == 0 ? length : (long) length * done / total), 0);
    return inner.untilInterrupted();
  }
}
