package io.ringflow.core;

import java.io.IOException;
import java.io.Serial;

/** Says that bytes can't be decompressed, and why; the message is one line for people. */
public final class CompressedFormatException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Bytes that can't be decompressed.
   *
   * @param reason why
   */
  public CompressedFormatException(String reason) {
    super(reason);
  }

  /** Bytes that once were right. */
  public static CompressedFormatException damaged(String how) {
    return new CompressedFormatException("is damaged: " + how);
  }
}
