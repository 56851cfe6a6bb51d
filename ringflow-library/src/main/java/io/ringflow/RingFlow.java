package io.ringflow;

import io.ringflow.core.Device;
import io.ringflow.core.ModelFormatException;
import io.ringflow.model.Codec;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Parts;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.text.Text;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The way in for those who have a table or a text, and want an exact model of it.
 *
 * <pre>{@code
 * DataTable orders = DataTable.read(Path.of("orders.csv"));
 * try (TableModel model = RingFlow.train(orders)) {
 *   double[] nats = model.score(orders); // log-likelihood of each row
 *   DataTable more = model.sample(10, 1).rows();
 *   model.save(Path.of("orders.model"));
 * }
 * }</pre>
 *
 * <p>Those who want to choose architecture and training themselves begin at {@link
 * io.ringflow.model.Architecture}.
 */
public final class RingFlow {
  private static final Parts PARTS = Parts.BUILT_IN.with(TableCodec.class, TextCodec.class);

  private RingFlow() {}

  /** Trains a model of a table, with {@link FitOptions#DEFAULTS}. */
  public static TableModel train(DataTable table) throws IOException {
    return train(table, FitOptions.DEFAULTS);
  }

  /**
   * Trains a model of a table.
   *
   * @see TableModel#train choosing how cells become symbols
   */
  public static TableModel train(DataTable table, FitOptions options) throws IOException {
    return TableModel.train(table, TableCodec.fit(table, CodecOptions.DEFAULTS), options);
  }

  /** Trains a model of a text, with {@link FitOptions#DEFAULTS}. */
  public static TextModel train(Text text) throws IOException {
    return train(text, FitOptions.DEFAULTS);
  }

  /** Trains a model of a text. */
  public static TextModel train(Text text, FitOptions options) throws IOException {
    return TextModel.train(text, options);
  }

  /** Reads a model of a table or a text from its folder, on the CPU. */
  public static FittedModel load(Path folder) throws IOException {
    return load(folder, Device.CPU);
  }

  /**
   * Reads a model of a table or a text from its folder.
   *
   * @throws IOException if it is missing, damaged, foreign, or of a newer version, or if nothing is
   *     known of its symbols; the message says which
   */
  public static FittedModel load(Path folder, Device device) throws IOException {
    FlowModel flow = FlowModel.load(folder, device, PARTS);
    try {
      Codec codec = flow.codec().orElse(null);
      if (codec instanceof TableCodec table) {
        return new TableModel(flow, table);
      }
      if (codec instanceof TextCodec text) {
        return new TextModel(flow, text);
      }
      throw new ModelFormatException(
          folder,
          codec == null
              ? "is a model of mere symbols: no codec.json says what they stand for"
              : "is a model of neither a table nor a text: its codec.json is of another type");
    } catch (IllegalArgumentException e) {
      flow.close();
      throw new ModelFormatException(folder, e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      flow.close();
      throw e;
    }
  }
}
