package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.BlocksAtOnce;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.coding.FlowBlocks;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.model.FlowModel;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextModel;
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
 *   <li>{@linkplain #withoutModel without a model}: counts contexts of the bytes as they come.
 *       About 300 kB/s both ways, in integers, without libtorch.
 *   <li>{@linkplain #Compressor(CountModel) a model by counting}: the same, going on from what was
 *       counted in a training text.
 *   <li>{@linkplain #Compressor(TextModel) a trained model} of a text. One from left to right goes
 *       on from what was counted in its training text, more thoroughly, at about 100 kB/s; on a GPU
 *       its network takes part. Of any other the size is what {@link TextModel#score} promises to
 *       within a percent, and some 60 bytes around it; compressing is one network call in float64,
 *       and one for each layer, and decompressing takes the passes of {@link
 *       FlowModel#samplingPasses} for every block of rows.
 * </ul>
 *
 * <p>And {@linkplain #Compressor(TableModel) a model of a table} for files of its rows: cells by
 * the model, and by what was learned from the rows before; all else as it is. {@link #rows} reads
 * some of them alone.
 *
 * <p>What all that is no good for is deflated or stored as it is: no result is longer than the
 * original by more than 23 bytes. The bytes, and a small multiple of them, are held in memory.
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

  private final BodyCoding coding;

  Compressor(BodyCoding coding) {
    this.coding = coding;
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
    this(new CountCoding(model));
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
    this(new TableCoding(model, rowsPerBlock, rowsPerPart));
  }

  /** Compresses in blocks of chosen size, and reads so many at once. */
  Compressor(TextModel model, int rowsPerBlock, BlocksAtOnce atOnce) {
    this(
        new FlowCoding(
            model,
            (conditionals, partial) ->
                new FlowBlocks(conditionals, partial, rowsPerBlock, atOnce)));
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
    byte[] smallest = Container.seal(Container.Method.STORED, bytes, bytes);
    byte[] deflated = Container.seal(Container.Method.DEFLATED, bytes, Deflated.of(bytes));
    if (deflated.length < smallest.length) {
      smallest = deflated;
    }
    Optional<byte[]> coded = coded(bytes, progress);
    return coded.isPresent() && coded.get().length < smallest.length ? coded.get() : smallest;
  }

  /** In the compressor's own way, shorter or not; nothing if that can't be done safely. */
  Optional<byte[]> coded(byte[] bytes, ProgressListener progress) {
    ProgressListener stopping = progress.untilInterrupted();
    Optional<byte[]> own =
        coding.write(bytes, stopping).map(body -> Container.seal(coding.method(), bytes, body));
    if (own.isPresent() || coding.method() != Container.Method.TABLE) {
      return own;
    }
    var without = new AdaptiveCoding(DEFAULT_MEGABYTES);
    return without
        .write(bytes, stopping)
        .map(body -> Container.seal(without.method(), bytes, body));
  }

  /**
   * Gives back some rows of a table that was compressed with its model, byte for byte, without
   * decompressing all: at most 16,384 rows around them. Lines that are no rows of the table, such
   * as a header, do not count; those between the rows come along.
   *
   * @param from the first row, counted from 0
   * @param to the row behind the last
   * @throws IllegalArgumentException if there are fewer rows, or the file was not compressed as a
   *     table
   * @throws CompressedFormatException if it is damaged, or was made with another model
   */
  public byte[] rows(byte[] compressed, long from, long to, ProgressListener progress)
      throws CompressedFormatException {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("rows must be a range, but are " + from + " to " + to);
    }
    Container container = Container.open(compressed);
    if (container.method() != Container.Method.TABLE || !(coding instanceof TableCoding table)) {
      throw new IllegalArgumentException(
          container.method() == Container.Method.TABLE
              ? "was compressed with the model of a table, which it takes to read rows"
              : "was not compressed as rows of a table, so that rows can't be read alone");
    }
    return table.rows(container.body(), container.length(), from, to, progress.untilInterrupted());
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
    Container container = Container.open(compressed);
    ByteReader body = container.body();
    ProgressListener stopping = progress.untilInterrupted();
    byte[] restored =
        switch (container.method()) {
          case STORED -> rest(body);
          case DEFLATED -> Deflated.inflate(rest(body), container.length());
          case ADAPTIVE -> AdaptiveCoding.restored(body, container.length(), stopping);
          case FLOW, COUNTS, TABLE, MIXED -> restored(container, stopping);
        };
    return container.checked(restored);
  }

  private static byte[] rest(ByteReader body) throws CompressedFormatException {
    return body.bytes("the body", body.remaining());
  }

  private byte[] restored(Container container, ProgressListener progress)
      throws CompressedFormatException {
    if (coding.method() != container.method()) {
      throw new CompressedFormatException(
          coding instanceof AdaptiveCoding
              ? "was compressed with a model, and takes the same one to decompress"
              : "was compressed with another model");
    }
    return coding.read(container.body(), container.length(), progress);
  }
}
