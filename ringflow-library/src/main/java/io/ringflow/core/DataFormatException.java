package io.ringflow.core;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** A text or table file is missing, damaged or of another format; the message is one line. */
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
   * A file, what is wrong with it, and the exception that showed it.
   *
   * @param file the offending file
   * @param reason what is wrong, without the path
   * @param cause the exception, or null
   */
  public DataFormatException(Path file, String reason, Throwable cause) {
    super(file + ": " + ModelFormatException.oneLine(reason), cause);
  }
}
