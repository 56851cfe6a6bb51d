package io.ringflow.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.store.Safetensors.Contents;
import io.ringflow.internal.store.Safetensors.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever happens to a file's bytes, reading it ends in contents or in one kind of exception. */
@Tag("slow")
final class SafetensorsFuzzTest {
  private static Path folder;

  @BeforeContainer
  static void open() throws IOException {
    folder = Files.createTempDirectory("safetensors-fuzz");
  }

  @AfterContainer
  static void close() throws IOException {
    Files.deleteIfExists(file());
    Files.delete(folder);
  }

  private static Path file() {
    return folder.resolve("fuzz.safetensors");
  }

  @Provide
  Arbitrary<Contents> contents() {
    Arbitrary<Entry> entry =
        Combinators.combine(
                Arbitraries.of("F32", "F64", "I64", "U8"),
                Arbitraries.longs().between(0, 5).list().ofMaxSize(3),
                Arbitraries.longs())
            .as(SafetensorsFuzzTest::entry);
    Arbitrary<String> text =
        Arbitraries.strings()
            .ofMaxLength(8)
            .filter(s -> StandardCharsets.UTF_8.newEncoder().canEncode(s));
    return Combinators.combine(
            Arbitraries.maps(text.filter(s -> !s.equals("__metadata__")), entry).ofMaxSize(6),
            Arbitraries.maps(text, text).ofMaxSize(3))
        .as(Contents::new);
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void everyFileComesBack(@ForAll("contents") Contents contents) throws IOException {
    Safetensors.write(file(), contents.tensors(), contents.metadata());
    Contents read = Safetensors.read(file());
    assertThat(read).isEqualTo(contents);
    assertThat(read.tensors().keySet()).containsExactlyElementsOf(contents.tensors().keySet());
    assertThat(read.metadata().keySet()).containsExactlyElementsOf(contents.metadata().keySet());
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void randomDamageIsNeverASurprise(@ForAll("contents") Contents contents, @ForAll Random random)
      throws IOException {
    Safetensors.write(file(), contents.tensors(), contents.metadata());
    byte[] sound = Files.readAllBytes(file());
    for (int i = 0; i < 10; i++) {
      byte[] damaged =
          Arrays.copyOf(sound, random.nextInt(4) == 0 ? sound.length + 3 : sound.length);
      for (int hits = 1 + random.nextInt(4); hits > 0; hits--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      readOrRefuse(damaged);
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void noiseIsNeverASurprise(@ForAll byte[] header, @ForAll byte[] data) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + header.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
    readOrRefuse(bytes.putLong(header.length).put(header).put(data).array());
    readOrRefuse(data);
  }

  @Example
  void everyTruncationIsRefused() throws IOException {
    byte[] sound = small();
    for (int length = 0; length < sound.length; length++) {
      assertThat(readOrRefuse(Arrays.copyOf(sound, length))).as("%d bytes", length).isNull();
    }
    assertThat(readOrRefuse(Arrays.copyOf(sound, sound.length + 1))).isNull();
  }

  /** A name or a text may change unseen (there is no checksum); what lies where may not. */
  @Example
  void everyFlippedBitIsRefusedOrLeavesTheStructure() throws IOException {
    byte[] sound = small();
    Contents original = readOrRefuse(sound);
    assertThat(original).isNotNull();
    int dataStart = 8 + (int) ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN).getLong();
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      Contents read = readOrRefuse(damaged);
      if (bit / 8 < 8) {
        assertThat(read).as("length bit %d", bit).isNull();
      } else if (bit / 8 >= dataStart) {
        assertThat(read).as("data bit %d", bit).isNotNull().isNotEqualTo(original);
        assertThat(read.tensors().keySet()).isEqualTo(original.tensors().keySet());
        assertThat(read.metadata()).isEqualTo(original.metadata());
        assertThat(shapes(read)).isEqualTo(shapes(original));
      } else if (read != null) {
        assertThat(shapes(read)).as("header bit %d", bit).isEqualTo(shapes(original));
      }
    }
  }

  private static List<String> shapes(Contents contents) {
    return contents.tensors().values().stream().map(e -> e.dtype() + e.shape()).toList();
  }

  /** The contents, or null if refused as damage must be. */
  private static Contents readOrRefuse(byte[] bytes) throws IOException {
    Files.write(file(), bytes);
    try {
      return Safetensors.read(file());
    } catch (ModelFormatException e) {
      assertThat(e).hasMessageStartingWith(file() + ": ");
      assertThat(e.getMessage().lines()).hasSize(1);
      return null;
    }
  }

  private static byte[] small() throws IOException {
    Map<String, Entry> tensors = new LinkedHashMap<>();
    tensors.put("bias", entry("F32", List.of(3L), 1));
    tensors.put("mask", entry("U8", List.of(5L), 2));
    tensors.put("step", entry("I64", List.of(), 3));
    Safetensors.write(file(), tensors, Map.of("format", "test"));
    return Files.readAllBytes(file());
  }

  private static Entry entry(String dtype, List<Long> shape, long seed) {
    byte[] data = new byte[(int) Safetensors.byteSize(dtype, shape)];
    new Random(seed).nextBytes(data);
    return new Entry(dtype, shape, ByteBuffer.wrap(data));
  }
}
