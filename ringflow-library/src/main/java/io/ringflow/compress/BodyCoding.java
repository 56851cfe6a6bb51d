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

  /** How many bytes of a long file are coded at once, at most. */
  int partLength();

  /**
   * Where a part of a long file had better end.
   *
   * @param bytes as many as a part may have
   * @return how many of them are the part, at least 1
   */
  default int end(byte[] bytes) {
    return bytes.length;
  }

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
