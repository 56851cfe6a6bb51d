package io.ringflow.internal.graph;

import io.ringflow.core.Device;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.Consumer;

/** Whether and how work on a device is captured. */
final class Graphs {
  private static final System.Logger LOG = System.getLogger(Graphs.class.getName());

  /** Set to {@code false} to run everything by plain calls. */
  private static final String SWITCH = "ringflow.graphs";

  /** Where it is said that plain calls do the work: once in a process. */
  static final Consumer<String> REMARKS = new OneRemark(Graphs::warn);

  private Graphs() {}

  /** The backend of a device; empty where plain calls are all there is. */
  static Optional<GraphBackend> backend(Device device, int index) {
    if (device != Device.CUDA || !Boolean.parseBoolean(System.getProperty(SWITCH, "true"))) {
      return Optional.empty();
    }
    try {
      return Optional.of(new CudaBackend(index));
    } catch (LinkageError e) {
      REMARKS.accept("org.bytedeco:cuda or its natives are not on the class path");
      return Optional.empty();
    }
  }

  private static void warn(String reason) {
    LOG.log(
        Level.WARNING, "CUDA graphs are not used, and small batches will be slower: {0}", reason);
  }
}
