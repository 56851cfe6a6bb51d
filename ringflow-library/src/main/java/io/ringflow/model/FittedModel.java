package io.ringflow.model;

import io.ringflow.core.Device;
import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.store.Json;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** Writes it to a folder, whole or not at all; see {@link FlowModel#save}. */
  default void save(Path folder) throws IOException {
    flow().save(folder);
  }

  /** Frees all native memory, after calls in progress have ended. Closing twice does nothing. */
  @Override
  default void close() {
    flow().close();
  }

  /**
   * Reads a model from its folder.
   *
   * @throws IOException if it is missing, damaged, foreign, or of a newer version, or if nothing is
   *     known of its symbols; the message says which
   */
  static FittedModel load(Path folder, Device device) throws IOException {
    FlowModel flow = FlowModel.load(folder, device);
    try {
      Path file = folder.resolve("codec.json");
      if (!Files.exists(file)) {
        throw new ModelFormatException(
            folder, "is a model of mere symbols: it has no codec.json to say what they mean");
      }
      Codec codec = Json.read(file, Codec.class);
      try {
        return codec instanceof TableCodec table
            ? new TableModel(flow, table)
            : new TextModel(flow, (TextCodec) codec);
      } catch (IllegalArgumentException e) {
        throw new ModelFormatException(file, e.getMessage(), e);
      }
    } catch (IOException | RuntimeException e) {
      flow.close();
      throw e;
    }
  }
}
