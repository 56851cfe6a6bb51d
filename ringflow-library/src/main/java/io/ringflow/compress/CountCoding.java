package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.mixing.ByteCoding;
import java.util.Optional;

/** Codes bytes by what was counted in a training text, and then in those before them. */
final class CountCoding implements BodyCoding {
  private final CountModel model;
  private final ModelHash hash;

  CountCoding(CountModel model) {
    this.model = model;
    this.hash = new ModelHash(model.fingerprint());
  }

  @Override
  public Container.Method method() {
    return Container.Method.COUNTS;
  }

  @Override
  public Optional<byte[]> write(byte[] bytes, ProgressListener progress) {
    var body = new ByteWriter();
    hash.write(body);
    body.bytes(ByteCoding.encode(bytes, model.predictor(), progress));
    return Optional.of(body.toBytes());
  }

  @Override
  public byte[] read(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException {
    hash.check(body);
    byte[] code = body.bytes("the code", body.remaining());
    return ByteCoding.decode(code, length, model.predictor(), progress);
  }
}
