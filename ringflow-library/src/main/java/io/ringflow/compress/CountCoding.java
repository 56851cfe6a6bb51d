package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.mixing.BytePredictor;

/** Codes bytes by what was counted in a training text, and then in those before them. */
final class CountCoding extends CountedCoding {
  private final CountSource source;
  private final ModelHash hash;

  CountCoding(CountSource source) {
    this.source = source;
    this.hash = new ModelHash(source.fingerprint());
  }

  @Override
  public Container.Method method() {
    return Container.Method.COUNTS;
  }

  @Override
  BytePredictor begin(ByteWriter body, long length) {
    hash.write(body);
    return source.next();
  }

  @Override
  BytePredictor begin(ByteReader body) throws CompressedFormatException {
    hash.check(body);
    return source.next();
  }
}
