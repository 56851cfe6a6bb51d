package io.ringflow.distributed;

import org.bytedeco.pytorch.Tensor;

/** A team of one, which has nothing to exchange. */
enum SingleProcess implements ProcessGroup {
  /** The only one. */
  INSTANCE;

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public Pending allReduce(Tensor tensor) {
    return () -> {};
  }

  @Override
  public void broadcast(Tensor tensor) {
    // It has them.
  }

  @Override
  public void close() {
    // There is nobody to leave.
  }
}
