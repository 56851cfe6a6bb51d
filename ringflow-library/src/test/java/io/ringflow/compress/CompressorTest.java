package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.Device;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.internal.coding.BlocksAtOnce;
import io.ringflow.internal.torch.ComputeThreads;
import io.ringflow.layer.Pack;
import io.ringflow.model.Architecture;
import io.ringflow.spi.Scope;
import io.ringflow.testing.LeakCheck;
import io.ringflow.testing.WildModels;
import io.ringflow.text.TextModel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
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

  private static TextModel model(String name) {
    return Compressors.model(name, 7);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyFileComesBack(String name) throws CompressedFormatException {
    try (TextModel model = model(name)) {
      var compressor = new Compressor(model);
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

  /** Blocks of one row, of few, of exactly all and of more; read one by one, and many at once. */
  @ParameterizedTest
  @MethodSource("names")
  void blocksOfAnySizeComeBack(String name) throws CompressedFormatException {
    byte[] bytes = letters(3 * Compressors.POSITIONS - 4);
    try (TextModel model = model(name)) {
      for (int rows = 1; rows <= 4; rows++) {
        for (BlocksAtOnce atOnce : List.of(BlocksAtOnce.ONE, new BlocksAtOnce(2, 2))) {
          var compressor = new Compressor(model, rows, atOnce);
          assertThat(byFlowAlone(compressor, bytes)).isEqualTo(bytes);
        }
      }
    }
  }

  @Test
  void damageIsFoundInWhateverBlockOfManyReadAtOnce() {
    byte[] bytes = letters(8 * Compressors.POSITIONS);
    try (TextModel model = model("made")) {
      var compressor = new Compressor(model, 1, new BlocksAtOnce(2, 2));
      byte[] whole = compressor.coded(bytes, ProgressListener.IGNORED).orElseThrow();
      for (int place = whole.length / 3; place < whole.length; place += 5) {
        byte[] damaged = whole.clone();
        damaged[place] ^= 0x55;
        Compressors.reseal(damaged);
        assertThatThrownBy(() -> compressor.decompress(damaged))
            .isInstanceOf(CompressedFormatException.class)
            .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
      }
    }
  }

  /** The same by the model's method, whether it is the shortest or not. */
  private static byte[] byFlowAlone(Compressor compressor, byte[] bytes)
      throws CompressedFormatException {
    return compressor.decompress(compressor.coded(bytes, ProgressListener.IGNORED).orElseThrow());
  }

  @Test
  void theShortestMethodIsTaken() throws CompressedFormatException {
    Set<Integer> methods = new HashSet<>();
    try (TextModel model = model("factorised")) {
      var compressor = new Compressor(model);
      assertThat(method(compressor.compress(LETTERS))).isEqualTo(2);
      assertThat(method(compressor.compress(new byte[3000]))).isEqualTo(9);
      assertThat(compressor.compress(new byte[3000])).hasSizeLessThan(50);
      assertThat(method(compressor.compress(Compressors.files().get("random")))).isEqualTo(0);
      assertThat(compressor.compress(new byte[0])).hasSize(19);
      for (byte[] file : Compressors.files().values()) {
        methods.add(method(compressor.compress(file)));
      }
    }
    assertThat(methods).containsExactlyInAnyOrder(0, 2, 9);
  }

  /** Bytes without characters, by models of bytes and of packed bits of them. */
  @Test
  void bytesAreSymbolsToo() throws CompressedFormatException {
    Architecture bytes = Architecture.of(Space.uniform(4, 256), new FactorizedBase());
    Architecture pairs =
        new Architecture(bytes.space(), Space.NONE, bytes.base(), List.of(new Pack(2)));
    for (Architecture architecture : List.of(bytes, pairs)) {
      try (TextModel model = Compressors.model(architecture, WildModels.bytes(), 1)) {
        var compressor = new Compressor(model);
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
    try (TextModel model = model("packed")) {
      var compressor = new Compressor(model);
      byte[] bytes = {'a', 'a', 't'};
      double bits = model.score(bytes, ProgressListener.IGNORED).bits();
      assertThat(bits).as("of three letters").isBetween(9.0, 12.0);
      byte[] compressed = compressor.coded(bytes, ProgressListener.IGNORED).orElseThrow();
      assertThat(compressed.length - bits / 8).isLessThan(48);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aScoreIsTheFlows(String name) {
    byte[] whole = letters(Compressors.POSITIONS * 40);
    int[] ids = Compressors.LETTERS.ids(new String(whole, StandardCharsets.UTF_8));
    int[][] rows = new int[40][];
    Arrays.setAll(
        rows,
        i -> Arrays.copyOfRange(ids, i * Compressors.POSITIONS, (i + 1) * Compressors.POSITIONS));
    try (TextModel model = model(name)) {
      double nats = -Arrays.stream(model.flow().logProb(rows)).sum();
      assertThat(model.score(whole, ProgressListener.IGNORED).bits())
          .isCloseTo(nats / Math.log(2), within(1e-9));
    }
  }

  /** The bytes of the symbols alone, header and escapes aside: whole rows, parts of them, both. */
  @ParameterizedTest
  @MethodSource("names")
  void anyFileTakesWhatItsScoreSays(String name) {
    try (TextModel model = model(name)) {
      var compressor = new Compressor(model);
      for (Map.Entry<String, byte[]> file : Compressors.files().entrySet()) {
        TextModel.Score score = model.score(file.getValue(), ProgressListener.IGNORED);
        if (score.unknownBytes() == 0) {
          byte[] compressed =
              compressor.coded(file.getValue(), ProgressListener.IGNORED).orElseThrow();
          assertThat(compressed.length - score.bits() / 8)
              .as(file.getKey())
              .isBetween(0.0, 64 + 0.001 * score.bits() / 8);
        }
      }
    }
  }

  /** Every piece of two letters, and every text that is shorter, by every kind of model. */
  @ParameterizedTest
  @ValueSource(ints = {4, 6})
  void everyShortTextComesBack(int length) throws CompressedFormatException {
    var pieces = new StringBuilder();
    for (int number = 0; number < 1 << length; number++) {
      pieces.append(letters(number, length));
    }
    for (var kind : WildModels.ofTwoLetters(length).entrySet()) {
      try (TextModel model = WildModels.text(kind.getValue(), WildModels.characters("ab"))) {
        var compressor = new Compressor(model);
        for (int letters = 0; letters < length; letters++) {
          for (int number = 0; number < 1 << letters; number++) {
            // The last one of each length behind all pieces, the others alone.
            String end = letters(number, letters);
            boolean last = number == (1 << letters) - 1;
            byte[] text = (last ? pieces + end : end).getBytes(StandardCharsets.UTF_8);
            assertThat(byFlowAlone(compressor, text)).as(kind.getKey()).isEqualTo(text);
          }
        }
      }
    }
  }

  private static String letters(int number, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> (number >> i & 1) == 0 ? "a" : "b")
        .collect(Collectors.joining());
  }

  /** Compressed alone and together with others, decompressed on one core and on all. */
  @ParameterizedTest
  @MethodSource("names")
  void threadsAndChunksDoNotMatter(String name) throws CompressedFormatException {
    byte[] bytes = letters(8_000);
    try (TextModel model = model(name)) {
      var compressor = new Compressor(model);
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
    try (TextModel model = model("factorised")) {
      var compressor = new Compressor(model, 10, BlocksAtOnce.ONE);
      List<Long> packing = new ArrayList<>();
      byte[] compressed = compressor.compress(LETTERS, (done, total) -> packing.add(done));
      List<Long> unpacking = new ArrayList<>();
      assertThat(compressor.decompress(compressed, (done, total) -> unpacking.add(done)))
          .isEqualTo(LETTERS);
      assertThat(packing).isSorted().startsWith(0L).endsWith((long) LETTERS.length).hasSize(7);
      assertThat(unpacking).isSorted().startsWith(0L).endsWith((long) compressed.length).hasSize(7);
    }
  }

  @Test
  void anInterruptEndsTheWork() {
    try (TextModel model = model("made")) {
      var compressor = new Compressor(model);
      byte[] compressed = compressor.compress(LETTERS);
      for (Runnable work :
          List.<Runnable>of(
              () -> compressor.compress(LETTERS, (done, total) -> interrupt()),
              () -> decompress(compressor, compressed),
              () -> {
                interrupt();
                model.score(LETTERS, ProgressListener.IGNORED);
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
    try (TextModel model = Compressors.model(large, WildModels.characters("acgt"), 1)) {
      var compressor = new Compressor(model);
      assertThat(byFlowAlone(compressor, genes)).isEqualTo(genes);
    }
  }
}
