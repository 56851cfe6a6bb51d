package io.ringflow.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A flow that knows what its symbols stand for.
 *
 * <p>Safe from several threads at once; closing waits for calls in progress.
 */
public interface FittedModel extends AutoCloseable {
  /** The flow itself; closed with this model. */
  FlowModel flow();

  /** What its symbols stand for. */
  Codec codec();

  /** What it learned, measured on held-out data; empty if that was not recorded. */
  default Optional<Metrics> metrics() {
    return flow().provenance().map(Provenance::fit).map(Provenance.Fit::metrics);
  }

  /** Writes it to a folder, whole or not at all; see {@link FlowModel#save}. */
  default void save(Path folder) throws IOException {
    flow().save(folder);
  }

  /** Frees all native memory, after calls in progress have ended. Closing twice does nothing. */
  @Override
  default void close() {
    flow().close();
  }
}
