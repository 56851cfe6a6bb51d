package io.ringflow.distributed;

/**
 * A process group has failed: another process is gone, does not answer in time, or never joined.
 *
 * <p>The group can't be repaired from inside. The process should end, so that whoever started the
 * group can start all processes again; a training then resumes from its last checkpoint.
 */
public final class ProcessGroupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProcessGroupException(String message, Throwable cause) {
    super(message, cause);
  }
}
