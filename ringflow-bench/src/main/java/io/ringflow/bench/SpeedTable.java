package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.core.Device;
import io.ringflow.core.Machine;
import io.ringflow.core.Precision;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Measures text models on one device, of the paper's sizes on a GPU and of smaller ones on a CPU:
 * training, sampling by the number of passes, coding both ways; with PyTorch beside them in the
 * same run, where there are scripts that measure it.
 *
 * <pre>
 *   run --device DEVICE [--only PART,...] [--write] [--page FILE]
 *       [--width N] [--layers N] [--length N] [--steps N] [--batch N] [--bytes N]
 *       [--rows N,...] [--precisions NAME,...] [--calls N]
 *       [--python PROGRAM] [--peer-training FILE] [--peer-sampling FILE]
 *       [--peer-minutes MINUTES] [--peer-limit SECONDS]
 *   run --insert FILE [--page FILE]
 * </pre>
 *
 * <p>Parts are {@code peak}, {@code training}, {@code small-batches}, {@code sampling} and {@code
 * coding}. Each is printed between marks as soon as it is measured. {@code --write} puts it between
 * the same marks of the page; {@code --insert} does so with a file in which the output was kept,
 * perhaps on another machine.
 *
 * <p>The peer's scripts are the user's own. {@code --peer-sampling} is called without arguments and
 * prints lines with {@code torch.TYPE, batch N: X ms}, for rows of the same length from an
 * autoregressive model of the same size. {@code --peer-training} is called with {@code FILE SYMBOLS
 * group|bipartite MINUTES layers=N flows=N d=WIDTH ff=N heads=N T=LENGTH S=LENGTH B=BATCH}, where
 * the file has a byte a symbol, and prints lines with {@code tok/s Nk}, of which the last counts.
 *
 * <p>Ends with 0, 1 if a script failed or something did not come back, 2 if the options are wrong.
 */
public final class SpeedTable {
  private static final List<Integer> SMALL = List.of(8, 16);

  private final SpeedOptions options;
  private final ProgressLines progress;
  private final PeerScript peerTraining;
  private final PeerScript peerSampling;

  private SpeedTable(SpeedOptions options, ProgressLines progress) {
    this.options = options;
    this.progress = progress;
    this.peerTraining = peer("--peer-training", options.peerTraining(), options);
    this.peerSampling = peer("--peer-sampling", options.peerSampling(), options);
  }

  private static PeerScript peer(String option, Path script, SpeedOptions options) {
    return new PeerScript(option, options.python(), script, options.peerLimit());
  }

  /** Measures and prints, and writes where it is asked to. */
  public static void main(String[] args) throws IOException {
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
    int status = run(System.out, System.err, args);
    if (status != 0) {
      System.exit(status);
    }
  }

  /** The exit status. */
  static int run(PrintStream out, PrintStream err, String... args) throws IOException {
    SpeedOptions options;
    try {
      options = SpeedOptions.parse(args);
      if (options.insert() != null) {
        insert(options, out);
        return 0;
      }
      checkPage(options);
    } catch (IllegalArgumentException e) {
      err.println("ringflow-bench: " + e.getMessage());
      return 2;
    }
    return new SpeedTable(options, new ProgressLines(err)).print(out) ? 0 : 1;
  }

  /** Before minutes are spent. */
  private static void checkPage(SpeedOptions options) {
    if (!options.write()) {
      return;
    }
    for (SpeedPart part : options.parts()) {
      try {
        part.section(options.page(), options.device()).check();
      } catch (IOException e) {
        throw new IllegalArgumentException("no place for the tables: " + e.getMessage(), e);
      }
    }
  }

  private static void insert(SpeedOptions options, PrintStream out) throws IOException {
    Map<MarkedSection, String> sections;
    try {
      sections = SpeedPart.sections(Files.readString(options.insert()), options.page());
      for (MarkedSection section : sections.keySet()) {
        section.check();
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(options.insert() + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    for (Map.Entry<MarkedSection, String> section : sections.entrySet()) {
      section.getKey().replace(section.getValue());
    }
    out.println(sections.size() + " parts written to " + options.page());
  }

  /** Whether all went well. */
  private boolean print(PrintStream out) throws IOException {
    boolean well = true;
    for (SpeedPart part : options.parts()) {
      progress.now("%s", part.label());
      Timed<SpeedReport> measured = Timed.of(() -> report(part));
      SpeedReport report = measured.result();
      String text =
          report.text() + value("\n%s; %.0f s in all.\n", Machine.describe(), measured.seconds());
      out.println(part.marked(options.device(), text));
      out.flush();
      if (options.write()) {
        part.section(options.page(), options.device()).replace(text);
        progress.now("written to %s", options.page());
      }
      if (report.failed()) {
        progress.now("%s: failed, see above", part.label());
        well = false;
      }
    }
    return well;
  }

  private SpeedReport report(SpeedPart part) throws IOException {
    return switch (part) {
      case PEAK -> peaks();
      case TRAINING -> training(List.of(options.batch()));
      case SMALL_BATCHES -> training(SMALL);
      case SAMPLING -> new SamplingSpeed(options, peerSampling, progress).report();
      case CODING -> new CodingSpeed(options, progress).report();
    };
  }

  private SpeedReport training(List<Integer> batches) throws IOException {
    double peak = MatrixPeak.of(options.device(), options.trainedIn());
    return new TrainingSpeed(options, peerTraining, peak, progress).report(batches);
  }

  private SpeedReport peaks() {
    ValueTable table = new ValueTable("a large matrix product in", "TFLOP/s");
    List<Precision> precisions =
        options.device() == Device.CUDA
            ? List.of(Precision.BFLOAT16, Precision.FLOAT32, Precision.FLOAT64)
            : List.of(Precision.FLOAT32, Precision.FLOAT64);
    for (Precision precision : precisions) {
      double peak = MatrixPeak.of(options.device(), precision);
      table.row(SpeedOptions.label(precision), value("%.4g", peak / 1e12));
    }
    return new SpeedReport(table.toString());
  }
}
