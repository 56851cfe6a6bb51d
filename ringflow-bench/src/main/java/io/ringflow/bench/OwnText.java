package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.RingFlow;
import io.ringflow.cli.external.OtherCompressor;
import io.ringflow.compress.CodedBy;
import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.model.Metrics;
import io.ringflow.text.Text;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How well {@link RingFlow#train(Text, FitOptions)} learns to compress a text, and how exactly the
 * compressed size is what the likelihood says.
 *
 * <pre>
 *   java io.ringflow.bench.OwnText TRAIN TEST [MINUTES [FOLDER [DEVICE]]]
 * </pre>
 *
 * <p>TRAIN is learned from, TEST compressed: choose two that have nothing in common but their kind.
 * The model is kept in FOLDER, if there is one. Speeds are by the size of the original.
 */
public final class OwnText {
  private static final String NOT_INSTALLED = "not installed";

  private final Path train;
  private final Path test;
  private final Duration time;
  private final Path folder; // null where the model is not kept
  private final Device device;
  private final List<OtherCompressor> others;

  OwnText(
      Path train,
      Path test,
      Duration time,
      Path folder,
      Device device,
      List<OtherCompressor> others) {
    this.train = train;
    this.test = test;
    this.time = time;
    this.folder = folder;
    this.device = device;
    this.others = List.copyOf(others);
  }

  /** Prints two tables. */
  public static void main(String[] args) throws IOException {
    var arguments = Arguments.of(args);
    if (args.length < 2) {
      throw new IllegalArgumentException(
          "arguments must be TRAIN TEST [MINUTES [FOLDER [DEVICE]]], but are "
              + Arrays.toString(args));
    }
    new OwnText(
            Path.of(args[0]),
            Path.of(args[1]),
            arguments.minutes(2, 14.5),
            arguments.path(3),
            Device.of(arguments.text(4, "cpu")),
            List.of(
                new OtherCompressor.Gzip(),
                OtherCompressor.Program.of("zstd -19"),
                OtherCompressor.Program.of("xz -9")))
        .print(System.out, System.err);
  }

  void print(PrintStream out, PrintStream err) throws IOException {
    MeasuredTables.print(
        out,
        err,
        progress -> measure(out, progress),
        "Seed " + FitOptions.DEFAULTS.seed() + ", on " + device);
  }

  private void measure(PrintStream out, ProgressLines progress) throws IOException {
    byte[] original = Files.readAllBytes(test);
    Text text = Text.read(train);
    FitOptions options =
        FitOptions.DEFAULTS.withTime(time).withDevice(device).withListener(progress);
    Timed<TextModel> training = Timed.of(() -> RingFlow.train(text, options));
    try (TextModel model = training.result()) {
      if (folder != null) {
        model.save(folder);
      }
      var compressor = new Compressor(model);
      progress.now("trained in %.1f s; compressing", training.seconds());
      Timed<Compressed> encoding =
          Timed.of(
              () ->
                  Compressed.of(
                      original,
                      compressor,
                      (done, total) -> progress.done("compressed", done, total)));
      progress.now("compressed in %.1f s; decompressing", encoding.seconds());
      byte[] compressed = encoding.result().bytes();
      Timed<byte[]> decoding = Timed.of(() -> decompressed(compressor, compressed, progress));
      progress.now("decompressed in %.1f s; scoring", decoding.seconds());
      TextModel.Score score = model.score(original, ProgressListener.IGNORED);
      out.println(sizes(original.length, encoding));
      out.println(
          value(
              "The model's own %,d parameters are not counted, nor has any of the others seen the"
                  + " training text.%n",
              model.flow().parameterCount()));
      ValueTable details = new ValueTable("compressing with the model", "");
      likelihood(details, score, compressed.length);
      details
          .row("coded by", words(encoding.result().ways()))
          .row(
              "decompressed is the original",
              Arrays.equals(original, decoding.result()) ? "yes" : "NO")
          .row("compressing", speed(original.length, encoding))
          .row("decompressing", speed(original.length, decoding));
      training(details, text, model, training.seconds());
      out.println(details);
    }
  }

  private static String words(Set<CodedBy> ways) {
    return ways.stream().map(CodedBy::toString).collect(Collectors.joining(" and "));
  }

  /** An error is a result here: the table says what did not come back. */
  private static byte[] decompressed(
      Compressor compressor, byte[] compressed, ProgressLines progress) {
    try {
      return compressor.decompress(
          compressed, (done, total) -> progress.done("decompressed", done, total));
    } catch (CompressedFormatException e) {
      progress.now("decompressing failed: %s", e.getMessage());
      return new byte[0];
    }
  }

  private ValueTable sizes(long original, Timed<Compressed> encoding) throws IOException {
    ValueTable sizes =
        new ValueTable("compressor", "bytes", "bits per byte", "seconds")
            .row("none", value("%,d", original), "8.000", "");
    for (OtherCompressor other : others) {
      Timed<OptionalLong> bytes = Timed.of(() -> other.bytes(test));
      if (bytes.result().isPresent()) {
        size(sizes, other.name(), bytes.result().getAsLong(), original, bytes.seconds());
      } else {
        sizes.row(other.name(), NOT_INSTALLED, "", "");
      }
    }
    size(sizes, "Ringflow", encoding.result().bytes().length, original, encoding.seconds());
    return sizes;
  }

  private static void size(
      ValueTable sizes, String name, long bytes, long original, double seconds) {
    sizes.row(
        name,
        value("%,d", bytes),
        value("%.3f", (double) Byte.SIZE * bytes / original),
        value("%.2f", seconds));
  }

  private static void likelihood(ValueTable details, TextModel.Score score, int bytes) {
    double promised = score.bits() / Byte.SIZE;
    details
        .row("promised by the likelihood", value("%,.1f bytes", promised))
        .row(
            "the file is longer by",
            value("%,.1f bytes, %s", bytes - promised, ValueTable.above(bytes, promised)))
        .row("bits per symbol, by the likelihood", value("%.4f", score.bitsPerSymbol()))
        .row("symbols", value("%,d", score.symbols()))
        .row("bytes that are no symbols, written as they are", value("%,d", score.unknownBytes()));
  }

  private static void training(
      ValueTable details, Text text, TextModel model, double trainingSeconds) {
    Metrics metrics = model.metrics().orElseThrow();
    details
        .row("training in all", value("%.1f s", trainingSeconds))
        .row("training text", value("%,d symbols", text.length()))
        .row(
            metrics.unit() + ", " + metrics.heldOut() + " held out of it",
            value("%.4f", metrics.model()))
        .row("parameters", value("%,d", model.flow().parameterCount()));
  }

  private static String speed(long bytes, Timed<?> work) {
    return value("%.2f s, %,.1f kB/s", work.seconds(), bytes / work.seconds() / 1e3);
  }
}
