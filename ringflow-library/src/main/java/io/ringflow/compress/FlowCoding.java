package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.FlowBlocks;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.PartialRows;
import io.ringflow.model.Architecture;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import java.util.Optional;
import java.util.function.BiFunction;

/** Codes symbols by the exact probabilities of a text model, and escapes beside them. */
final class FlowCoding implements BodyCoding {
  private static final int PART_LENGTH = 1 << 23;

  private final ByteText text;
  private final ModelHash hash;
  private final FlowBlocks blocks;

  FlowCoding(TextModel model, BiFunction<Conditionals, PartialRows, FlowBlocks> blocks) {
    TextCodec codec = model.codec();
    Vocabulary vocabulary = codec.vocabulary();
    Architecture architecture = model.flow().architecture();
    this.text = ByteText.of(codec.unit() == Unit.BYTES, vocabulary.codePoints(), vocabulary::id);
    this.hash = new ModelHash(model.flow().fingerprint());
    PartialRows partial =
        new PartialRows(
            architecture.movesSymbols() ? null : architecture.positions(), codec.counts());
    this.blocks = blocks.apply(new Conditionals(EngineAccess.of(model.flow())), partial);
  }

  @Override
  public Container.Method method() {
    return Container.Method.FLOW;
  }

  @Override
  public int partLength() {
    return PART_LENGTH;
  }

  @Override
  public Optional<byte[]> write(byte[] bytes, ProgressListener progress) {
    ByteText.Parts parts = text.parts(bytes);
    var body = new ByteWriter();
    hash.write(body);
    body.number(parts.symbols().length);
    body.number(parts.escapes().length);
    body.bytes(parts.escapes());
    return blocks.write(parts.symbols(), body, scaled(progress, bytes.length))
        ? Optional.of(body.toBytes())
        : Optional.empty();
  }

  @Override
  public byte[] read(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException {
    hash.check(body);
    int count = body.number("the number of symbols", length);
    byte[] escapes = body.bytes("escapes", body.number("escapes", body.remaining()));
    char[] symbols = blocks.read(count, body, scaled(progress, length));
    body.finish("the last block");
    return text.bytes(new ByteText.Parts(symbols, escapes), length);
  }

  /** Progress in symbols, told in bytes. */
  private static ProgressListener scaled(ProgressListener progress, long bytes) {
    return (done, symbols) ->
        progress.done(symbols == 0 ? bytes : Math.round((double) bytes * done / symbols), bytes);
  }
}
