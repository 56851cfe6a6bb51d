package io.ringflow.internal.checks;

/** Checks of integer arguments; the message names the argument, its bounds and its value. */
public final class Checks {
  private Checks() {}

  /**
   * Requires a lower bound.
   *
   * @throws IllegalArgumentException such as {@code bins must be at least 1, but is 0}
   */
  public static void atLeast(String name, long value, long min) {
    if (value < min) {
      throw new IllegalArgumentException(name + " must be at least " + min + ", but is " + value);
    }
  }

  /**
   * Requires a closed range.
   *
   * @throws IllegalArgumentException such as {@code bins must be in 1..32, but is 0}
   */
  public static void inRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be in " + min + ".." + max + ", but is " + value);
    }
  }
}
