package io.ringflow;

import io.ringflow.core.Device;
import io.ringflow.model.FittedModel;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableModel;
import io.ringflow.text.Text;
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
  private RingFlow() {}

  /** Fits a model to a table, with {@link FitOptions#DEFAULTS}. */
  public static TableModel train(DataTable table) throws IOException {
    return train(table, FitOptions.DEFAULTS);
  }

  /** Fits a model to a table. */
  public static TableModel train(DataTable table, FitOptions options) throws IOException {
    return train(table, TableCodec.fit(table, CodecOptions.DEFAULTS), options);
  }

  /**
   * Fits a model to a table whose cells become symbols in a way of one's own.
   *
   * @throws IllegalArgumentException if the table is too small, or not one of the codec's
   * @throws IOException if a checkpoint can't be read or written
   * @throws java.util.concurrent.CancellationException if the thread is interrupted; a checkpoint
   *     is there where there was to be one
   */
  public static TableModel train(DataTable table, TableCodec codec, FitOptions options)
      throws IOException {
    return TableModel.train(table, codec, options);
  }

  /** Fits a model to a text, with {@link FitOptions#DEFAULTS}. */
  public static TextModel train(Text text) throws IOException {
    return train(text, FitOptions.DEFAULTS);
  }

  /**
   * Fits a model to a text.
   *
   * @throws IllegalArgumentException if the text is too short
   * @throws IOException if a checkpoint can't be read or written
   * @throws java.util.concurrent.CancellationException if the thread is interrupted; a checkpoint
   *     is there where there was to be one
   */
  public static TextModel train(Text text, FitOptions options) throws IOException {
    return TextModel.train(text, options);
  }

  /** Reads a fitted model from its folder, on the processor. */
  public static FittedModel load(Path folder) throws IOException {
    return load(folder, Device.CPU);
  }

  /**
   * Reads a fitted model from its folder.
   *
   * @throws IOException if it is missing, damaged, foreign, or of a newer version; the message says
   *     which
   */
  public static FittedModel load(Path folder, Device device) throws IOException {
    return FittedModel.load(folder, device);
  }
}
