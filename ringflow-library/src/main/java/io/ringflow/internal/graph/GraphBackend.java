package io.ringflow.internal.graph;

/** Captures what a thread queues on a device, so that it can be queued again by one call. */
interface GraphBackend {
  /**
   * Begins a session: from now on this thread's operators go to a queue of the session's own, and
   * their memory is private to it.
   */
  Session open();

  /** Gives back what memory nobody uses, so that a session can have it. */
  void trim();

  /** Graphs that share memory: those of one piece of work, which never run at the same time. */
  interface Session extends AutoCloseable {
    /** From now on operators are captured, and not run. */
    void begin();

    /** What was captured since {@link #begin}. */
    Graph end();

    /** All is captured: this thread's operators go where they went before. Idempotent. */
    void finish();

    /** Frees the graphs and their memory, after what is queued of them has run. */
    @Override
    void close();
  }

  /** Captured operators. */
  interface Graph {
    /** Queues them all behind what this thread queued before. */
    void launch();
  }
}
