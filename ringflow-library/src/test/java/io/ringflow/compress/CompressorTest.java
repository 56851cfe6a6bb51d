package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.ByteText;
import io.ringflow.internal.torch.ComputeThreads;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.Scope;
import io.ringflow.testing.LeakCheck;
import io.ringflow.text.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(LeakCheck.class)
final class CompressorTest {
  private static final byte[] LETTERS = letters(700);

  private static byte[] letters(int length) {
    return Compressors.text(length, new SplittableRandom(3)).getBytes(StandardCharsets.UTF_8);
  }

  private static int method(byte[] compressed) {
    return compressed[5];
  }

  static Stream<String> names() {
    return Compressors.architectures().keySet().stream();
  }

  private static FlowModel model(String name) {
    return FlowModel.create(Compressors.architectures().get(name), 7);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyFileComesBack(String name) throws CompressedFormatException {
    try (FlowModel model = model(name)) {
      Compressor compressor = Compressors.compressor(model);
      for (Map.Entry<String, byte[]> file : Compressors.files().entrySet()) {
        byte[] bytes = file.getValue();
        byte[] compressed = compressor.compress(bytes);
        assertThat(compressor.decompress(compressed)).as(file.getKey()).isEqualTo(bytes);
        assertThat(compressed.length).as(file.getKey()).isLessThanOrEqualTo(bytes.length + 23);
        if (method(compressed) != 2) {
          assertThat(byFlowAlone(compressor, bytes)).as(file.getKey()).isEqualTo(bytes);
        }
      }
    }
  }

  /** Blocks of one row, of few, of exactly all and of more. */
  @ParameterizedTest
  @MethodSource("names")
  void blocksOfAnySizeComeBack(String name) throws CompressedFormatException {
    byte[] bytes = letters(3 * Compressors.POSITIONS - 4);
    try (FlowModel model = model(name)) {
      for (int rows = 1; rows <= 4; rows++) {
        var compressor =
            new Compressor(model.coding(), Compressors.TEXT, Compressors.hash(1), rows);
        assertThat(byFlowAlone(compressor, bytes)).isEqualTo(bytes);
      }
    }
  }

  /** The same by the model's method, whether it is the shortest or not. */
  private static byte[] byFlowAlone(Compressor compressor, byte[] bytes)
      throws CompressedFormatException {
    return compressor.decompress(compressor.byFlow(bytes, ProgressListener.IGNORED).orElseThrow());
  }

  @Test
  void theShortestMethodIsTaken() throws CompressedFormatException {
    Set<Integer> methods = new HashSet<>();
    try (FlowModel model = model("factorised")) {
      Compressor compressor = Compressors.compressor(model);
      assertThat(method(compressor.compress(LETTERS))).isEqualTo(2);
      assertThat(method(compressor.compress(new byte[3000]))).isEqualTo(1);
      assertThat(compressor.compress(new byte[3000])).hasSizeLessThan(50);
      assertThat(method(compressor.compress(Compressors.bytes256()))).isEqualTo(0);
      assertThat(compressor.compress(new byte[0])).hasSize(19);
      for (byte[] file : Compressors.files().values()) {
        methods.add(method(compressor.compress(file)));
      }
    }
    assertThat(methods).containsExactlyInAnyOrder(0, 1, 2);
  }

  /** Bytes without characters, by models of bytes and of packed bits of them. */
  @Test
  void bytesAreSymbolsToo() throws CompressedFormatException {
    Architecture bytes = Architecture.of(Space.uniform(4, 256), new FactorizedBase());
    Architecture pairs =
        new Architecture(bytes.space(), Space.NONE, bytes.base(), List.of(new Pack(2)));
    for (Architecture architecture : List.of(bytes, pairs)) {
      try (FlowModel model = FlowModel.create(architecture, 1)) {
        var compressor = new Compressor(model, ByteText.ofBytes(), Compressors.hash(1));
        for (String name : List.of("empty", "one byte", "not UTF-8", "all bytes")) {
          byte[] file = Compressors.files().get(name);
          assertThat(byFlowAlone(compressor, file)).isEqualTo(file);
        }
      }
    }
  }

  /** The header, and what is around a block. */
  @Test
  void aSmallFileHasASmallHeader() {
    try (FlowModel model = model("packed")) {
      Compressor compressor = Compressors.compressor(model);
      byte[] bytes = {'a', 'a', 't'};
      double bits = compressor.estimatedBits(bytes);
      assertThat(bits).as("of two pairs").isBetween(10.0, 18.0);
      byte[] compressed = compressor.byFlow(bytes, ProgressListener.IGNORED).orElseThrow();
      assertThat(compressed.length - bits / 8).isLessThan(48);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void theEstimateIsTheModels(String name) {
    byte[] whole = letters(Compressors.POSITIONS * 40);
    int[] ids = Compressors.LETTERS.ids(new String(whole, StandardCharsets.UTF_8));
    int[][] rows = new int[40][];
    Arrays.setAll(
        rows,
        i -> Arrays.copyOfRange(ids, i * Compressors.POSITIONS, (i + 1) * Compressors.POSITIONS));
    try (FlowModel model = model(name)) {
      double nats = -Arrays.stream(model.logProb(rows)).sum();
      assertThat(Compressors.compressor(model).estimatedBits(whole))
          .isCloseTo(nats / Math.log(2), within(1e-9));
    }
  }

  /** Compressed alone and together with others, decompressed on one core and on all. */
  @ParameterizedTest
  @MethodSource("names")
  void threadsAndChunksDoNotMatter(String name) throws CompressedFormatException {
    byte[] bytes = letters(8_000);
    try (FlowModel model = model(name)) {
      Compressor compressor = Compressors.compressor(model);
      byte[] compressed = compressor.compress(bytes);
      try (Scope scope = Scope.inference()) {
        ComputeThreads.share(Device.CPU, 1000);
        assertThat(compressor.compress(bytes)).isEqualTo(compressed);
        assertThat(compressor.decompress(compressed)).isEqualTo(bytes);
        ComputeThreads.release(Device.CPU, 1000);
      }
      assertThat(compressor.decompress(compressed)).isEqualTo(bytes);
    }
  }

  @Test
  void progressRunsToTheEnd() throws CompressedFormatException {
    try (FlowModel model = model("factorised")) {
      var compressor = new Compressor(model.coding(), Compressors.TEXT, Compressors.hash(1), 10);
      List<Long> packing = new ArrayList<>();
      byte[] compressed = compressor.compress(LETTERS, (done, total) -> packing.add(done));
      List<Long> unpacking = new ArrayList<>();
      assertThat(compressor.decompress(compressed, (done, total) -> unpacking.add(done)))
          .isEqualTo(LETTERS);
      assertThat(packing).isSorted().startsWith(0L).endsWith((long) LETTERS.length).hasSize(7);
      assertThat(unpacking).isEqualTo(packing);
    }
  }

  @Test
  void anInterruptEndsBoth() {
    try (FlowModel model = model("made")) {
      Compressor compressor = Compressors.compressor(model);
      byte[] compressed = compressor.compress(LETTERS);
      for (Runnable work :
          List.<Runnable>of(
              () -> compressor.compress(LETTERS, (done, total) -> interrupt()),
              () -> decompress(compressor, compressed),
              () -> {
                interrupt();
                compressor.estimatedBits(LETTERS);
              })) {
        assertThatThrownBy(work::run).isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
      }
    }
  }

  private static void interrupt() {
    Thread.currentThread().interrupt();
  }

  private static void decompress(Compressor compressor, byte[] compressed) {
    try {
      compressor.decompress(compressed, (done, total) -> interrupt());
    } catch (CompressedFormatException e) {
      throw new AssertionError(e);
    }
  }

  /** The base may have 262,144 symbols; this one has as many. */
  @Test
  void theLargestAlphabetComesBack() throws CompressedFormatException {
    Architecture large =
        new Architecture(
            Space.uniform(9, 4), Space.NONE, new FactorizedBase(), List.of(new Pack(9)));
    byte[] genes = "gattacagattaca".getBytes(StandardCharsets.UTF_8);
    try (FlowModel model = FlowModel.create(large, 1)) {
      var compressor =
          new Compressor(model, ByteText.of(Vocabulary.of("acgt")), Compressors.hash(1));
      assertThat(byFlowAlone(compressor, genes)).isEqualTo(genes);
    }
  }
}
