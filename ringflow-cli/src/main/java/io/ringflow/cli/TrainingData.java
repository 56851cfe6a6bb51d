package io.ringflow.cli;

import io.ringflow.RingFlow;
import io.ringflow.data.CodecOptions;
import io.ringflow.data.CorpusException;
import io.ringflow.data.DataTable;
import io.ringflow.data.TableCodec;
import io.ringflow.data.TableFormat;
import io.ringflow.data.Text;
import io.ringflow.fit.FitOptions;
import io.ringflow.fit.FittedModel;
import io.ringflow.fit.TextModel;
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
record TrainingData(String size, String unit, double natsPerUnit, Fit fit) {
  /** Trains a model. */
  @FunctionalInterface
  interface Fit {
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
    } catch (CorpusException e) {
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
      throw new CorpusException(file, "is empty");
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
