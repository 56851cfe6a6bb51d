package io.ringflow.core;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** Says that a file is missing, damaged or not what it should be; the message is one line. */
public final class ModelFormatException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** Reasons quote the file, and a file may hold a name of megabytes. */
  private static final int MAX_REASON_LENGTH = 400;

  /**
   * A file and what is wrong with it.
   *
   * @param file the offending file or folder
   * @param reason what is wrong, without the path
   */
  public ModelFormatException(Path file, String reason) {
    this(file, reason, null);
  }

  /**
   * A file, what is wrong with it, and how that came to light.
   *
   * @param file the offending file or folder
   * @param reason what is wrong, without the path
   * @param cause the exception that told, or null
   */
  public ModelFormatException(Path file, String reason, Throwable cause) {
    super(file + ": " + oneLine(reason), cause);
  }

  // Control characters from a hostile file could otherwise steer the reader's terminal.
  private static String oneLine(String reason) {
    String line = reason.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() <= MAX_REASON_LENGTH ? line : line.substring(0, MAX_REASON_LENGTH) + "...";
  }
}
