package io.ringflow.internal.engine;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.internal.store.DeflatedPieces;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.zip.Deflater;

/** What was counted in the training text of a model, in a deflated file beside its weights. */
public final class CountsFile {
  private static final int BUFFER = 1 << 16;

  private CountsFile() {}

  /** Writes a file. */
  public static void write(Path file, CountedText counts) throws IOException {
    try (var out =
        new DataOutputStream(
            new BufferedOutputStream(
                DeflatedPieces.writer(file, Deflater.DEFAULT_COMPRESSION), BUFFER))) {
      counts.write(out);
    }
  }

  /** Reads a file. */
  public static CountedText read(Path file) throws IOException {
    try (var in =
        new DataInputStream(new BufferedInputStream(DeflatedPieces.reader(file), BUFFER))) {
      CountedText counts = CountedText.read(in);
      if (in.read() >= 0) {
        throw new ModelFormatException(file, "is longer than its table");
      }
      return counts;
    } catch (EOFException e) {
      throw new ModelFormatException(file, "is shorter than its table", e);
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      throw new ModelFormatException(file, e.getMessage(), e);
    }
  }

  /**
   * Reads a file when it is asked for the first time: only compressing needs it.
   *
   * @return throws {@link UncheckedIOException} where the file can't be read
   */
  public static Supplier<CountedText> later(Path file) {
    return new Supplier<>() {
      private CountedText counts;

      @Override
      public synchronized CountedText get() {
        if (counts == null) {
          try {
            counts = read(file);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
        return counts;
      }
    };
  }
}
