package io.ringflow.internal.torch;

import org.bytedeco.pytorch.Context;

/**
 * Counts numbers too small for full precision as zero, on the thread that opened it, until it is
 * closed.
 *
 * <p>Gradients that fade, as those of a recurrent network that has learned its task do, end in such
 * numbers, with which a CPU computes ten times slower; to learning they are nothing.
 */
public final class Denormals implements AutoCloseable {
  private Denormals() {}

  /** From now on they are zero; where the CPU can't, nothing happens. */
  public static Denormals flushed() {
    Context.setFlushDenormal(true);
    return new Denormals();
  }

  @Override
  public void close() {
    Context.setFlushDenormal(false);
  }
}
