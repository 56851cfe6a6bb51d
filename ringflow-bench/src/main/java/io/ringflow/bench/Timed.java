package io.ringflow.bench;

/**
 * What some work made, and how long it took.
 *
 * @param result of the work
 * @param seconds by the clock on the wall
 */
record Timed<T>(T result, double seconds) {
  /** Something to do once. */
  @FunctionalInterface
  interface Work<T, E extends Exception> {
    T run() throws E;
  }

  /** Does it. */
  static <T, E extends Exception> Timed<T> of(Work<T, E> work) throws E {
    long started = System.nanoTime();
    T result = work.run();
    return new Timed<>(result, (System.nanoTime() - started) * 1e-9);
  }
}
