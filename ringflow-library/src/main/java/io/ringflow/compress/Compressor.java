package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.BlocksAtOnce;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.coding.FlowBlocks;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.PartialRows;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;

/**
 * Compresses any bytes with a text model, and gives them back exactly or says why it can't.
 *
 * <pre>{@code
 * var compressor = new Compressor(model);
 * byte[] small = compressor.compress(bytes);
 * byte[] same = compressor.decompress(small);
 * }</pre>
 *
 * <p>The size is what {@link TextModel#score} promises to within a percent, and some 60 bytes
 * around it. What the model is no good for is deflated or stored as it is: no result is longer than
 * the original by more than 23 bytes.
 *
 * <p>Cost: compressing is one network call in float64, and one for each layer. Decompressing takes
 * the passes of {@link FlowModel#samplingPasses} for every block of rows. The bytes, and a small
 * multiple of them, are held in memory.
 *
 * <p>Probabilities are guarded against rounding that differs between machines. A layer's choice how
 * to move a symbol is not, and hardly ever depends on the last bits of a float64: whoever throws
 * originals away decompresses and compares first. A wrong byte never comes out unnoticed.
 *
 * <p>Safe from several threads at once. The model is borrowed.
 */
public final class Compressor {
  private static final int KEPT_HASH_BYTES = 16;

  private final ByteText text;
  private final byte[] hash;
  private final FlowBlocks blocks;

  /**
   * Compresses with a model. 16 bytes of its fingerprint are kept with what is compressed, so that
   * nobody decompresses with another.
   *
   * @throws IllegalArgumentException if the base has too many symbols
   */
  public Compressor(TextModel model) {
    this(model, FlowBlocks::new);
  }

  /** Compresses in blocks of chosen size, and reads so many at once. */
  Compressor(TextModel model, int rowsPerBlock, BlocksAtOnce atOnce) {
    this(
        model,
        (conditionals, partial) -> new FlowBlocks(conditionals, partial, rowsPerBlock, atOnce));
  }

  private Compressor(TextModel model, BiFunction<Conditionals, PartialRows, FlowBlocks> blocks) {
    TextCodec codec = model.codec();
    Vocabulary vocabulary = codec.vocabulary();
    Architecture architecture = model.flow().architecture();
    this.text = ByteText.of(codec.unit() == Unit.BYTES, vocabulary.codePoints(), vocabulary::id);
    this.hash = Arrays.copyOf(model.flow().fingerprint(), KEPT_HASH_BYTES);
    PartialRows partial =
        new PartialRows(
            architecture.movesSymbols() ? null : architecture.positions(), codec.counts());
    this.blocks = blocks.apply(new Conditionals(EngineAccess.of(model.flow())), partial);
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

  /** By the model, shorter or not; nothing if that can't be done safely. */
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

  /** Progress in symbols, told in bytes; ends the work of an interrupted thread. */
  private static ProgressListener scaled(ProgressListener progress, long bytes) {
    ProgressListener inBytes = progress.untilInterrupted();
    return (done, symbols) ->
        inBytes.done(symbols == 0 ? bytes : Math.round((double) bytes * done / symbols), bytes);
  }
}
