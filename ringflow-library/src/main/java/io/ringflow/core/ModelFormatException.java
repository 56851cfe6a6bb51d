package io.ringflow.core;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** A model file or folder is missing, damaged or of another format; the message is one line. */
public final class ModelFormatException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** Reasons quote the file, which may hold a name of megabytes. */
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
   * A file, what is wrong with it, and the exception that showed it.
   *
   * @param file the offending file or folder
   * @param reason what is wrong, without the path
   * @param cause the exception, or null
   */
  public ModelFormatException(Path file, String reason, Throwable cause) {
    super(file + ": " + oneLine(reason), cause);
  }

  /** One bounded line: control characters of a hostile file could steer the reader's terminal. */
  static String oneLine(String reason) {
    String line = reason.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() <= MAX_REASON_LENGTH ? line : line.substring(0, MAX_REASON_LENGTH) + "...";
  }
}
