package io.ringflow.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.ModelFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeflatedPiecesTest {
  @TempDir Path folder;

  private Path written(byte[] bytes) throws IOException {
    Path file = folder.resolve("pieces");
    try (OutputStream out = DeflatedPieces.writer(file, Deflater.BEST_SPEED)) {
      int half = bytes.length / 2;
      out.write(bytes, 0, half);
      if (half < bytes.length) {
        out.write(bytes[half]);
        out.write(bytes, half + 1, bytes.length - half - 1);
      }
    }
    return file;
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = DeflatedPieces.reader(file)) {
      return in.readAllBytes();
    }
  }

  /** Nothing but noise, nothing but zeros, and both. */
  private static byte[] bytes(int length, int noise) {
    byte[] bytes = new byte[length];
    byte[] random = new byte[noise];
    new SplittableRandom(1).nextBytes(random);
    System.arraycopy(random, 0, bytes, 0, noise);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 13 << 20})
  void everyByteComesBack(int length) throws IOException {
    for (int noise : new int[] {0, length / 3, length}) {
      byte[] bytes = bytes(length, noise);
      assertThat(Arrays.equals(read(written(bytes)), bytes)).isTrue();
    }
  }

  @Test
  void noiseHardlyGrows() throws IOException {
    assertThat(Files.size(written(bytes(3 << 20, 3 << 20)))).isLessThan((3 << 20) + 2000);
  }

  /** Wherever a file ends too early, it says so. */
  @Test
  void cutFilesAreRefused() throws IOException {
    Path file = written(bytes(3000, 100));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> read(file))
          .isInstanceOf(ModelFormatException.class)
          .hasMessageStartingWith(file + ": is damaged: ");
    }
    Files.write(file, Arrays.copyOf(whole, whole.length + 1));
    assertThatThrownBy(() -> read(file)).hasMessage(file + ": is damaged: is longer than it says");
  }

  /** Checksums are others' business: what damage does not show may come back, but nothing hangs. */
  @Test
  void damageIsRefusedOrRead() throws IOException {
    Path file = written(bytes(3000, 100));
    byte[] whole = Files.readAllBytes(file);
    int refused = 0;
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      try {
        assertThat(read(file)).hasSizeLessThanOrEqualTo(3000);
      } catch (ModelFormatException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(8 * 12); // the frame at least
  }

  @Test
  void earlierFilesAreRefusedAsSuch() throws IOException {
    Path file = folder.resolve("earlier");
    try (var out = new DeflaterOutputStream(Files.newOutputStream(file))) {
      out.write(bytes(100, 10));
    }
    assertThatThrownBy(() -> read(file))
        .hasMessage(file + ": was written by an earlier snapshot of Ringflow: train again");
  }
}
