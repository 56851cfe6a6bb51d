package io.ringflow.internal.graph;

/** Work can't be captured, or a captured graph not launched; the message is one line. */
final class CaptureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CaptureException(String message) {
    super(message);
  }
}
