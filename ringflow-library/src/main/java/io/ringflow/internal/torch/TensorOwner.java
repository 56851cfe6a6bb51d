package io.ringflow.internal.torch;

import java.util.ArrayDeque;
import java.util.Deque;
import org.bytedeco.pytorch.Tensor;

/** Keeps tensors alive beyond the scope they were made in, and frees them, last first. */
public final class TensorOwner implements AutoCloseable {
  private final Deque<Tensor> owned = new ArrayDeque<>();

  /** Keeps a tensor, and returns it. */
  public Tensor keep(Tensor tensor) {
    tensor.retainReference();
    owned.push(tensor);
    return tensor;
  }

  /** Frees everything. Closing twice does nothing. */
  @Override
  public void close() {
    while (!owned.isEmpty()) {
      owned.pop().releaseReference();
    }
  }
}
