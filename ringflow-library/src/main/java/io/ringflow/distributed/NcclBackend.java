package io.ringflow.distributed;

import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.nccl.ProcessGroupNCCL;

/** NCCL's classes, which only a build with CUDA can load, apart from those that any build can. */
final class NcclBackend {
  private NcclBackend() {}

  static Backend of(Store store, int rank, int size, Milliseconds timeout) {
    ProcessGroupNCCL.Options options = ProcessGroupNCCL.Options.create();
    options.timeout(timeout);
    return new ProcessGroupNCCL(store, rank, size, options);
  }

  /**
   * Shuts the backend down.
   *
   * @param failed whether other processes may be gone; the operations under way are then aborted
   */
  static void end(Backend backend, boolean failed) {
    ProcessGroupNCCL nccl = (ProcessGroupNCCL) backend;
    if (failed) {
      nccl.abort();
    } else {
      nccl.shutdown();
    }
  }
}
