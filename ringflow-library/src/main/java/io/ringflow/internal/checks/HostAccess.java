package io.ringflow.internal.checks;

/**
 * Forbids this thread to move values between host and device while work is captured: such a move
 * would not be repeated with the rest.
 */
public final class HostAccess implements AutoCloseable {
  private static final ThreadLocal<Boolean> FORBIDDEN = ThreadLocal.withInitial(() -> false);

  private HostAccess() {}

  /** Forbids it until this is closed. */
  public static HostAccess forbidden() {
    FORBIDDEN.set(true);
    return new HostAccess();
  }

  /**
   * Called before values move.
   *
   * @throws IllegalStateException if that is forbidden now
   */
  public static void check() {
    if (FORBIDDEN.get()) {
      throw new IllegalStateException(
          "values move between host and device, which a graph can't repeat");
    }
  }

  @Override
  public void close() {
    FORBIDDEN.remove();
  }
}
