package io.ringflow.cli.command;

import io.ringflow.RingFlow;
import io.ringflow.core.DataFormatException;
import io.ringflow.model.FittedModel;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableFormat;
import io.ringflow.text.Text;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What somebody wants a model of.
 *
 * @param size in a few words
 * @param unit of the losses that people are shown
 * @param natsPerUnit what to divide a training's losses by, which are nats of a row
 * @param fit trains a model of it
 */
public record TrainingData(String size, String unit, double natsPerUnit, Fit fit) {
  /** Trains a model. */
  @FunctionalInterface
  public interface Fit {
    FittedModel run(FitOptions options) throws IOException;
  }

  /** Reads a table. */
  static TrainingData table(Path file, TableFormat format, CodecOptions options)
      throws IOException {
    DataTable table = DataTable.read(file, format);
    TableCodec codec = TableCodec.fit(table, options);
    return new TrainingData(
        table.toString(), "nats per row", 1, fit -> RingFlow.train(table, codec, fit));
  }

  /** Reads a text of characters. */
  static TrainingData text(Path file) throws IOException {
    try {
      return text(Text.read(file), "character");
    } catch (DataFormatException e) {
      if (e.getMessage().contains("is not UTF-8")) {
        throw new IOException(e.getMessage() + "; try --bytes", e);
      }
      throw e;
    }
  }

  /** Reads any file. */
  static TrainingData bytes(Path file) throws IOException {
    byte[] bytes = FileBytes.read(file);
    if (bytes.length == 0) {
      throw new DataFormatException(file, "is empty");
    }
    return text(Text.ofBytes(bytes), "byte");
  }

  private static TrainingData text(Text text, String symbol) {
    return new TrainingData(
        String.format(Locale.ROOT, "%,d %ss", text.length(), symbol),
        "bits per " + symbol,
        Math.log(2) * Math.max(1, TextModel.length(text)),
        fit -> RingFlow.train(text, fit));
  }
}
