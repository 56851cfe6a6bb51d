package io.ringflow.internal.graph;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Passes on the first remark and no other, because the reason is often the same. */
final class OneRemark implements Consumer<String> {
  private final Consumer<String> listener;
  private final AtomicBoolean said = new AtomicBoolean();

  OneRemark(Consumer<String> listener) {
    this.listener = listener;
  }

  @Override
  public void accept(String reason) {
    if (said.compareAndSet(false, true)) {
      listener.accept(reason);
    }
  }
}
