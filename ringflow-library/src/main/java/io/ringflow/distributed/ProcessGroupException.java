package io.ringflow.distributed;

/**
 * The team can't go on: another process is gone, does not answer in time, or was never there.
 *
 * <p>Nothing can be mended from inside: the process should end, so that whoever started it can
 * start all of them again. A training then goes on from its last checkpoint.
 */
public final class ProcessGroupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProcessGroupException(String message, Throwable cause) {
    super(message, cause);
  }
}
