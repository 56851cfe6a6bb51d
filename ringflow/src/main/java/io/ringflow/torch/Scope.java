package io.ringflow.torch;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AutoGradMode;

/**
 * Frees every tensor made on this thread since it was opened, and says whether they record
 * gradients.
 *
 * <p>Use in try-with-resources, one around each unit of work:
 *
 * <pre>{@code
 * try (Scope scope = Scope.inference()) {
 *   ... tensors come and go ...
 * }
 * }</pre>
 */
public final class Scope implements AutoCloseable {
  private final PointerScope pointers;
  private final AutoGradMode gradients;

  private Scope(boolean recordGradients) {
    pointers = new PointerScope();
    gradients = new AutoGradMode(recordGradients);
  }

  /** A scope in which nothing is recorded for a backward pass. */
  public static Scope inference() {
    return new Scope(false);
  }

  /** A scope in which operations on parameters are recorded for a backward pass. */
  public static Scope training() {
    return new Scope(true);
  }

  @Override
  public void close() {
    try {
      gradients.close();
    } finally {
      pointers.close();
    }
  }
}
