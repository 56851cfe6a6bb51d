package io.ringflow.torch;

/** libtorch refused an operation; the message is the first line of its complaint. */
public final class TorchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private TorchException(String message, Throwable cause) {
    super(message, cause);
  }

  /**
   * The exception to throw for one that came out of the binding. Only bare {@code
   * RuntimeException}s out of a native method are libtorch's; all others pass unchanged.
   *
   * @param thrown what was caught
   */
  public static RuntimeException translate(RuntimeException thrown) {
    StackTraceElement[] trace = thrown.getStackTrace();
    if (thrown.getClass() != RuntimeException.class
        || thrown.getMessage() == null
        || trace.length == 0
        || !trace[0].isNativeMethod()) {
      return thrown;
    }
    String firstLine = thrown.getMessage().lines().findFirst().orElse("unknown error").strip();
    return new TorchException("libtorch: " + firstLine, thrown);
  }
}
