package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.mixing.BytePredictor;

/** Codes bytes by what was counted in a training text, and then in those before them. */
final class CountCoding extends CountedCoding {
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
  BytePredictor begin(ByteWriter body, long length) {
    hash.write(body);
    return model.predictor();
  }

  @Override
  BytePredictor begin(ByteReader body) throws CompressedFormatException {
    hash.check(body);
    return model.predictor();
  }
}
