package io.ringflow.paper.corpus;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Brings any text into the 27 symbols of text8, by the rules that made text8 itself.
 *
 * <p>A to Z become a to z; a digit becomes a word, {@code zero} to {@code nine}, with spaces around
 * it; everything else becomes a space; and a run of spaces becomes one. A space at either end stays
 * if there is one. Accents are not taken off: {@code café} becomes {@code caf} and a space.
 * Normalizing twice is normalizing once.
 *
 * <p>These are the last lines of Matt Mahoney's script; what comes before them there, taking
 * Wikipedia's markup apart, is not done here. All other characters being spaces, bytes that are not
 * ASCII need no decoding: any encoding that extends ASCII will do.
 */
public final class Text8Normalizer {
  private static final byte[][] DIGITS =
      Stream.of("zero one two three four five six seven eight nine".split(" "))
          .map(word -> word.getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  private final OutputStream out;
  private long read;
  private long written;
  private boolean afterSpace;

  private Text8Normalizer(OutputStream out) {
    this.out = out;
  }

  /**
   * How long a text was and became.
   *
   * @param read characters that went in, by UTF-8
   * @param written characters that came out
   */
  public record Counts(long read, long written) {}

  /** Normalizes a short text. */
  public static String normalize(String text) {
    var out = new ByteArrayOutputStream();
    try {
      normalize(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), out);
    } catch (IOException e) {
      throw new AssertionError("memory does not fail like a file", e);
    }
    return out.toString(StandardCharsets.US_ASCII);
  }

  /**
   * Normalizes a stream, piece by piece.
   *
   * @param in read to its end, not closed
   * @param out not closed; should be buffered, as it is written byte by byte
   */
  public static Counts normalize(InputStream in, OutputStream out) throws IOException {
    var normalizer = new Text8Normalizer(out);
    byte[] piece = new byte[1 << 16];
    for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
      for (int i = 0; i < count; i++) {
        normalizer.accept(piece[i]);
      }
    }
    return new Counts(normalizer.read, normalizer.written);
  }

  /**
   * Normalizes a file. The result appears all at once, and replaces a file that is there.
   *
   * @throws io.ringflow.core.DataFormatException if there is no such file or folder
   * @throws IOException if the disk refuses
   */
  public static Counts normalize(Path in, Path out) throws IOException {
    try (InputStream stream = Files.newInputStream(DataFile.require(in))) {
      return DataFile.write(out, target -> normalize(stream, target));
    }
  }

  private void accept(byte b) throws IOException {
    boolean continuation = (b & 0xC0) == 0x80; // the second to fourth bytes of a character
    if (!continuation) {
      read++;
    }
    if (b >= 'a' && b <= 'z') {
      put(b);
    } else if (b >= 'A' && b <= 'Z') {
      put(b - 'A' + 'a');
    } else {
      space();
      if (b >= '0' && b <= '9') {
        for (byte letter : DIGITS[b - '0']) {
          put(letter);
        }
        space();
      }
    }
  }

  private void put(int letter) throws IOException {
    out.write(letter);
    written++;
    afterSpace = false;
  }

  private void space() throws IOException {
    if (!afterSpace) {
      put(' ');
      afterSpace = true;
    }
  }
}
