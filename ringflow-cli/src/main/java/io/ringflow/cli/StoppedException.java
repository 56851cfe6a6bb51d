package io.ringflow.cli;

/** A run that failed or was interrupted, but can be taken up again. */
final class StoppedException extends Exception {
  private static final long serialVersionUID = 1;

  private final String command;

  /**
   * A run that stopped.
   *
   * @param cause why
   * @param command what to type to continue
   */
  StoppedException(Throwable cause, String command) {
    super(cause);
    this.command = command;
  }

  String command() {
    return command;
  }
}
