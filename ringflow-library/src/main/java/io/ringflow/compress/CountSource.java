package io.ringflow.compress;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.mixing.BytePredictor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;

/** What a model by counting has learned, for everything that begins with it. */
final class CountSource {
  private final byte[] fingerprint;
  private final Path folder; // null if the model is somebody's
  private BytePredictor unused; // what was read, until somebody begins with it
  private CountModel kept; // null until it is needed

  private CountSource(byte[] fingerprint, Path folder, BytePredictor unused, CountModel kept) {
    this.fingerprint = fingerprint;
    this.folder = folder;
    this.unused = unused;
    this.kept = kept;
  }

  /** Copies of a model's. */
  static CountSource of(CountModel model) {
    return new CountSource(model.fingerprint(), null, null, model);
  }

  /**
   * The first time the very one that was read from a folder, which saves its memory and the time to
   * touch as much again. From the second time on copies of one that is read again.
   */
  static CountSource reading(Path folder) throws IOException {
    CountModel read = CountModel.load(folder);
    return new CountSource(read.fingerprint(), folder, read.predictor(), null);
  }

  /** SHA-256 of all that determines the model. */
  byte[] fingerprint() {
    return fingerprint.clone();
  }

  /**
   * A predictor that nobody else has.
   *
   * @throws UncheckedIOException if the folder can no longer be read, or holds another model
   */
  synchronized BytePredictor next() {
    if (unused != null) {
      BytePredictor next = unused;
      unused = null;
      return next;
    }
    if (kept == null) {
      kept = readAgain();
    }
    return kept.copy();
  }

  private CountModel readAgain() {
    try {
      CountModel model = CountModel.load(folder);
      if (!Arrays.equals(fingerprint, model.fingerprint())) {
        throw new ModelFormatException(folder, "is no longer the model that was read before");
      }
      return model;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
