package io.ringflow.distributed;

/** What a process says when its team fails it: who it is, and what happened, in one line. */
record ErrorText(Rendezvous place) {
  /** Something that is known well enough. */
  ProcessGroupException of(String what, Throwable cause) {
    return new ProcessGroupException(
        "rank " + place.rank() + " of " + place.size() + ": " + what, cause);
  }

  /** Something with libtorch's own words for it. */
  ProcessGroupException quoting(String what, RuntimeException cause) {
    return of(what + " (" + said(cause) + ")", cause);
  }

  /** Another process is gone, or silent. */
  ProcessGroupException lost(RuntimeException e) {
    String said = said(e);
    // Gloo says so in two ways: of what waited too long, and of what else was under way then.
    return said.contains("imed out") || said.contains("imeout")
        ? of(
            "another process did not answer within "
                + seconds()
                + ", it may hang; RINGFLOW_TIMEOUT sets how long to wait",
            e)
        : quoting("another process is gone", e);
  }

  /** The time-out. */
  String seconds() {
    return place.timeout().toSeconds() + " s";
  }

  /** libtorch's first line without the name of its own source file. */
  private static String said(RuntimeException e) {
    String line = String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("");
    return line.replaceFirst("^\\[[^\\]]*\\] ?", "");
  }
}
