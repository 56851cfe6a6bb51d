package io.ringflow.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.core.ProgressListener;
import io.ringflow.internal.coding.BlocksAtOnce;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.coding.Deflated;
import io.ringflow.internal.coding.RansEncoder;
import io.ringflow.testing.LeakCheck;
import io.ringflow.text.TextModel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever is done to a compressed file, decompressing it gives the right bytes or a clear error,
 * soon. {@code -Dringflow.fuzz.files=10000} tries more files.
 */
@Tag("slow")
@ExtendWith(LeakCheck.class)
final class CompressorFuzzTest {
  private static final int FILES = Integer.getInteger("ringflow.fuzz.files", 2000);
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Half of them get a right seal again, as somebody with an intent would do. */
  @Test
  void damagedFiles() {
    var random = new SplittableRandom(FILES);
    byte[] original =
        (Compressors.text(130, random) + "QUIZ" + Compressors.text(40, random))
            .getBytes(StandardCharsets.UTF_8);
    try (TextModel model = Compressors.model("pairs", 7)) {
      var compressor = new Compressor(model, 8, BlocksAtOnce.ONE);
      List<byte[]> wholes =
          List.of(
              compressor.coded(original, ProgressListener.IGNORED).orElseThrow(),
              Container.seal(Container.Method.DEFLATED, original, Deflated.of(original)),
              Container.seal(Container.Method.STORED, original, original));
      int refused = 0;
      int deep = 0;
      for (int i = 0; i < FILES; i++) {
        byte[] whole = wholes.get(i % 4 == 3 ? random.nextInt(1, 3) : 0);
        byte[] damaged = Damage.of(whole, random);
        if (i % 2 == 0) {
          Compressors.reseal(damaged);
        }
        long start = System.nanoTime();
        try {
          byte[] restored = compressor.decompress(damaged);
          assertThat(restored).as("file %d", i).isEqualTo(original);
        } catch (CompressedFormatException e) {
          assertThat(e.getMessage()).isNotBlank().hasLineCount(1);
          refused++;
          deep += e.getMessage().startsWith("is damaged: ") ? 1 : 0;
        } catch (RuntimeException | Error e) {
          fail("file " + i, e);
        }
        assertThat(System.nanoTime() - start).as("file %d", i).isLessThan(SOON.toNanos());
      }
      assertThat(refused).isGreaterThan(FILES * 9 / 10);
      assertThat(deep).as("found behind the seal").isGreaterThan(FILES / 4);
    }
  }

  /** A few bytes that claim to be two gigabytes are refused for less. */
  @Test
  void claimsTakeNoMemory() {
    try (TextModel model = Compressors.model("factorised", 7)) {
      var compressor = new Compressor(model);
      for (int symbols : new int[] {0, 1, Integer.MAX_VALUE - 100}) {
        for (int method = 0; method < 3; method++) {
          var out = new ByteWriter();
          out.bytes(new byte[] {(byte) 0xF1, 'R', 'F', 'C', 1, (byte) method});
          out.number(Integer.MAX_VALUE - 64);
          out.bytes(new byte[8]);
          out.bytes(Compressors.hash(model));
          out.number(symbols);
          out.number(0);
          out.number(20);
          out.single(0);
          out.number(8);
          out.bytes(new RansEncoder().finish());
          byte[] claim = Arrays.copyOf(out.toBytes(), out.size() + 4);
          Compressors.reseal(claim);
          try {
            fail("restored " + compressor.decompress(claim).length);
          } catch (CompressedFormatException e) {
            assertThat(e.getMessage()).startsWith("is damaged: ");
          }
        }
      }
    }
  }
}
