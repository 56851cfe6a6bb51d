package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.coding.FlowBlocks;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.model.FlowModel;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Compresses any bytes with a model, and gives them back exactly or says why it can't.
 *
 * <pre>{@code
 * var compressor = new Compressor(model, ByteText.of(Vocabulary.TEXT8), hashOfTheModelsFiles);
 * byte[] small = compressor.compress(bytes);
 * byte[] same = compressor.decompress(small);
 * }</pre>
 *
 * <p>The size is what the model's likelihood promises ({@link #estimatedBits}) to within a percent,
 * and some 60 bytes around it. What the model is no good for is deflated or stored as it is: no
 * result is longer than the original by more than 23 bytes.
 *
 * <p>Cost: compressing is one network call in 64 bits, and one for each layer. Decompressing takes
 * the passes of {@link FlowModel#samplingPasses} for every block of rows. The bytes, and a small
 * multiple of them, are held in memory.
 *
 * <p>Probabilities are guarded against rounding that differs between machines. A layer's choice how
 * to move a symbol is not, and hangs on the last bits of 64 about as often as never: whoever throws
 * originals away decompresses and compares first. A wrong byte never comes out unnoticed.
 *
 * <p>Safe from several threads at once. The model is borrowed.
 */
public final class Compressor {
  private static final int HASH_BYTES = 32;
  private static final int KEPT_HASH_BYTES = 16;

  private final ByteText text;
  private final byte[] hash;
  private final FlowBlocks blocks;

  /**
   * Compresses with a model.
   *
   * @param model unconditional; all positions of its rows have the text's symbols
   * @param text how bytes are symbols
   * @param modelHash SHA-256 of what makes the model what it is; 16 bytes of it are kept, so that
   *     nobody decompresses with another
   * @throws IllegalArgumentException if model and text do not fit, or the base has too many symbols
   * @throws IllegalStateException if the model is conditional
   */
  public Compressor(FlowModel model, ByteText text, byte[] modelHash) {
    this(model.coding(), text, modelHash, 0);
  }

  /**
   * Compresses in blocks of chosen size.
   *
   * @param rowsPerBlock 0 for as many as possible
   */
  Compressor(Conditionals coding, ByteText text, byte[] modelHash, int rowsPerBlock) {
    Space rows = coding.rows();
    if (!rows.isUniform() || rows.maxCardinality() != text.symbols()) {
      throw new IllegalArgumentException(
          "the model's rows must have "
              + text.symbols()
              + " symbols at every position, as the text has, but are "
              + rows);
    }
    if (modelHash.length != HASH_BYTES) {
      throw new IllegalArgumentException(
          "modelHash must have " + HASH_BYTES + " bytes, but has " + modelHash.length);
    }
    this.text = text;
    this.hash = Arrays.copyOf(modelHash, KEPT_HASH_BYTES);
    this.blocks = rowsPerBlock == 0 ? new FlowBlocks(coding) : new FlowBlocks(coding, rowsPerBlock);
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
    Optional<byte[]> byFlow = byFlow(bytes, progress);
    return byFlow.isPresent() && byFlow.get().length < smallest.length ? byFlow.get() : smallest;
  }

  /** By the model, shorter or not; nothing if that can't be done safely, as good as never. */
  Optional<byte[]> byFlow(byte[] bytes, ProgressListener progress) {
    ByteText.Parts parts = text.parts(bytes);
    var body = new ByteWriter();
    body.bytes(hash);
    body.number(parts.symbols().length);
    body.number(parts.escapes().length);
    body.bytes(parts.escapes());
    return blocks.write(parts.symbols(), body, scaled(progress, bytes.length))
        ? Optional.of(Container.seal(Container.Method.FLOW, bytes, body.toBytes()))
        : Optional.empty();
  }

  /** Decompresses what {@link #compress} made. */
  public byte[] decompress(byte[] compressed) throws CompressedFormatException {
    return decompress(compressed, ProgressListener.IGNORED);
  }

  /**
   * Decompresses what {@link #compress} made.
   *
   * @throws CompressedFormatException if it is damaged, or was made by something else, a newer
   *     version, or with another model
   * @throws CancellationException if the thread is interrupted
   */
  public byte[] decompress(byte[] compressed, ProgressListener progress)
      throws CompressedFormatException {
    Container container = Container.open(compressed);
    ByteReader body = container.body();
    byte[] restored =
        switch (container.method()) {
          case STORED -> rest(body);
          case DEFLATED -> Deflated.inflate(rest(body), container.length());
          case FLOW -> restored(body, container.length(), progress);
        };
    return container.checked(restored);
  }

  private static byte[] rest(ByteReader body) throws CompressedFormatException {
    return body.bytes("the body", body.remaining());
  }

  private byte[] restored(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException {
    if (!Arrays.equals(hash, body.bytes("the model's hash", KEPT_HASH_BYTES))) {
      throw new CompressedFormatException("was compressed with another model");
    }
    int count = body.number("the number of symbols", length);
    byte[] escapes = body.bytes("escapes", body.number("escapes", body.remaining()));
    char[] symbols = blocks.read(count, body, scaled(progress, length));
    body.finish("the last block");
    return text.bytes(new ByteText.Parts(symbols, escapes), length);
  }

  /** Of symbols, when told in bytes. */
  private static ProgressListener scaled(ProgressListener progress, long bytes) {
    return (done, symbols) ->
        progress.done(symbols == 0 ? bytes : Math.round((double) bytes * done / symbols), bytes);
  }

  /**
   * What the model's likelihood says bytes take, in bits: of the rows that {@link #compress} writes
   * with it, less the end of the last row where that needs no telling; without the bytes that are
   * no symbols, and what is around it all.
   *
   * @throws CancellationException if the thread is interrupted
   */
  public double estimatedBits(byte[] bytes) {
    return blocks.bits(text.parts(bytes).symbols());
  }
}
