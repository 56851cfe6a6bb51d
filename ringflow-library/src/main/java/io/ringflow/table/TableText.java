package io.ringflow.table;

import io.ringflow.core.DataFormatException;
import io.ringflow.internal.store.Utf8File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.CharBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** Reads a table's characters, strict UTF-8 without NUL, and counts lines for the messages. */
final class TableText extends Reader {
  /** Formats that are often given instead of plain text, by their first bytes. */
  private enum OtherFormat {
    GZIP("1f8b", "is compressed by gzip; unpack it first, with gunzip"),
    XZ("fd377a585a00", "is compressed by xz; unpack it first, with unxz"),
    ZIP("504b0304", "is a zip file or a spreadsheet; unpack it or save it as CSV first"),
    UTF_16_LOW("fffe", "is UTF-16 text; save it as UTF-8 first"),
    UTF_16_HIGH("feff", "is UTF-16 text; save it as UTF-8 first");

    private static final int MAX_LENGTH = 6;

    private final String start;
    private final String reason;

    OtherFormat(String start, String reason) {
      this.start = start;
      this.reason = reason;
    }
  }

  private final Path file;
  private final Utf8File in;
  private CharBuffer piece = CharBuffer.allocate(0);
  private long line = 1;
  private long column = 1;
  private char last;

  private TableText(Path file, Utf8File in) {
    this.file = file;
    this.in = in;
  }

  static TableText open(Path file) throws IOException {
    byte[] start;
    try (InputStream bytes = Files.newInputStream(Utf8File.requireFile(file))) {
      start = bytes.readNBytes(OtherFormat.MAX_LENGTH);
    }
    if (start.length == 0) {
      throw new DataFormatException(file, "is empty");
    }
    for (OtherFormat format : OtherFormat.values()) {
      if (HexFormat.of().formatHex(start).startsWith(format.start)) {
        throw new DataFormatException(file, format.reason);
      }
    }
    return new TableText(file, Utf8File.open(file));
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!piece.hasRemaining()) {
      fill();
    }
    if (!piece.hasRemaining()) {
      return -1;
    }
    int count = Math.min(length, piece.remaining());
    piece.get(target, offset, count);
    return count;
  }

  private void fill() throws IOException {
    try {
      piece = in.next();
    } catch (DataFormatException e) {
      // All characters before the damaged byte have been counted.
      throw new DataFormatException(file, where() + "is not UTF-8 text", e);
    }
    for (int i = piece.position(); i < piece.limit(); i++) {
      count(piece.get(i));
    }
  }

  private void count(char c) throws DataFormatException {
    if (c == 0) {
      throw new DataFormatException(file, where() + "a NUL byte, which no text has");
    }
    boolean secondOfTwo = c == '\n' && last == '\r';
    if (c == '\r' || (c == '\n' && !secondOfTwo)) {
      line++;
    }
    column = c == '\r' || c == '\n' ? 1 : column + 1;
    last = c;
  }

  private String where() {
    return "line " + line + ", column " + column + ": ";
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
