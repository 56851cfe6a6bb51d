package io.ringflow.bench;

import io.ringflow.RingFlow;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.MixedBlocks;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.internal.mixing.TextPredictor;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * What it costs to cut a text into streams that a network computes in one batch: bytes and seconds
 * by the number of streams, 0 for the counts alone.
 *
 * <pre>
 *   MixedStreams MODEL FILE cpu|cuda|counts STREAMS…
 * </pre>
 *
 * <p>With {@code counts} the network says nothing: what the streams alone cost the counts, which
 * all of them share.
 */
public final class MixedStreams {
  private static final int ONE = 1 << 16;

  private MixedStreams() {}

  /** Prints a table. */
  public static void main(String[] arguments) throws Exception {
    Device device = arguments[2].equals("cuda") ? Device.CUDA : Device.CPU;
    byte[] bytes = Files.readAllBytes(Path.of(arguments[1]));
    try (TextModel model = (TextModel) RingFlow.load(Path.of(arguments[0]), device)) {
      CountedText counts = EngineAccess.counts(model.flow()).orElseThrow().get();
      TextCodec codec = model.codec();
      byte[][] spellings =
          ByteText.of(
                  codec.unit() == TextCodec.Unit.BYTES,
                  codec.vocabulary().codePoints(),
                  codec.vocabulary()::id)
              .spellings();
      if (arguments[2].equals("counts")) {
        printCounts(counts, bytes, arguments);
        return;
      }
      var conditionals = new Conditionals(EngineAccess.of(model.flow()));
      System.out.println("| streams | bytes | seconds | kB/s |");
      System.out.println("|--:|--:|--:|--:|");
      for (int i = 3; i < arguments.length; i++) {
        int streams = Integer.parseInt(arguments[i]);
        var blocks = new MixedBlocks(conditionals, spellings, streams);
        var out = new ByteWriter();
        long start = System.nanoTime();
        if (!blocks.write(bytes, counts.predictor().copy(), out, ProgressListener.IGNORED)) {
          throw new IllegalStateException("no safe offset");
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
            Locale.ROOT,
            "| %d | %,d | %.1f | %.0f |%n",
            streams,
            out.toBytes().length,
            seconds,
            bytes.length / seconds / 1000);
      }
    }
  }

  private static void printCounts(CountedText counts, byte[] bytes, String[] arguments) {
    System.out.println("| streams | bytes | seconds |");
    System.out.println("|--:|--:|--:|");
    for (int i = 3; i < arguments.length; i++) {
      int streams = Integer.parseInt(arguments[i]);
      Timed<Double> length = Timed.of(() -> codeLength(counts.predictor().copy(), bytes, streams));
      System.out.printf(
          Locale.ROOT, "| %d | %,.0f | %.1f |%n", streams, length.result(), length.seconds());
    }
  }

  /** In bytes, of streams that are predicted by turns, byte by byte. */
  private static double codeLength(TextPredictor predictor, byte[] bytes, int streams) {
    int[] starts = new int[streams + 1];
    Arrays.setAll(starts, i -> (int) ((long) bytes.length * i / streams));
    TextPredictor.Place[] places = new TextPredictor.Place[streams];
    Arrays.setAll(places, i -> predictor.behind(starts[i]));
    double bits = 0;
    for (int turn = 0; turn <= bytes.length / streams; turn++) {
      for (int stream = 0; stream < streams; stream++) {
        int at = starts[stream] + turn;
        if (at < starts[stream + 1]) {
          predictor.moveTo(places[stream]);
          for (int shift = 7; shift >= 0; shift--) {
            int bit = (bytes[at] >> shift) & 1;
            int one = predictor.probability(0);
            bits -= Math.log((bit == 1 ? one : ONE - one) / (double) ONE);
            predictor.update(bit);
          }
        }
      }
    }
    return bits / Math.log(2) / Byte.SIZE;
  }
}
