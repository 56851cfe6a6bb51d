package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast the paper's text models train: in characters a second, as a share of what the device's
 * matrix units can do, and beside PyTorch.
 *
 * <p>The share counts the arithmetic that the model itself asks for, forward once and backward
 * twice, whatever was in fact computed.
 */
final class TrainingSpeed {
  /** Thousands of characters a second, whatever else is said of them. */
  static final Pattern PEER_LINE = Pattern.compile("tok/s +([0-9.]+)k");

  private static final int PEER_SYMBOLS = 1 << 22;

  private final SpeedOptions options;
  private final PeerScript peer;
  private final boolean compared; // from the start: a table keeps its columns
  private final double peak;
  private final ProgressLines progress;
  private final Set<String> remarks = new LinkedHashSet<>();
  private final List<String> peerLines = new ArrayList<>();
  private boolean failed;

  /**
   * Measures training.
   *
   * @param peak operations a second of a matrix product
   */
  TrainingSpeed(SpeedOptions options, PeerScript peer, double peak, ProgressLines progress) {
    this.options = options;
    this.peer = peer;
    this.compared = peer.isAvailable();
    this.peak = peak;
    this.progress = progress;
  }

  /** The tables, and remarks on the peer's part of them. */
  SpeedReport report(List<Integer> batches) throws IOException {
    List<String> headings =
        new ArrayList<>(List.of("model", "batch", "ms a step", "thousand characters/s"));
    if (sharesPeak()) {
      headings.add("share of the peak");
    }
    if (compared) {
      headings.addAll(List.of("peer's, thousand characters/s", "ratio"));
    }
    ValueTable table = new ValueTable(headings.toArray(String[]::new));
    TextArchitectures models = options.models();
    Path symbols = symbols();
    try {
      for (int batch : batches) {
        row(
            table,
            models.autoregressiveName(models.layers()),
            models.autoregressive(models.layers()),
            batch,
            peer("group", symbols, batch, models.layers()));
        row(
            table,
            models.bipartiteName(),
            models.bipartite(),
            batch,
            peer("bipartite", symbols, batch, models.shallow()));
      }
    } finally {
      Files.delete(symbols);
    }
    String about =
        value(
            "Rows of %d characters, networks %d wide, %s, %d steps.",
            models.length(),
            models.width(),
            SpeedOptions.label(options.trainedIn()),
            options.steps());
    String ofPeak =
        sharesPeak()
            ? value(
                " The peak: a large matrix product in the same precision, %.4g TFLOP/s.",
                peak / 1e12)
            : "";
    String ratio = compared ? " Ratio: how many times as fast as the peer." : "";
    return new SpeedReport(table + "\n" + about + ofPeak + ratio, peerLines, remarks, failed);
  }

  private void row(
      ValueTable table,
      String name,
      Architecture architecture,
      int batch,
      OptionalDouble peerCharacters)
      throws IOException {
    TextArchitectures models = options.models();
    double rows = rowsPerSecond(architecture, batch);
    double characters = rows * models.length();
    progress.now("%s, batch %d: %.0f characters/s", name, batch, characters);
    List<String> cells =
        new ArrayList<>(
            List.of(
                name,
                value("%d", batch),
                value("%.1f", batch / rows * 1e3),
                value("%,.1f", characters / 1e3)));
    if (sharesPeak()) {
      boolean causal = architecture.layers().isEmpty();
      double operations = causal ? causalOperations(models) : bipartiteOperations(models);
      cells.add(value("%.2f", characters * operations / peak));
    }
    if (compared) {
      cells.add(
          peerCharacters.isPresent() ? value("%,.1f", peerCharacters.getAsDouble() / 1e3) : "");
      cells.add(
          peerCharacters.isPresent()
              ? value("%.2f", characters / peerCharacters.getAsDouble())
              : "");
    }
    table.row(cells.toArray(String[]::new));
  }

  /** On a CPU a product may have one thread and a training two. */
  private boolean sharesPeak() {
    return options.device() == Device.CUDA;
  }

  /** Of a character, forward once and backward twice. */
  private static double causalOperations(TextArchitectures models) {
    double width = models.width();
    double matrices = 12 * width * width;
    double attention = models.length() * width; // looking at one side only is half the work
    return 6 * models.layers() * (matrices + attention);
  }

  /** The same; the last block of a layer's network has queries for half of the positions alone. */
  private static double bipartiteOperations(TextArchitectures models) {
    double width = models.width();
    double all = 12 * width * width + 2 * models.length() * width;
    double half = 7 * width * width + models.length() * width;
    return 6 * TextArchitectures.FLOWS * ((models.shallow() - 1) * all + half);
  }

  /** Characters a second of the peer's model of the same sizes. */
  private OptionalDouble peer(String mode, Path symbols, int batch, int layers) throws IOException {
    TextArchitectures models = options.models();
    PeerScript.Output output =
        peer.run(
            PEER_LINE,
            List.of(
                symbols.toString(),
                value("%d", models.space().maxCardinality()),
                mode,
                value("%s", options.peerMinutes()),
                "layers=" + layers,
                "flows=" + TextArchitectures.FLOWS,
                "d=" + models.width(),
                "ff=" + 4 * models.width(),
                "heads=" + TextArchitectures.HEADS,
                "T=" + models.length(),
                "S=" + models.length(),
                "B=" + batch));
    remarks.add(output.remark());
    failed |= output.failed();
    output.lines().stream()
        .reduce((earlier, last) -> last)
        .ifPresent(last -> peerLines.add(value("%s, batch %d: %s", mode, batch, last.strip())));
    OptionalDouble speed = charactersPerSecond(output.lines());
    speed.ifPresent(s -> progress.now("peer, %s, batch %d: %.0f characters/s", mode, batch, s));
    return speed;
  }

  /** As the last line says: the longer a script runs, the less its beginning counts. */
  static OptionalDouble charactersPerSecond(List<String> lines) {
    OptionalDouble last = OptionalDouble.empty();
    for (String line : lines) {
      Matcher matcher = PEER_LINE.matcher(line);
      while (matcher.find()) {
        last = OptionalDouble.of(1e3 * Double.parseDouble(matcher.group(1)));
      }
    }
    return last;
  }

  /** A file for the peer, a byte a symbol; speed does not depend on what is learned. */
  private Path symbols() throws IOException {
    byte[] symbols = new byte[compared ? PEER_SYMBOLS : 0];
    int cardinality = options.models().space().maxCardinality();
    var random = new SplittableRandom(1);
    for (int i = 0; i < symbols.length; i++) {
      symbols[i] = (byte) random.nextInt(cardinality);
    }
    Path file = Files.createTempFile("ringflow-symbols", ".bin");
    Files.write(file, symbols);
    return file;
  }

  private double rowsPerSecond(Architecture architecture, int batch) throws IOException {
    Device device = options.device();
    Precision precision = options.trainedIn();
    double[] speed = new double[1];
    TrainingOptions training =
        TrainingOptions.builder(2L * options.steps())
            .logEvery(options.steps())
            .precision(precision)
            .build();
    int[][] rows = Models.rows(architecture.space(), batch);
    try (FlowModel model = FlowModel.create(architecture, device, 1)) {
      new Trainer(model, training)
          .listener(
              new TrainingListener() {
                @Override
                public void progressed(Progress progress) {
                  speed[0] = progress.rowsPerSecond(); // the second half's stays
                }
              })
          .train(Batches.shuffled(rows, batch, 1));
    }
    return speed[0];
  }
}
