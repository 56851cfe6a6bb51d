package io.ringflow.core;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/**
 * Says that a text or table is missing, damaged or not what it should be; the message is one line.
 */
public final class DataFormatException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * A file and what is wrong with it.
   *
   * @param file the offending file
   * @param reason what is wrong, without the path
   */
  public DataFormatException(Path file, String reason) {
    this(file, reason, null);
  }

  /**
   * A file, what is wrong with it, and how that came to light.
   *
   * @param file the offending file
   * @param reason what is wrong, without the path
   * @param cause the exception that told, or null
   */
  public DataFormatException(Path file, String reason, Throwable cause) {
    // Reasons quote other people's files and servers, which must not steer a terminal.
    super(file + ": " + reason.replaceAll("[\\p{Cntrl}\\s]+", " ").strip(), cause);
  }
}
