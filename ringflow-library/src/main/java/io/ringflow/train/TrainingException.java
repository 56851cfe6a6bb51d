package io.ringflow.train;

/** Training can't go on; the message says why and what may help. */
public final class TrainingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TrainingException(String message) {
    super(message);
  }
}
