package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.compress.Compressor;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Precision;
import io.ringflow.internal.coding.Container;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * How fast models code what must come back, all of it in float64: bytes to fewer bytes and back,
 * rows to base symbols and back. What comes back is compared with what went in.
 */
final class CodingSpeed {
  private static final int CALLS = 2;

  private final SpeedOptions options;
  private final ProgressLines progress;
  private long wrong;

  CodingSpeed(SpeedOptions options, ProgressLines progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Two tables.
   *
   * @throws CompressedFormatException if what was compressed can't be read
   */
  SpeedReport report() throws CompressedFormatException {
    ValueTable bytes =
        new ValueTable(
            "model", "bytes", "compressed", "compress, kB/s", "decompress, kB/s", "wrong bytes");
    compression(bytes);
    ValueTable rows =
        new ValueTable(
            "model", "rows", "logProb, rows/s", "encode, rows/s", "decode, rows/s", "wrong rows");
    TextArchitectures models = options.models();
    rows(rows, models.bipartiteName(), models.bipartite());
    rows(rows, "autoregressive layer, " + models.coding() + " deep", models.autoregressiveLayer());
    String about =
        value(
            "Rows of %d characters, networks %d wide, float64; the text was sampled from the model;"
                + " the faster of %d calls.",
            models.length(), models.width(), CALLS);
    return new SpeedReport(bytes + "\n" + rows + "\n" + about, List.of(), Set.of(), wrong > 0);
  }

  private void compression(ValueTable table) throws CompressedFormatException {
    TextArchitectures models = options.models();
    String name = models.autoregressiveName(models.coding());
    Vocabulary letters = Vocabulary.TEXT8;
    var codec =
        new TextCodec(TextCodec.Unit.CHARACTERS, letters, Collections.nCopies(letters.size(), 1L));
    try (FlowModel flow =
        FlowModel.create(models.autoregressive(models.coding()), options.device(), 1)) {
      byte[] text = text(flow, letters);
      var compressor = new Compressor(new TextModel(flow, codec));
      Timed<byte[]> small = faster(() -> compressor.compress(text));
      if (Container.open(small.result()).method() != Container.Method.FLOW) {
        throw new IllegalStateException(
            "nothing was measured: " + text.length + " bytes were smaller without the model");
      }
      Timed<byte[]> back = faster(() -> compressor.decompress(small.result()));
      long differing = differing(text, back.result());
      wrong += differing;
      progress.now("%s: decompressed in %.1f s", name, back.seconds());
      table.row(
          name,
          value("%d", text.length),
          value("%d", small.result().length),
          value("%.2f", text.length / small.seconds() / 1e3),
          value("%.2f", text.length / back.seconds() / 1e3),
          value("%d", differing));
    }
  }

  /** A text that the model is made for: any other might be smaller without it. */
  private byte[] text(FlowModel flow, Vocabulary letters) {
    int length = options.models().length();
    int rows = (options.bytes() + length - 1) / length;
    StringBuilder text = new StringBuilder(rows * length);
    for (int[] row : SamplingSpeed.sample(flow, rows, 1, Precision.FLOAT64)) {
      text.append(letters.text(row));
    }
    return text.substring(0, options.bytes()).getBytes(StandardCharsets.US_ASCII);
  }

  private void rows(ValueTable table, String name, Architecture architecture) {
    int count = Collections.max(options.rows());
    int[][] rows = Models.rows(architecture.space(), count);
    try (FlowModel model = FlowModel.create(architecture, options.device(), 1)) {
      double scoring = faster(() -> model.logProb(rows)).seconds();
      Timed<int[][]> encoded = faster(() -> model.encode(rows));
      Timed<int[][]> decoded = faster(() -> model.decode(encoded.result()));
      long differing = 0;
      for (int i = 0; i < count; i++) {
        differing += Arrays.equals(rows[i], decoded.result()[i]) ? 0 : 1;
      }
      wrong += differing;
      progress.now("%s: decoded in %.1f s", name, decoded.seconds());
      table.row(
          name,
          value("%d", count),
          value("%.1f", count / scoring),
          value("%.1f", count / encoded.seconds()),
          value("%.1f", count / decoded.seconds()),
          value("%d", differing));
    }
  }

  private static long differing(byte[] expected, byte[] actual) {
    long differing = Math.abs(expected.length - actual.length);
    for (int i = 0; i < Math.min(expected.length, actual.length); i++) {
      differing += expected[i] == actual[i] ? 0 : 1;
    }
    return differing;
  }

  private static <T, E extends Exception> Timed<T> faster(Timed.Work<T, E> work) throws E {
    Timed<T> best = Timed.of(work);
    for (int i = 1; i < CALLS; i++) {
      Timed<T> next = Timed.of(work);
      best = next.seconds() < best.seconds() ? next : best;
    }
    return best;
  }
}
