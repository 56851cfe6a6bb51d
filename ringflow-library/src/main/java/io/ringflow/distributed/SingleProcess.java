package io.ringflow.distributed;

import org.bytedeco.pytorch.Tensor;

/** The group of one process, which has nothing to exchange. */
enum SingleProcess implements ProcessGroup {
  /** The only instance. */
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
    // The tensor has rank 0's values: this is rank 0.
  }

  @Override
  public void close() {
    // There is no connection.
  }
}
