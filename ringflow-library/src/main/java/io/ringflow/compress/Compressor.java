package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.BlocksAtOnce;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.FlowBlocks;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.model.FlowModel;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Compresses any bytes, and gives them back exactly or says why it can't.
 *
 * <pre>{@code
 * Compressor compressor = Compressor.withoutModel();
 * byte[] small = compressor.compress(bytes);
 * byte[] same = compressor.decompress(small);
 * }</pre>
 *
 * <p>Three tiers, from fast to thorough:
 *
 * <ul>
 *   <li>{@linkplain #withoutModel without a model}: counts contexts of the bytes as they come. In
 *       integers, without libtorch.
 *   <li>{@linkplain #Compressor(CountModel) a model by counting}: the same, continuing from what
 *       was counted in a training text.
 *   <li>{@linkplain #Compressor(TextModel) a trained model} of a text. One from left to right
 *       continues from what was counted in its training text, more thoroughly. Of any other the
 *       size is what {@link TextModel#score} promises to within a percent, and some 60 bytes around
 *       it; compressing is one network call in float64, and one for each layer, and decompressing
 *       takes the passes of {@link FlowModel#samplingPasses} for every block of rows.
 * </ul>
 *
 * <p>And {@linkplain #Compressor(TableModel) a model of a table} for files of its rows: cells by
 * the model, and by what was learned from the rows before; all else as it is. {@link #rows} reads
 * some of them alone.
 *
 * <p>What a model is no good for is compressed as without one, deflated or stored as it is,
 * whichever is shortest: no result is longer than the original by more than 23 bytes, or 50 and 22
 * for each part of a long one. Streams are compressed in parts, so that files may be larger than
 * memory; {@link #inBlocks} makes it possible to read {@linkplain #bytes some bytes} alone.
 *
 * <p>By counting, probabilities are the same on every machine. Those of a trained model are guarded
 * against rounding that differs between machines. A layer's choice how to move a symbol is not, and
 * hardly ever depends on the last bits of a float64: whoever throws originals away decompresses and
 * compares first. A wrong byte never comes out unnoticed.
 *
 * <p>Safe from several threads at once. The model is borrowed.
 */
public final class Compressor {
  /** How large a table may get {@linkplain #withoutModel without a model}, in megabytes. */
  public static final int DEFAULT_MEGABYTES = 256;

  /** How short {@linkplain #inBlocks blocks} may be. */
  public static final int MIN_BLOCK = 1 << 10;

  /** How long {@linkplain #inBlocks blocks} may be. */
  public static final int MAX_BLOCK = 1 << 30;

  private final BodyCoding coding;
  private final int partLength;
  private final int block;

  Compressor(BodyCoding coding) {
    this(coding, coding.partLength(), 0);
  }

  private Compressor(BodyCoding coding, int partLength, int block) {
    this.coding = coding;
    this.partLength = partLength;
    this.block = block;
  }

  /** Compresses without a model, with a table of {@link #DEFAULT_MEGABYTES} at most. */
  public static Compressor withoutModel() {
    return withoutModel(DEFAULT_MEGABYTES);
  }

  /**
   * Compresses without a model.
   *
   * @param megabytes that the table may have at most, to compress and to decompress: 1, 2, 4, 8 and
   *     so on up to 1024; short files take less
   */
  public static Compressor withoutModel(int megabytes) {
    return new Compressor(new AdaptiveCoding(megabytes));
  }

  /** Compresses with what was counted in a training text. */
  public Compressor(CountModel model) {
    this(new CountCoding(CountSource.of(model)));
  }

  /**
   * Compresses one file with a model by counting, in half the memory: what was counted in the
   * training text is not kept, but continues. More than one file can be compressed, or one in
   * blocks; then the folder is read again.
   *
   * @param folder of a {@link CountModel}
   * @throws IOException as {@link CountModel#load}
   */
  public static Compressor forOneFile(Path folder) throws IOException {
    return new Compressor(new CountCoding(CountSource.reading(folder)));
  }

  /**
   * Compresses with a model. 16 bytes of its fingerprint are kept with what is compressed, so that
   * nobody decompresses with another.
   *
   * @throws IllegalArgumentException if the base has too many symbols
   */
  public Compressor(TextModel model) {
    this(
        EngineAccess.counts(model.flow())
            .<BodyCoding>map(counts -> new MixedCoding(model, counts.get()))
            .orElseGet(() -> new FlowCoding(model, FlowBlocks::new)));
  }

  /**
   * Compresses files of a table's rows with a model of them. 16 bytes of its fingerprint are kept
   * with what is compressed, so that nobody decompresses with another. A file of which less than
   * half are rows of the table is compressed as without a model.
   *
   * @throws IllegalArgumentException if layers of the model move symbols
   */
  public Compressor(TableModel model) {
    this(new TableCoding(model));
  }

  /** Compresses in blocks and parts of so many rows. */
  Compressor(TableModel model, int rowsPerBlock, int rowsPerPart) {
    this(model, rowsPerBlock, rowsPerPart, SideBySide.availableThreads());
  }

  /** Compresses in blocks and parts of so many rows, by so many threads. */
  Compressor(TableModel model, int rowsPerBlock, int rowsPerPart, int threads) {
    this(new TableCoding(model, rowsPerBlock, rowsPerPart, threads));
  }

  /** Compresses in blocks of chosen size, and reads so many at once. */
  Compressor(TextModel model, int rowsPerBlock, BlocksAtOnce atOnce) {
    this(
        new FlowCoding(
            model,
            (conditionals, partial) ->
                new FlowBlocks(conditionals, partial, rowsPerBlock, atOnce)));
  }

  /** Cuts what is longer than so many bytes into parts. */
  Compressor inParts(int length) {
    return new Compressor(coding, length, block);
  }

  /**
   * A compressor that begins anew after so many bytes: {@link #bytes} then reads no more than the
   * blocks it needs. The smaller blocks are, the less is learned from what came before.
   *
   * <p>With a trained model every part of 8 MB (of a table, 32 MB) stands on its own anyway, and
   * blocks make these smaller.
   *
   * @param length of a block, from {@link #MIN_BLOCK} to {@link #MAX_BLOCK}
   */
  public Compressor inBlocks(int length) {
    if (length < MIN_BLOCK || length > MAX_BLOCK) {
      throw new IllegalArgumentException(
          "length must be " + MIN_BLOCK + " to " + MAX_BLOCK + ", but is " + length);
    }
    return new Compressor(coding, partLength, length);
  }

  /** Compresses bytes. */
  public byte[] compress(byte[] bytes) {
    return compress(bytes, ProgressListener.IGNORED);
  }

  /**
   * Compresses bytes.
   *
   * @throws CancellationException if the thread is interrupted
   */
  public byte[] compress(byte[] bytes, ProgressListener progress) {
    var out = new ByteArrayOutputStream();
    try {
      compress(new ByteArrayInputStream(bytes), out, of(bytes.length, progress));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return out.toByteArray();
  }

  /**
   * Compresses a stream of any length, in memory that does not grow with it: some 30 MB (for a
   * table's rows some 300 MB), and what the {@linkplain #withoutModel tables} take.
   *
   * @param in read to its end; borrowed
   * @param out borrowed
   * @param progress in bytes read, with a total of 0: it is not known
   * @return how many bytes of the original were coded by what
   * @throws CancellationException if the thread is interrupted
   */
  public Map<CodedBy, Long> compress(InputStream in, OutputStream out, ProgressListener progress)
      throws IOException {
    return new StreamCompression(coding, partLength, block).run(in, out, progress);
  }

  private static ProgressListener of(long total, ProgressListener progress) {
    return (done, unknown) -> progress.done(Math.min(done, total), total);
  }

  /** In the compressor's own way, shorter or not; nothing if that can't be done safely. */
  Optional<byte[]> coded(byte[] bytes, ProgressListener progress) {
    ProgressListener stopping = progress.untilInterrupted();
    Optional<byte[]> own =
        coding.write(bytes, stopping).map(body -> Container.seal(coding.method(), bytes, body));
    return own.isPresent() || coding.method() != Container.Method.TABLE
        ? own
        : withoutModel(1).coded(bytes, progress);
  }

  /**
   * Gives back some rows of a table, byte for byte. What was compressed with this model of it is
   * not decompressed as a whole: at most 16,384 rows around them. Lines that are no rows of the
   * table, such as a header, do not count; those between the rows come along.
   *
   * @param from the first row, counted from 0
   * @param to the row behind the last
   * @throws IllegalArgumentException if there are fewer rows, or the model is not one of a table
   * @throws CompressedFormatException if it is damaged, or was made with another model
   */
  public byte[] rows(byte[] compressed, long from, long to, ProgressListener progress)
      throws CompressedFormatException {
    return fromMemory(compressed, progress, (in, out, told) -> rows(in, from, to, out, told));
  }

  /**
   * As {@link #rows(byte[], long, long, ProgressListener)}, of a stream.
   *
   * @param out may have got some rows when an exception says that there are not as many
   * @param progress in bytes read, with a total of 0
   */
  public void rows(InputStream in, long from, long to, OutputStream out, ProgressListener progress)
      throws IOException {
    requireRange("rows", from, to);
    new StreamDecompression(coding, in, progress).rows(from, to, out);
  }

  /**
   * Gives back some bytes of what was compressed. Of a file compressed {@linkplain #inBlocks in
   * blocks} or with a trained model, only blocks or parts that have some of them are decompressed;
   * else all that comes before them too.
   *
   * @param in borrowed
   * @param from the first byte, counted from 0
   * @param to the byte behind the last
   * @param out may have got some bytes when an exception says that there are not as many; borrowed
   * @param progress in bytes read, with a total of 0
   * @throws IllegalArgumentException if there are fewer bytes
   * @throws CompressedFormatException if what is read is damaged
   */
  public void bytes(InputStream in, long from, long to, OutputStream out, ProgressListener progress)
      throws IOException {
    requireRange("bytes", from, to);
    new StreamDecompression(coding, in, progress).bytes(from, to, out);
  }

  private static void requireRange(String what, long from, long to) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(what + " must be a range, but are " + from + " to " + to);
    }
  }

  /** Decompresses what {@link #compress} made. */
  public byte[] decompress(byte[] compressed) throws CompressedFormatException {
    return decompress(compressed, ProgressListener.IGNORED);
  }

  /**
   * Decompresses what {@link #compress} made. What was compressed without a model needs none, but
   * does not mind one.
   *
   * @throws CompressedFormatException if it is damaged, or was made by something else, a newer
   *     version, or with another model
   * @throws CancellationException if the thread is interrupted
   */
  public byte[] decompress(byte[] compressed, ProgressListener progress)
      throws CompressedFormatException {
    return fromMemory(compressed, progress, this::decompress);
  }

  /**
   * Decompresses a stream, in as much memory as compressing took. Every byte that is written was
   * found to be right; those that are missing after an exception are not there.
   *
   * @param in read to its end; borrowed
   * @param out borrowed
   * @param progress in bytes read, with a total of 0
   * @throws CompressedFormatException as above
   * @throws CancellationException if the thread is interrupted
   */
  public void decompress(InputStream in, OutputStream out, ProgressListener progress)
      throws IOException {
    new StreamDecompression(coding, in, progress).bytes(0, Long.MAX_VALUE, out);
  }

  @FunctionalInterface
  private interface Reading {
    void run(InputStream in, OutputStream out, ProgressListener progress) throws IOException;
  }

  private static byte[] fromMemory(byte[] compressed, ProgressListener progress, Reading reading)
      throws CompressedFormatException {
    var out = new ByteArrayOutputStream();
    try {
      reading.run(new ByteArrayInputStream(compressed), out, of(compressed.length, progress));
    } catch (CompressedFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return out.toByteArray();
  }
}
