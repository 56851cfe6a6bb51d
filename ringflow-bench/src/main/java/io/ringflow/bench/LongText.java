package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.compress.Compressor;
import io.ringflow.core.Machine;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Sends a text that is longer than Java's memory through the compressor without a model, and looks
 * whether it comes back, and how much memory that took.
 *
 * <pre>
 *   java -Xmx512m io.ringflow.bench.LongText FILE [MEGABYTES [SEED]]
 * </pre>
 *
 * <p>The text is pieces of FILE from random places, and never in memory as a whole. Ends with
 * status 1 if it did not come back.
 */
public final class LongText {
  private static final int PIECE = 1 << 16;

  private final Path file;
  private final long length;
  private final long seed;

  LongText(Path file, long length, long seed) {
    this.file = file;
    this.length = length;
    this.seed = seed;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    Path file = Objects.requireNonNull(arguments.path(0), "the first argument must be a FILE");
    long megabytes = arguments.number(1, 300);
    var text = new LongText(file, megabytes * 1_000_000, arguments.number(2, 1));
    if (!text.print(System.out, System.err)) {
      System.exit(1);
    }
  }

  /**
   * Prints a table.
   *
   * @return whether the text came back
   */
  boolean print(PrintStream out, PrintStream err) throws IOException {
    var progress = new ProgressLines(err);
    Compressor compressor = Compressor.withoutModel();
    Path compressed = Files.createTempFile("long", ".ringflow");
    try {
      try (InputStream in = new Pieces();
          OutputStream to = new BufferedOutputStream(Files.newOutputStream(compressed))) {
        compressor.compress(in, to, (done, all) -> progress.done("bytes compressed", done, length));
      }
      boolean back;
      long archived = Files.size(compressed);
      try (InputStream in = new BufferedInputStream(Files.newInputStream(compressed));
          var same = new Comparison(new Pieces())) {
        compressor.decompress(
            in, same, (done, all) -> progress.done("bytes of the archive read", done, archived));
        back = same.isWhole();
      }
      var table = new ValueTable("text", "bytes", "compressed", "back", "peak memory");
      table.row(
          "pieces of " + file.getFileName(),
          value("%,d", length),
          value("%,d", Files.size(compressed)),
          back ? "yes" : "WRONG",
          value("%,d MB", ProcessMemory.peak() / 1_000_000));
      out.println(table);
      Duration computed = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
      out.println(
          value(
              "Seed %d, Java with %,d MB; %s; %,d CPU seconds in all.",
              seed,
              Runtime.getRuntime().maxMemory() / 1_000_000,
              Machine.describe(),
              computed.toSeconds()));
      return back;
    } finally {
      Files.delete(compressed);
    }
  }

  /** The text, one piece in memory at a time. */
  private final class Pieces extends InputStream {
    private final RandomAccessFile source = new RandomAccessFile(file.toFile(), "r");
    private final SplittableRandom random = new SplittableRandom(seed);
    private final byte[] piece = new byte[(int) Math.min(PIECE, source.length())];
    private int at = piece.length;
    private long left = length;

    Pieces() throws IOException {
      if (piece.length == 0) {
        throw new IllegalArgumentException(file + " is empty");
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int wanted) throws IOException {
      if (left == 0) {
        return -1;
      }
      if (at == piece.length) {
        source.seek(random.nextLong(source.length() - piece.length + 1));
        source.readFully(piece);
        at = 0;
      }
      int count = (int) Math.min(left, Math.min(wanted, piece.length - at));
      System.arraycopy(piece, at, into, from, count);
      at += count;
      left -= count;
      return count;
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  /** Compares what is written with what should be. */
  private static final class Comparison extends OutputStream {
    private final InputStream expected;
    private boolean same = true;

    Comparison(InputStream expected) {
      this.expected = expected;
    }

    /** Whether all came, and nothing else. */
    boolean isWhole() throws IOException {
      return same && expected.read() < 0;
    }

    @Override
    public void write(int next) throws IOException {
      same &= expected.read() == (next & 0xFF);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      byte[] here = expected.readNBytes(count);
      same &= Arrays.equals(here, 0, here.length, bytes, from, from + count);
    }

    @Override
    public void close() throws IOException {
      expected.close();
    }
  }
}
