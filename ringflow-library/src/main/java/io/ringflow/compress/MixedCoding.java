package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.MixedBlocks;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextCodec.Unit;
import io.ringflow.text.TextModel;
import java.util.Optional;
import java.util.function.BiFunction;

/** Codes bytes by a text model and by what was counted in its training text, mixed. */
final class MixedCoding implements BodyCoding {
  private static final int PART_LENGTH = 1 << 23;

  private final CountedText counts;
  private final ModelHash hash;
  private final MixedBlocks blocks;

  MixedCoding(TextModel model, CountedText counts) {
    this(model, counts, MixedBlocks::new);
  }

  MixedCoding(
      TextModel model, CountedText counts, BiFunction<Conditionals, byte[][], MixedBlocks> blocks) {
    TextCodec codec = model.codec();
    ByteText text =
        ByteText.of(
            codec.unit() == Unit.BYTES, codec.vocabulary().codePoints(), codec.vocabulary()::id);
    this.counts = counts;
    this.hash = new ModelHash(counts.fingerprint(model.flow().fingerprint()));
    this.blocks = blocks.apply(new Conditionals(EngineAccess.of(model.flow())), text.spellings());
  }

  @Override
  public Container.Method method() {
    return Container.Method.MIXED;
  }

  @Override
  public int partLength() {
    return PART_LENGTH;
  }

  @Override
  public Optional<byte[]> write(byte[] bytes, ProgressListener progress) {
    var body = new ByteWriter();
    hash.write(body);
    return blocks.write(bytes, counts.predictor().copy(), body, progress)
        ? Optional.of(body.toBytes())
        : Optional.empty();
  }

  @Override
  public byte[] read(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException {
    hash.check(body);
    return blocks.read(body, length, counts.predictor().copy(), progress);
  }
}
