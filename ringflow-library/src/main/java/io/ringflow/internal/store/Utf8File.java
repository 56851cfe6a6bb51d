package io.ringflow.internal.store;

import io.ringflow.core.DataFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads a UTF-8 file piece by piece, strictly: a damaged byte is an error, never replaced. */
public final class Utf8File implements Closeable {
  private static final int BYTES_AT_A_TIME = 1 << 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Path file;
  private final FileChannel in;
  private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
  private final ByteBuffer bytes = ByteBuffer.allocate(BYTES_AT_A_TIME).flip();
  // A byte never makes more than one char, so the decoder never lacks room.
  private final CharBuffer chars = CharBuffer.allocate(BYTES_AT_A_TIME);
  private long bytesRead;
  private boolean readToEnd;
  private boolean begun;

  private Utf8File(Path file, FileChannel in) {
    this.file = file;
    this.in = in;
  }

  /** Opens a regular file. */
  public static Utf8File open(Path file) throws IOException {
    return new Utf8File(file, FileChannel.open(requireFile(file), StandardOpenOption.READ));
  }

  /** Refuses a missing file, a folder and a pipe, which would be waited for. */
  public static Path requireFile(Path file) throws DataFormatException {
    String obstacle = AtomicFiles.obstacle(file);
    if (obstacle != null) {
      throw new DataFormatException(file, obstacle);
    }
    return file;
  }

  /**
   * The next characters, in an array-backed buffer that the next call overwrites; empty at the end.
   * A code point is never split. A byte order mark at the very start is not part of the text.
   */
  public CharBuffer next() throws IOException {
    chars.clear();
    while (chars.position() == 0 && !atEnd()) {
      CoderResult result = decoder.decode(bytes, chars, readToEnd);
      // Characters before a damaged byte are returned first; the next call meets the byte again.
      if (result.isError() && chars.position() == 0) {
        throw new DataFormatException(
            file,
            "is not UTF-8 text: byte " + (bytesRead - bytes.remaining()) + " is damaged",
            new MalformedInputException(result.length()));
      }
    }
    chars.flip();
    if (!begun && chars.hasRemaining()) {
      begun = true;
      if (chars.get(0) == BYTE_ORDER_MARK) {
        chars.get();
        return chars.hasRemaining() ? chars : next();
      }
    }
    return chars;
  }

  /** Whether {@link #next} has neither text nor an error left to report. */
  public boolean atEnd() throws IOException {
    bytes.compact();
    while (!readToEnd && bytes.hasRemaining()) {
      int count = in.read(bytes);
      readToEnd = count < 0;
      bytesRead += Math.max(0, count);
    }
    return !bytes.flip().hasRemaining();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
