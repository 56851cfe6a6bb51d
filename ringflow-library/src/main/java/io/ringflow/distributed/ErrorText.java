package io.ringflow.distributed;

/**
 * Makes the exceptions of one process of a group: one line with the rank and what happened.
 *
 * @param rendezvous where the process joined, or tried to
 */
record ErrorText(Rendezvous rendezvous) {
  ProcessGroupException of(String what, Throwable cause) {
    return new ProcessGroupException(
        "rank " + rendezvous.rank() + " of " + rendezvous.size() + ": " + what, cause);
  }

  /** Adds libtorch's own message in parentheses. */
  ProcessGroupException quoting(String what, RuntimeException cause) {
    return of(what + " (" + firstLine(cause) + ")", cause);
  }

  /** Another process is gone, or does not answer. */
  ProcessGroupException lost(RuntimeException e) {
    String message = firstLine(e);
    // Gloo has two words for a time-out: one for the operation that waited, one for the others.
    return message.contains("imed out") || message.contains("imeout")
        ? of(
            "another process did not answer within "
                + seconds()
                + ", it may hang; RINGFLOW_TIMEOUT sets how long to wait",
            e)
        : quoting("another process is gone", e);
  }

  /** The time-out. */
  String seconds() {
    return rendezvous.timeout().toSeconds() + " s";
  }

  /** libtorch's first line without the name of its source file. */
  private static String firstLine(RuntimeException e) {
    String line = String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("");
    return line.replaceFirst("^\\[[^\\]]*\\] ?", "");
  }
}
