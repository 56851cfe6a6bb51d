package io.ringflow.core;

/** Hears how far long work has come; called on the thread that works. */
@FunctionalInterface
public interface ProgressListener {
  /** Nobody listens. */
  ProgressListener IGNORED = (done, total) -> {};

  /**
   * Called at the start, and after every block.
   *
   * @param done bytes of the original that are done with, about
   * @param total bytes of the original
   */
  void done(long done, long total);
}
