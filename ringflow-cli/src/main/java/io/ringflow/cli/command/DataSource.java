package io.ringflow.cli.command;

import io.ringflow.cli.progress.LossUnit;
import io.ringflow.core.DataFormatException;
import io.ringflow.model.FittedModel;
import io.ringflow.table.CodecOptions;
import io.ringflow.table.DataTable;
import io.ringflow.table.MissingValues;
import io.ringflow.table.TableCodec;
import io.ringflow.table.TableFormat;
import io.ringflow.table.TableModel;
import io.ringflow.text.Text;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The table, text or bytes that a model is trained on.
 *
 * @param size in a few words
 * @param lossUnit of the losses that people are shown, by how the model is trained
 * @param fit trains a model of the data
 */
record DataSource(String size, Function<FitOptions, LossUnit> lossUnit, Fit fit) {
  /** Trains a model. */
  @FunctionalInterface
  interface Fit {
    FittedModel run(FitOptions options) throws IOException;
  }

  /** Reads a table. */
  static DataSource table(Path file, TableFormat format, CodecOptions options) throws IOException {
    DataTable table = DataTable.read(file, format);
    TableCodec codec = TableCodec.fit(table, options);
    return new DataSource(
        table + missing(codec),
        fit -> new LossUnit("nats per row", 1),
        fit -> TableModel.train(table, codec, fit));
  }

  /** Says that missing cells are summed out, and how, where any are. */
  private static String missing(TableCodec codec) {
    double share =
        IntStream.range(0, codec.columns().size())
            .mapToDouble(codec::missingShare)
            .average()
            .orElse(0);
    return codec.missingValues() == MissingValues.SYMBOL || share == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; %.1f %% of the cells are missing, and redrawn whenever their row is learned from",
            100 * share);
  }

  /** Reads a text of characters, from one file or several. */
  static DataSource text(List<Path> files) throws IOException {
    try {
      return text(Text.read(files), "character");
    } catch (DataFormatException e) {
      if (e.getCause() instanceof CharacterCodingException) {
        throw new IOException(e.getMessage() + "; try --bytes", e);
      }
      throw e;
    }
  }

  /** Reads any files. */
  static DataSource bytes(List<Path> files) throws IOException {
    var all = new ByteArrayOutputStream();
    for (Path file : files) {
      byte[] bytes = FileBytes.read(file);
      if (all.size() + (long) bytes.length > FileBytes.MAX) {
        throw new DataFormatException(file, "is one too many: together files may have 2 GB");
      }
      all.writeBytes(bytes);
    }
    if (all.size() == 0) {
      throw new DataFormatException(files.get(0), "is empty");
    }
    return text(Text.ofBytes(all.toByteArray()), "byte");
  }

  private static DataSource text(Text text, String symbol) {
    return new DataSource(
        String.format(Locale.ROOT, "%,d %ss", text.length(), symbol),
        fit ->
            new LossUnit(
                "bits per " + symbol, Math.log(2) * Math.max(1, TextModel.length(text, fit))),
        fit -> TextModel.train(text, fit));
  }
}
