package io.ringflow.cli.command;

import io.ringflow.cli.progress.CountProgress;
import io.ringflow.cli.report.WholeFile;
import io.ringflow.core.ProgressListener;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;

/**
 * One file on its way through a compressor. The outcome is there whole or not at all, with the time
 * and permissions of its source.
 *
 * @param source null for standard input
 * @param target null for standard output
 * @param thrownAway whether the outcome is looked at only, and goes nowhere
 */
record CodedFile(Path source, Path target, boolean thrownAway) {
  private static final int BUFFER = 1 << 16;
  private static final int MIN_BYTES_TO_SHOW = 1 << 14; // less is done before anybody looks

  /** Compresses or decompresses. */
  @FunctionalInterface
  interface Coding {
    void run(InputStream in, OutputStream out, ProgressListener progress) throws IOException;
  }

  /** How many bytes went in and came out. */
  record Transfer(long read, long written, double seconds) {}

  Transfer run(Coding coding, PrintWriter err) throws IOException {
    if (source == null) {
      return through(System.in, -1, coding, err);
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(source), BUFFER)) {
      return through(in, Files.size(source), coding, err);
    }
  }

  private Transfer through(InputStream source, long size, Coding coding, PrintWriter err)
      throws IOException {
    long started = System.nanoTime();
    var in = new CountedInput(source);
    var count = new long[1];
    write(
        to -> {
          var out = new CountedOutput(to);
          if (size >= 0 && size < MIN_BYTES_TO_SHOW) {
            coding.run(in, out, ProgressListener.IGNORED);
          } else {
            try (var progress = CountProgress.of(err, "bytes")) {
              coding.run(in, out, (done, unknown) -> progress.done(done, size));
            }
          }
          count[0] = out.count;
        });
    return new Transfer(in.count, count[0], (System.nanoTime() - started) * 1e-9);
  }

  private void write(WholeFile.Body body) throws IOException {
    if (thrownAway) {
      body.writeTo(OutputStream.nullOutputStream());
      return;
    }
    if (target == null) {
      OutputStream out = new BufferedOutputStream(new StandardOutput(), BUFFER);
      body.writeTo(out);
      out.flush();
      return;
    }
    WholeFile.write(target, body);
    if (source != null) {
      Files.setLastModifiedTime(target, Files.getLastModifiedTime(source));
      var from = Files.getFileAttributeView(source, PosixFileAttributeView.class);
      var to = Files.getFileAttributeView(target, PosixFileAttributeView.class);
      if (from != null && to != null) {
        to.setPermissions(from.readAttributes().permissions());
      }
    }
  }

  /** Java's own says nothing when nobody reads it any more. */
  private static final class StandardOutput extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      System.out.write(b);
      check();
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      System.out.write(bytes, from, length);
      check();
    }

    @Override
    public void flush() throws IOException {
      check();
    }

    private static void check() throws IOException {
      if (System.out.checkError()) { // flushes too
        throw new IOException("standard output is closed");
      }
    }
  }

  private static final class CountedInput extends FilterInputStream {
    private long count;

    CountedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = in.read();
      count += next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int read = in.read(bytes, from, length);
      count += Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long length) throws IOException {
      long skipped = in.skip(length);
      count += skipped;
      return skipped;
    }
  }

  private static final class CountedOutput extends FilterOutputStream {
    private long count;

    CountedOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      count += length;
    }
  }
}
