package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.core.Precision;
import io.ringflow.model.FlowModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long text models take to sample rows, by the number of passes and of rows at once, beside an
 * autoregressive Transformer in PyTorch.
 */
final class SamplingSpeed {
  /** Milliseconds for all rows of a batch, whatever else is said of them. */
  static final Pattern PEER_LINE =
      Pattern.compile("torch\\.([a-z0-9]+), batch ([0-9]+): ([0-9.]+) ms");

  /** The first call may run operation by operation, the second record a graph of them. */
  private static final int WARM_UP = 3;

  private final SpeedOptions options;
  private final PeerScript peer;
  private final boolean compared; // from the start: a table keeps its columns
  private final ProgressLines progress;

  SamplingSpeed(SpeedOptions options, PeerScript peer, ProgressLines progress) {
    this.options = options;
    this.peer = peer;
    this.compared = peer.isAvailable();
    this.progress = progress;
  }

  /** What was sampled how. */
  private record Setting(String model, int passes, Precision precision, int rows) {}

  /** Of the calls that were timed. */
  private record Millis(double median, double least) {}

  /**
   * The times a script printed.
   *
   * @param precision by PyTorch's name
   */
  record PeerSetting(String precision, int rows) {}

  /** A table for each precision, and the peer's own lines. */
  SpeedReport report() throws IOException {
    PeerScript.Output output = peer.run(PEER_LINE, List.of());
    Map<PeerSetting, Double> peers = times(output.lines());
    List<TextArchitectures.Named> models = options.models().sampled();
    Map<Setting, Millis> ours = new HashMap<>();
    for (TextArchitectures.Named named : models) {
      try (FlowModel model = FlowModel.create(named.architecture(), options.device(), 1)) {
        for (Precision precision : options.precisions()) {
          for (int rows : options.rows()) {
            Millis millis = millis(model, rows, precision);
            progress.now(
                "%s, %d passes, %s, %d rows: %.2f ms",
                named.name(), named.passes(), precision, rows, millis.median);
            ours.put(new Setting(named.name(), named.passes(), precision, rows), millis);
          }
        }
      }
    }
    StringBuilder text = new StringBuilder();
    for (Precision precision : options.precisions()) {
      text.append("In ").append(SpeedOptions.label(precision)).append(":\n\n");
      text.append(table(precision, models, ours, peers)).append('\n');
    }
    text.append(about());
    return new SpeedReport(
        text.toString(), output.lines(), Set.of(output.remark()), output.failed());
  }

  private String about() {
    String about =
        value(
            "Rows of %d characters, networks %d wide. Milliseconds for all rows together, the median"
                + " of %d calls after %d to warm up, and the least.",
            options.models().length(), options.models().width(), options.calls(), warmUp());
    return compared
        ? about
            + " Ratio: how many times as fast as the peer's autoregressive model in the same"
            + " precision, whose own lines are below."
        : about;
  }

  private ValueTable table(
      Precision precision,
      List<TextArchitectures.Named> models,
      Map<Setting, Millis> ours,
      Map<PeerSetting, Double> peers) {
    List<String> headings = new ArrayList<>(List.of("model", "passes"));
    for (int rows : options.rows()) {
      headings.add(value("%d %s, ms", rows, rows == 1 ? "row" : "rows"));
      if (compared) {
        headings.addAll(List.of("peer's", "ratio"));
      }
    }
    ValueTable table = new ValueTable(headings.toArray(String[]::new));
    for (TextArchitectures.Named model : models) {
      List<String> cells = new ArrayList<>(List.of(model.name(), value("%d", model.passes())));
      for (int rows : options.rows()) {
        Millis millis = ours.get(new Setting(model.name(), model.passes(), precision, rows));
        cells.add(value("%.2f (%.2f)", millis.median, millis.least));
        if (compared) {
          Double other = peers.get(new PeerSetting(SpeedOptions.label(precision), rows));
          cells.add(other == null ? "" : value("%.1f", other));
          cells.add(other == null ? "" : value("%.1f", other / millis.median));
        }
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  static Map<PeerSetting, Double> times(List<String> lines) {
    Map<PeerSetting, Double> times = new HashMap<>();
    for (String line : lines) {
      Matcher matcher = PEER_LINE.matcher(line);
      if (matcher.find()) {
        times.put(
            new PeerSetting(matcher.group(1), Integer.parseInt(matcher.group(2))),
            Double.parseDouble(matcher.group(3)));
      }
    }
    return times;
  }

  /** Nothing is recorded on a CPU. */
  private int warmUp() {
    return switch (options.device()) {
      case CUDA -> WARM_UP;
      case CPU -> 1;
    };
  }

  private Millis millis(FlowModel model, int rows, Precision precision) {
    for (int i = 0; i < warmUp(); i++) {
      sample(model, rows, i, precision);
    }
    double[] millis = new double[options.calls()];
    for (int i = 0; i < millis.length; i++) {
      long seed = i;
      millis[i] = 1e3 * Timed.of(() -> sample(model, rows, seed, precision)).seconds();
    }
    Arrays.sort(millis);
    return new Millis(millis[millis.length / 2], millis[0]);
  }

  /** Samples where no symbol needs to come back. */
  static int[][] sample(FlowModel model, int rows, long seed, Precision precision) {
    return model.sample(rows, seed, precision);
  }
}
