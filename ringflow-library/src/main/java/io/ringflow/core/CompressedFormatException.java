package io.ringflow.core;

import java.io.IOException;
import java.io.Serial;

/** Compressed bytes cannot be decompressed; the message is one line. */
public final class CompressedFormatException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Bytes that cannot be decompressed.
   *
   * @param reason why not
   */
  public CompressedFormatException(String reason) {
    super(reason);
  }

  /** Compressed bytes that were changed or cut short. */
  public static CompressedFormatException damaged(String how) {
    return new CompressedFormatException("is damaged: " + how);
  }
}
