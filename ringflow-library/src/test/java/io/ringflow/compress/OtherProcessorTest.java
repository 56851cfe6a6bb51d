package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.RingFlow;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.MixedBlocks;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.internal.mixing.TextPredictor;
import io.ringflow.model.FittedModel;
import io.ringflow.table.TableModel;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextModel;
import io.ringflow.train.FitOptions.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one processor compresses, another one decompresses: a process whose vectors are shorter, so
 * that sums are rounded otherwise, and that has another number of threads.
 */
final class OtherProcessorTest {
  private static final String STREAMS = "streams";
  private static final String TABLE = "table";
  private static final List<String> CODINGS =
      List.of("lstm", "made", "transformer", "growing", "packed", STREAMS, TABLE);

  @TempDir Path folder;

  /** The oldest x86_64, with two threads; tests have one, and vectors of 2013. */
  private static final Map<String, String> OLD_PROCESSOR =
      Map.of(
          "ATEN_CPU_CAPABILITY", "default",
          "ONEDNN_MAX_CPU_ISA", "SSE41",
          "OPENBLAS_CORETYPE", "Prescott",
          "OMP_NUM_THREADS", "2",
          "OPENBLAS_NUM_THREADS", "2");

  @Test
  void anotherProcessorDecompresses() throws Exception {
    Map<String, byte[]> originals = new LinkedHashMap<>();
    Map<String, String> logProbs = new LinkedHashMap<>();
    for (String name : CODINGS) {
      byte[] original =
          (name.equals(TABLE) ? rows() : letters(3000, 1)).getBytes(StandardCharsets.UTF_8);
      originals.put(name, original);
      try (FittedModel model = model(name)) {
        logProbs.put(name, compress(name, model, original));
      }
    }

    Map<String, String> found = decompressedElsewhere();
    logProbs.remove(TABLE); // too small to be rounded otherwise
    assertThat(found.entrySet())
        .as("the other process rounds otherwise")
        .doesNotContainAnyElementsOf(logProbs.entrySet());
    assertThat(found).containsOnlyKeys(CODINGS.toArray(String[]::new));
    for (Map.Entry<String, byte[]> original : originals.entrySet()) {
      assertThat(folder.resolve(original.getKey() + ".back"))
          .as(original.getKey())
          .hasBinaryContent(original.getValue());
    }
  }

  private static FittedModel model(String name) {
    return switch (name) {
      case TABLE -> WildModels.table(Family.AUTOREGRESSIVE);
      case STREAMS -> Compressors.model("transformer", 7);
      default -> Compressors.model(name, 7);
    };
  }

  private static String letters(int length, long seed) {
    return Compressors.text(length, new SplittableRandom(seed));
  }

  /** Some rows of the table, in any order. */
  private static String rows() {
    var random = new SplittableRandom(2);
    var text = new StringBuilder("city,size,of,kind\n");
    for (int i = 0; i < 400; i++) {
      int row = random.nextInt(WildModels.TABLE.size());
      text.append(String.join(",", WildModels.TABLE.row(row))).append('\n');
    }
    return text.toString();
  }

  private String compress(String name, FittedModel model, byte[] original) throws IOException {
    model.save(folder.resolve(name));
    Files.write(
        folder.resolve(name + ".ringflow"),
        compressor(name, model).coded(original, ProgressListener.IGNORED).orElseThrow());
    return logProbs(model);
  }

  private static Compressor compressor(String name, FittedModel model) {
    if (model instanceof TableModel table) {
      return new Compressor(table);
    }
    TextModel text = (TextModel) model;
    if (!name.equals(STREAMS)) {
      return new Compressor(text);
    }
    var predictor = new TextPredictor(TextPredictor.MIN_SLOT_BITS);
    byte[] learned = letters(300, 3).getBytes(StandardCharsets.UTF_8);
    predictor.learn(learned, 0, learned.length);
    return new Compressor(
        new MixedCoding(
            text,
            new CountedText(predictor, new byte[32]),
            (conditionals, spellings) -> new MixedBlocks(conditionals, spellings, 2)));
  }

  /** Every bit of what the model says of some rows. */
  private static String logProbs(FittedModel model) {
    int[][] rows = model.flow().sample(50, 1);
    double[] logProbs = model.flow().logProb(rows, new int[0][], Precision.FLOAT64);
    return Arrays.toString(Arrays.stream(logProbs).mapToObj(Double::toHexString).toArray());
  }

  /** Runs the other process; what its models say. */
  private Map<String, String> decompressedElsewhere() throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", // it will not live long
            "-Dorg.bytedeco.javacpp.maxphysicalbytes=0",
            "-cp",
            System.getProperty("java.class.path"),
            OtherProcess.class.getName(),
            folder.toString());
    builder.environment().putAll(OLD_PROCESSOR);
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("exit code").isZero();
    Map<String, String> said = new LinkedHashMap<>();
    for (String line : printed.lines().toList()) {
      String[] words = line.split(" ", 2);
      said.put(words[0], words[1]);
    }
    return said;
  }

  /** Decompresses everything in a folder, and prints what each model says. */
  static final class OtherProcess {
    public static void main(String[] args) throws IOException, CompressedFormatException {
      Path folder = Path.of(args[0]);
      for (String name : CODINGS) {
        try (FittedModel model = RingFlow.load(folder.resolve(name))) {
          byte[] small = Files.readAllBytes(folder.resolve(name + ".ringflow"));
          Files.write(folder.resolve(name + ".back"), compressor(name, model).decompress(small));
          System.out.println(name + " " + logProbs(model));
        }
      }
    }
  }
}
