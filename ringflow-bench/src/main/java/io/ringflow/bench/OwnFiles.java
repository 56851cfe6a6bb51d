package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.compress.CodedBy;
import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.FittedModel;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Compresses files of all kinds with a text model, and looks whether they come back.
 *
 * <pre>
 *   java io.ringflow.bench.OwnFiles MODEL [COUNT [SEED]]
 * </pre>
 *
 * <p>A third is random, a third made to break something, a third are parts of the files under the
 * working directory: run it in a repository. Ends with status 1 if a file was wrong.
 */
public final class OwnFiles {
  private final TextModel model;
  private final int count;
  private final long seed;
  private final RealPieces real;
  private final Decompression decompression;

  /** How compressed files become files again. */
  @FunctionalInterface
  interface Decompression {
    byte[] of(byte[] compressed) throws CompressedFormatException;
  }

  OwnFiles(TextModel model, int count, long seed, RealPieces real, Decompression decompression) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, but is " + count);
    }
    this.model = model;
    this.count = count;
    this.seed = seed;
    this.real = real;
    this.decompression = decompression;
  }

  /** Prints a table. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    if (args.length < 1) {
      throw new IllegalArgumentException("arguments must be MODEL [COUNT [SEED]], but are none");
    }
    int count = arguments.integer(1, 1000);
    long seed = arguments.number(2, 1);
    int wrong;
    try (FittedModel fitted = RingFlow.load(Path.of(args[0]))) {
      if (!(fitted instanceof TextModel model)) {
        throw new IllegalArgumentException(args[0] + " must be a model of text, but is of a table");
      }
      RealPieces real = RealPieces.under(Path.of(""));
      Decompression own = new Compressor(model)::decompress;
      wrong = new OwnFiles(model, count, seed, real, own).print(System.out, System.err);
    }
    if (wrong > 0) {
      System.exit(1);
    }
  }

  /** What became of the files of one kind. */
  private static final class KindCounts {
    private int files;
    private int wrong;
    private int byModel;
    private long bytes;
    private long compressed;

    void add(KindCounts other) {
      files += other.files;
      wrong += other.wrong;
      byModel += other.byModel;
      bytes += other.bytes;
      compressed += other.compressed;
    }

    String[] cells(String name) {
      return new String[] {
        name,
        value("%,d", files),
        value("%,d", wrong),
        value("%,d", byModel),
        value("%,.0f", (double) bytes / files),
        value("%,.0f", (double) compressed / files)
      };
    }
  }

  /**
   * Prints a table.
   *
   * @return how many files were wrong
   */
  int print(PrintStream out, PrintStream err) throws IOException {
    var progress = new ProgressLines(err);
    Timed<Map<FileKind, KindCounts>> work = Timed.of(() -> tallies(progress));
    ValueTable table =
        new ValueTable("kind", "files", "wrong", "by the model", "mean bytes", "compressed");
    var all = new KindCounts();
    work.result()
        .forEach(
            (kind, tally) -> {
              table.row(tally.cells(kind.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
              all.add(tally);
            });
    out.println(table.row(all.cells("all files")));
    out.println(
        "What the model is no good for is compressed as without one, or stored, and comes back so.");
    out.println();
    out.println(ValueTable.provenance("Seed " + seed, work.seconds()));
    return all.wrong;
  }

  private Map<FileKind, KindCounts> tallies(ProgressLines progress) throws IOException {
    Map<FileKind, KindCounts> tallies = new EnumMap<>(FileKind.class);
    var files = new RoundtripFiles(model, real, seed);
    var compressor = new Compressor(model);
    for (int i = 0; i < count; i++) {
      RoundtripFiles.Made file = files.next();
      KindCounts tally = tallies.computeIfAbsent(file.kind(), kind -> new KindCounts());
      Compressed compressed = Compressed.of(file.bytes(), compressor, ProgressListener.IGNORED);
      tally.files++;
      tally.bytes += file.bytes().length;
      tally.compressed += compressed.bytes().length;
      tally.byModel += compressed.ways().stream().anyMatch(CodedBy::isByModel) ? 1 : 0;
      if (!comesBack(file, compressed.bytes(), i, progress)) {
        tally.wrong++;
      }
      progress.done("files", i + 1L, count);
    }
    return tallies;
  }

  private boolean comesBack(
      RoundtripFiles.Made file, byte[] compressed, int index, ProgressLines progress) {
    try {
      if (Arrays.equals(file.bytes(), decompression.of(compressed))) {
        return true;
      }
      progress.now("file %d, %s, came back changed", index, file.kind());
    } catch (CompressedFormatException e) {
      progress.now("file %d, %s, did not come back: %s", index, file.kind(), e.getMessage());
    }
    return false;
  }
}
