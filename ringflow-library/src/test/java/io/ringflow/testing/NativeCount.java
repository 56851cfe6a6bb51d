package io.ringflow.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.bytedeco.javacpp.Pointer;

/** Counts native objects that Java still holds. */
public final class NativeCount {
  /** Work to look at. */
  @FunctionalInterface
  public interface Work {
    /** Does it once. */
    void run() throws Exception;
  }

  private NativeCount() {}

  /**
   * Asserts that work, done again and again, leaves no native object behind.
   *
   * @param times how often, after once to load what is loaded once
   */
  public static void assertFlat(int times, Work work) throws Exception {
    work.run();
    long before = Pointer.totalCount();
    for (int i = 0; i < times; i++) {
      work.run();
    }
    // Fewer is no leak: the garbage collector frees what earlier tests left to it at any time.
    assertThat(Pointer.totalCount()).as("native objects").isLessThanOrEqualTo(before);
  }
}
