package io.ringflow.spi;

import io.ringflow.internal.natives.NativeLibraries;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.AutoGradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

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
  static {
    NativeLibraries.load();
    torch.initLogging(); // or libtorch would not look at TORCH_CPP_LOG_LEVEL
  }

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

  /**
   * Computes one tensor in a scope of its own and hands it up to the caller's. The other tensors
   * are freed at once, but for what a backward pass needs of them, which the result keeps alive
   * itself.
   *
   * @param work must run inside a scope
   */
  public static Tensor handUp(Supplier<Tensor> work) {
    return handUp(work, List::of);
  }

  /**
   * Computes a value in a scope of its own and hands its tensors up to the caller's.
   *
   * @param work must run inside a scope
   * @param tensors those of the value
   */
  public static <T> T handUp(Supplier<T> work, Function<T, List<Tensor>> tensors) {
    PointerScope outer = PointerScope.getInnerScope();
    try (PointerScope inner = new PointerScope()) {
      T value = work.get();
      tensors.apply(value).forEach(outer::attach);
      return value;
    }
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
