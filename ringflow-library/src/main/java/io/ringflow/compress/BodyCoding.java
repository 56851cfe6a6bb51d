package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.Container;
import java.util.Optional;

/** One way to code bytes: makes and reads the body of a container. */
interface BodyCoding {
  /** What the container calls it. */
  Container.Method method();

  /** Returns the body for bytes, shorter or not; nothing if that can't be done safely. */
  Optional<byte[]> write(byte[] bytes, ProgressListener progress);

  /**
   * Gives back the bytes of a body.
   *
   * @param length how many there are, as the container claims
   */
  byte[] read(ByteReader body, int length, ProgressListener progress)
      throws CompressedFormatException;
}
