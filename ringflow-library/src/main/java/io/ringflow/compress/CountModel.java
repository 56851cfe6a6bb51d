package io.ringflow.compress;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.ringflow.core.ModelFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.mixing.ByteCoding;
import io.ringflow.internal.mixing.BytePredictor;
import io.ringflow.internal.mixing.ReusedTables;
import io.ringflow.internal.mixing.TableSize;
import io.ringflow.internal.natives.Versions;
import io.ringflow.internal.store.ConfigFile;
import io.ringflow.internal.store.DeflatedPieces;
import io.ringflow.internal.store.FolderWriter;
import io.ringflow.internal.store.Json;
import io.ringflow.internal.store.Sha256;
import io.ringflow.text.TextModel;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.zip.Deflater;

/**
 * What a training text has taught by counting alone: which bytes follow which contexts, and how far
 * each kind of context is to be trusted.
 *
 * <pre>{@code
 * CountModel model = CountModel.train(bytes);
 * model.save(Path.of("novel.counts"));
 * byte[] small = new Compressor(model).compress(chapter);
 * double bits = model.score(chapter, ProgressListener.IGNORED).bits(); // as many, but for rounding
 * }</pre>
 *
 * <p>Made in one pass, by integers only: the same text gives the same model on every machine, and
 * libtorch is not needed. While a file is compressed, the counts continue from those of the
 * training text, on both sides alike; the model itself stays as it is. So it is a distribution of
 * bytes of any length, exact and normalised, in which every byte depends on all before it; the same
 * one is scored and sampled.
 *
 * <p>Takes a quarter more memory than its table, and each thread that uses it as much again.
 *
 * <p>Safe from several threads at once.
 */
public final class CountModel {
  private static final String FORMAT = "ringflow-counts";
  private static final int VERSION = 2;
  private static final String COUNTS = "counts.bin";
  private static final int BUFFER = 1 << 16;

  private final BytePredictor learned;
  private final long trainingBytes;
  private final byte[] fingerprint;

  private CountModel(BytePredictor learned, long trainingBytes, byte[] fingerprint) {
    this.learned = learned;
    this.trainingBytes = trainingBytes;
    this.fingerprint = fingerprint;
  }

  @JsonPropertyOrder({
    "format",
    "version",
    "sha256",
    "megabytes",
    "trainingBytes",
    "fingerprint",
    "ringflow"
  })
  private record Config(
      String format,
      int version,
      Map<String, String> sha256,
      int megabytes,
      long trainingBytes,
      String fingerprint,
      String ringflow) {
    Config {
      sha256 = Map.copyOf(sha256);
      Objects.requireNonNull(fingerprint);
    }
  }

  /**
   * How many megabytes of a table suit a text: 256, and the next larger ones from 32 and 64 MB of
   * text on; fewer where Java's memory is too small for them.
   */
  public static int megabytes(long textBytes) {
    return AdaptiveCoding.megabytes(TableSize.slotBits(textBytes, BytePredictor::bytes));
  }

  /** Counts a text, in a table that {@linkplain #megabytes(long) suits} it. */
  public static CountModel train(byte[] text) {
    return train(text, megabytes(text.length), ProgressListener.IGNORED);
  }

  /**
   * Counts a text, or any bytes.
   *
   * @param megabytes of the table: 1, 2, 4, 8 and so on up to 1024; a table that is too small
   *     forgets what is rare
   * @param progress in bytes
   * @throws CancellationException if the thread is interrupted
   */
  public static CountModel train(byte[] text, int megabytes, ProgressListener progress) {
    try {
      return train(
          new ByteArrayInputStream(text),
          megabytes,
          (done, unknown) -> progress.done(done, text.length));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }

  /**
   * Counts a text, or any bytes, such as those of several files; holds only a piece of them in
   * memory.
   *
   * @param text read to its end; borrowed
   * @param megabytes of the table, as above
   * @param progress in bytes, with a total of 0: it is not known
   * @throws CancellationException if the thread is interrupted
   * @throws OutOfMemoryError if there is too little for the table, and says how much it takes
   */
  public static CountModel train(InputStream text, int megabytes, ProgressListener progress)
      throws IOException {
    int slotBits = AdaptiveCoding.slotBits(megabytes);
    BytePredictor predictor = fitting(slotBits, () -> new BytePredictor(slotBits));
    // The text and the table's size determine everything else.
    MessageDigest digest = Sha256.digest();
    digest.update(new byte[] {VERSION, (byte) predictor.slotBits()});
    ProgressListener stopping = progress.untilInterrupted();
    long bytes = 0;
    for (byte[] piece = text.readNBytes(BUFFER); piece.length > 0; ) {
      stopping.done(bytes, 0);
      ByteCoding.learn(piece, predictor, ProgressListener.IGNORED);
      digest.update(piece);
      bytes += piece.length;
      piece = text.readNBytes(BUFFER);
    }
    stopping.done(bytes, 0);
    return new CountModel(predictor, bytes, digest.digest());
  }

  private static BytePredictor fitting(int slotBits, Supplier<BytePredictor> made) {
    try {
      return made.get();
    } catch (OutOfMemoryError e) {
      var told = new OutOfMemoryError(tooLarge(slotBits));
      told.initCause(e);
      throw told;
    }
  }

  /** What was learned, to go on from. */
  BytePredictor copy() {
    return fitting(learned.slotBits(), learned::copy);
  }

  private BytePredictor copy(ReusedTables tables) {
    return fitting(learned.slotBits(), () -> learned.copy(tables));
  }

  private static String tooLarge(int slotBits) {
    return "a table of %,d MB takes %,d MB of memory, more than Java has left here (-Xmx)"
        .formatted(AdaptiveCoding.megabytes(slotBits), BytePredictor.bytes(slotBits) >> 20);
  }

  /** How many bytes were counted. */
  public long trainingBytes() {
    return trainingBytes;
  }

  /** The size of the table. */
  public int megabytes() {
    return AdaptiveCoding.megabytes(learned.slotBits());
  }

  /**
   * How likely bytes are: the symbols of the score are bytes, and none is unknown.
   *
   * @param progress in bytes
   * @throws CancellationException if the thread is interrupted
   */
  public TextModel.Score score(byte[] bytes, ProgressListener progress) {
    BytePredictor predictor = copy();
    double bits = ByteCoding.bits(bytes, predictor, progress.untilInterrupted());
    return new TextModel.Score(bytes.length, 0, bits);
  }

  /**
   * Samples bytes that come after others. A call takes one copy of all that was learned; behind
   * each sample, what it changed there is restored.
   *
   * @param count of samples, independent of each other
   * @param beginning that every sample begins with
   * @param length of each, at least that of the beginning
   * @param seed the same one gives the same samples on every machine
   * @param progress in samples
   * @throws CancellationException if the thread is interrupted
   */
  public List<byte[]> sample(
      int count, byte[] beginning, int length, long seed, ProgressListener progress) {
    if (count < 1 || length < beginning.length) {
      throw new IllegalArgumentException(
          "count must be at least 1 and length at least the beginning's, but they are %d and %d, and it has %d"
              .formatted(count, length, beginning.length));
    }
    ProgressListener stopping = progress.untilInterrupted();
    var random = new SplittableRandom(seed);
    var tables = new ReusedTables();
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stopping.done(i, count);
      BytePredictor predictor = copy(tables);
      ByteCoding.learn(beginning, predictor, ProgressListener.IGNORED);
      byte[] sample = Arrays.copyOf(beginning, length);
      ByteCoding.sample(sample, beginning.length, predictor, random.split());
      samples.add(sample);
    }
    stopping.done(count, count);
    return samples;
  }

  /** SHA-256 of all that determines the model: models with the same one are the same. */
  public byte[] fingerprint() {
    return fingerprint.clone();
  }

  /** What was learned. */
  BytePredictor predictor() {
    return learned;
  }

  /** Checks that a folder can be written, before there is something to write. */
  public static void requireSavable(Path folder) throws IOException {
    FolderWriter.createParents(folder);
    FolderWriter.check(folder, FORMAT);
  }

  /** Writes the model to a folder, in place of an older one; whole or not at all. */
  public void save(Path folder) throws IOException {
    FolderWriter.createParents(folder);
    FolderWriter.write(
        folder,
        FORMAT,
        target -> {
          writeCounts(target.resolve(COUNTS));
          Json.write(
              target.resolve(ConfigFile.NAME),
              new Config(
                  FORMAT,
                  VERSION,
                  ConfigFile.checksums(target),
                  megabytes(),
                  trainingBytes,
                  HexFormat.of().formatHex(fingerprint),
                  Versions.ringflow()));
        });
  }

  private void writeCounts(Path file) throws IOException {
    // Half of a table is zeros, which the fastest level finds too.
    try (var out =
        new DataOutputStream(
            new BufferedOutputStream(DeflatedPieces.writer(file, Deflater.BEST_SPEED), BUFFER))) {
      learned.write(out);
    }
  }

  /** Whether a folder says that it holds such a model. */
  public static boolean isAt(Path folder) throws IOException {
    FolderWriter.recover(folder);
    return Files.exists(folder.resolve(ConfigFile.NAME)) && ConfigFile.hasFormat(folder, FORMAT);
  }

  /**
   * Reads a model from its folder.
   *
   * @throws IOException if it is missing, damaged, foreign, or of a newer version
   */
  public static CountModel load(Path folder) throws IOException {
    FolderWriter.recover(folder);
    if (!Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString(), null, "no such model folder");
    }
    Config config = ConfigFile.read(folder, FORMAT, VERSION, Config.class, List.of());
    Path counts = folder.resolve(COUNTS);
    if (!Files.exists(counts)) {
      throw new ModelFormatException(counts, "is missing");
    }
    ConfigFile.verify(folder, config.sha256, Set.of(COUNTS));
    try {
      int slotBits = AdaptiveCoding.slotBits(config.megabytes);
      byte[] fingerprint = HexFormat.of().parseHex(config.fingerprint);
      return new CountModel(readCounts(counts, slotBits), config.trainingBytes, fingerprint);
    } catch (IllegalArgumentException e) {
      throw new ModelFormatException(folder.resolve(ConfigFile.NAME), e.getMessage(), e);
    }
  }

  private static BytePredictor readCounts(Path file, int slotBits) throws IOException {
    try (var in =
        new DataInputStream(new BufferedInputStream(DeflatedPieces.reader(file), BUFFER))) {
      BytePredictor predictor = BytePredictor.read(slotBits, in);
      if (in.read() >= 0) {
        throw new ModelFormatException(file, "is longer than its table");
      }
      return predictor;
    } catch (EOFException e) {
      throw new ModelFormatException(file, "is shorter than its table", e);
    } catch (OutOfMemoryError e) {
      throw new ModelFormatException(file, tooLarge(slotBits), e);
    }
  }
}
