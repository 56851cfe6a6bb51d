package io.ringflow.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.ModelFormatException;
import io.ringflow.internal.store.Safetensors.Contents;
import io.ringflow.internal.store.Safetensors.Entry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SafetensorsTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("model.safetensors");
  }

  @Test
  void aFileComesBackAsItWasWritten() throws IOException {
    Map<String, Entry> tensors = new LinkedHashMap<>();
    tensors.put("flags", new Entry("U8", List.of(3L), ByteBuffer.wrap(new byte[] {1, 2, 3})));
    tensors.put("weights", floats(List.of(2L, 2L), 1f, -0f, Float.NaN, Float.MIN_VALUE));
    tensors.put("steps", new Entry("I64", List.of(), longs(Long.MIN_VALUE)));
    tensors.put("empty", new Entry("F64", List.of(4L, 0L), ByteBuffer.allocate(0)));
    tensors.put("名前\n\"", new Entry("F64", List.of(1L), longs(Double.doubleToLongBits(0.1))));

    Safetensors.write(file(), tensors, Map.of("made by", "a \"test\" \u0001 ü 🙂"));
    Contents contents = Safetensors.read(file());

    assertThat(contents.tensors()).isEqualTo(tensors);
    assertThat(contents.tensors().keySet()).containsExactlyElementsOf(tensors.keySet());
    assertThat(contents.metadata()).isEqualTo(Map.of("made by", "a \"test\" \u0001 ü 🙂"));
    assertThat(contents.tensors().get("weights").data().getFloat(0)).isEqualTo(1f);
    assertThat(contents.tensors().get("weights").data().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertOnlyTheFileIsLeft();
  }

  /** The bytes a reader of another language expects, spelled out. */
  @Test
  void theBytesAreThoseOfTheFormat() throws IOException {
    Map<String, Entry> tensors = new LinkedHashMap<>();
    tensors.put("b", new Entry("U8", List.of(1L), ByteBuffer.wrap(new byte[] {7})));
    tensors.put("a", floats(List.of(2L), 1f, 2f));
    Safetensors.write(file(), tensors, Map.of("k", "v"));

    String header =
        "{\"__metadata__\":{\"k\":\"v\"},"
            + "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[8,9]},"
            + "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
    int padded = (header.length() + 7) / 8 * 8;
    ByteBuffer expected = ByteBuffer.allocate(8 + padded + 9).order(ByteOrder.LITTLE_ENDIAN);
    expected.putLong(padded);
    expected.put((header + " ".repeat(padded - header.length())).getBytes(StandardCharsets.UTF_8));
    expected.putFloat(1f).putFloat(2f).put((byte) 7);
    assertThat(Files.readAllBytes(file())).isEqualTo(expected.array());
  }

  @Test
  void nothingAtAllIsAFileToo() throws IOException {
    Safetensors.write(file(), Map.of(), Map.of());
    assertThat(Safetensors.read(file())).isEqualTo(new Contents(Map.of(), Map.of()));
  }

  @Test
  void buffersAreTakenFromPositionToLimitAndLeftAlone() throws IOException {
    ByteBuffer values = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}).position(1).limit(3);
    Entry entry = new Entry("U8", List.of(2L), values);
    Safetensors.write(file(), Map.of("x", entry), Map.of());
    Safetensors.write(file(), Map.of("x", entry), Map.of());
    assertThat(values.position()).isEqualTo(1);
    assertThat(Safetensors.read(file()).tensors().get("x").data())
        .isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
  }

  @Test
  void whatWasReadOutlivesTheFile() throws IOException {
    Safetensors.write(file(), Map.of("x", floats(List.of(1L), 5f)), Map.of());
    Contents contents = Safetensors.read(file());
    Files.write(file(), new byte[0]);
    assertThat(contents.tensors().get("x").data().getFloat()).isEqualTo(5f);
  }

  @Test
  void arraysComeOneByOneOnceTheHeaderIsSound() throws IOException {
    Map<String, Entry> tensors = new LinkedHashMap<>();
    tensors.put("z", floats(List.of(1L), 1f));
    tensors.put("a", floats(List.of(1L), 2f));
    Safetensors.write(file(), tensors, Map.of("k", "v"));
    List<String> seen = new ArrayList<>();
    assertThat(Safetensors.read(file(), (name, entry) -> seen.add(name)))
        .isEqualTo(Map.of("k", "v"));
    assertThat(seen).containsExactly("z", "a");

    Files.write(file(), new byte[] {0}, StandardOpenOption.APPEND);
    seen.clear();
    assertThatThrownBy(() -> Safetensors.read(file(), (name, entry) -> seen.add(name)))
        .isInstanceOf(ModelFormatException.class);
    assertThat(seen).isEmpty();
  }

  @Test
  void aCallersMistakeIsAnIllegalArgument() {
    ByteBuffer four = ByteBuffer.allocate(4);
    assertThatThrownBy(() -> new Entry("F16", List.of(2L), four))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dtype: 'F16' is not one of F32, F64, I64, U8");
    assertThatThrownBy(() -> new Entry("F32", List.of(2L), four))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("data: F32 [2] takes 8 bytes, got 4");
    assertThatThrownBy(() -> new Entry("F32", List.of(-1L), four))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("negative");
    Entry entry = new Entry("F32", List.of(1L), four);
    for (String name : List.of("__metadata__", "half a pair \ud800")) {
      assertThatThrownBy(() -> Safetensors.write(file(), Map.of(name, entry), Map.of()))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Safetensors.write(file(), Map.of(), Map.of("k", "\udc00")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aMissingFolderIsNamed() {
    assertThatThrownBy(() -> Safetensors.write(folder.resolve("no/such.file"), Map.of(), Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessage(folder.resolve("no") + ": no such folder");
  }

  @Test
  void whatIsNoFileIsNamed() {
    assertRefused(folder, "is a folder, not a file");
    assertRefused(folder.resolve("missing"), "no such file");
  }

  static Stream<Arguments> damagedHeaders() {
    return Stream.of(
        Arguments.of("", 0, "header length 0"),
        Arguments.of(" {}", 0, "does not start with '{'"),
        Arguments.of("\ufeff{}", 0, "does not start with '{'"),
        Arguments.of("[]", 0, "does not start with '{'"),
        Arguments.of("{}x", 0, "not valid JSON"),
        Arguments.of("{}{}", 0, "continues after"),
        Arguments.of("{\"a\"", 0, "not valid JSON"),
        Arguments.of("{'a':1}", 0, "not valid JSON"),
        Arguments.of("{\"a\":1}", 0, "expected START_OBJECT"),
        Arguments.of("{\"a\":{}}", 0, "has no dtype"),
        Arguments.of("{\"a\":{\"dtype\":\"U8\"}}", 0, "has no shape"),
        Arguments.of("{\"a\":{\"dtype\":\"U8\",\"shape\":[]}}", 0, "has no data_offsets"),
        Arguments.of(tensor("a", "BF16", "[1]", 0, 2), 2, "dtype: 'BF16' is not one of"),
        Arguments.of("{" + slot("a", "U8", "[1]", 0, 1).replace("\"U8\"", "8") + "}", 1, "dtype"),
        Arguments.of(tensor("a", "U8", "1", 0, 1), 1, "shape: expected START_ARRAY"),
        Arguments.of(tensor("a", "U8", "[1.0]", 0, 1), 1, "shape: expected VALUE_NUMBER_INT"),
        Arguments.of(tensor("a", "U8", "[[1]]", 0, 1), 1, "shape: expected VALUE_NUMBER_INT"),
        Arguments.of(tensor("a", "U8", "[null]", 0, 1), 1, "shape: expected VALUE_NUMBER_INT"),
        Arguments.of(tensor("a", "U8", "[-1,-1]", 0, 1), 1, "negative number: -1"),
        Arguments.of(tensor("a", "U8", "[9223372036854775808]", 0, 1), 1, "beyond 64 bits"),
        Arguments.of(tensor("a", "U8", "[4294967296,4294967296]", 0, 0), 0, "beyond 64 bits"),
        Arguments.of(tensor("a", "F64", "[2305843009213693952]", 0, 0), 0, "beyond 64 bits"),
        Arguments.of(tensor("a", "F32", "[1]", 0, 3), 3, "takes 4 bytes"),
        Arguments.of(tensor("a", "U8", "[1]", 1, 0), 1, "are not [begin, end]"),
        Arguments.of(tensor("a", "U8", "[1]", -1, 0), 1, "negative number: -1"),
        Arguments.of(tensor("a", "U8", "[1]", 1, 2), 2, "(hole)"),
        Arguments.of(tensor("a", "U8", "[1]", 0, 1), 0, "(truncated)"),
        Arguments.of(tensor("a", "U8", "[1]", 0, 1), 2, "(trailing bytes)"),
        Arguments.of("{}", 1, "(trailing bytes)"),
        Arguments.of(
            "{" + slot("a", "U8", "[2]", 0, 2) + "," + slot("b", "U8", "[2]", 1, 3) + "}",
            3,
            "(overlap)"),
        Arguments.of(
            "{" + slot("a", "U8", "[2]", 0, 2) + "," + slot("b", "U8", "[2]", 0, 2) + "}",
            2,
            "(overlap)"),
        Arguments.of(
            "{" + slot("a", "U8", "[1]", 0, 1) + "," + slot("b", "U8", "[1]", 2, 3) + "}",
            3,
            "(hole)"),
        Arguments.of(
            "{" + slot("a", "U8", "[1]", 0, 1) + "," + slot("a", "U8", "[1]", 1, 2) + "}",
            2,
            "Duplicate field 'a'"),
        Arguments.of(
            "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}",
            1,
            "Duplicate field 'dtype'"),
        Arguments.of(
            "{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1],\"layout\":\"new\"}}",
            1,
            "unknown field 'layout'"),
        Arguments.of("{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0]}}", 0, "[begin"),
        Arguments.of("{\"__metadata__\":[]}", 0, "__metadata__: expected START_OBJECT"),
        Arguments.of("{\"__metadata__\":{\"k\":1}}", 0, "'k': expected VALUE_STRING"),
        Arguments.of("{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0, "Duplicate field 'k'"),
        Arguments.of("{\"__metadata__\":{\"k\":\"\\ud800\"}}", 0, "not valid Unicode"),
        Arguments.of("{\"" + "a".repeat(5000) + "\":1}", 0, "aaa..."),
        Arguments.of("{\"a\":" + "[".repeat(100_000), 0, "expected START_OBJECT"));
  }

  @ParameterizedTest
  @MethodSource("damagedHeaders")
  void aDamagedHeaderIsRefusedWithItsReason(String header, int dataBytes, String reason)
      throws IOException {
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    write(json.length, json, dataBytes);
    assertRefused(file(), reason);
  }

  @Test
  void aHeaderThatIsNotUtf8IsRefused() throws IOException {
    byte[] json = "{\"__metadata__\":{\"k\":\"?\"}}".getBytes(StandardCharsets.US_ASCII);
    json[json.length - 4] = (byte) 0xff;
    write(json.length, json, 0);
    assertRefused(file(), "not valid UTF-8");
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        3,
        99_999_999,
        100_000_000,
        100_000_001,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        -1
      })
  void aHeaderLengthBeyondTheFileAllocatesNothing(long length) throws IOException {
    write(length, new byte[] {'{', '}'}, 0);
    assertThatThrownBy(() -> Safetensors.read(file())).isInstanceOf(ModelFormatException.class);
  }

  @Test
  void aTensorTooLargeForOneBufferIsRefusedBeforeItIsRead() throws IOException {
    long bytes = 1L << 31;
    byte[] json = tensor("a", "U8", "[" + bytes + "]", 0, bytes).getBytes(StandardCharsets.UTF_8);
    write(json.length, json, 0);
    try (RandomAccessFile sparse = new RandomAccessFile(file().toFile(), "rw")) {
      sparse.setLength(8 + json.length + bytes);
    }
    assertRefused(file(), "at most 2147483647");
  }

  /** Takes gigabytes of disk: {@code -Dringflow.test.large=true}. */
  @Test
  @EnabledIfSystemProperty(named = "ringflow.test.large", matches = "true")
  void filesBeyondTwoGibibytesWork() throws IOException {
    int bytes = 5 << 26;
    ByteBuffer data = ByteBuffer.allocateDirect(bytes);
    data.put(0, (byte) 1).put(bytes - 1, (byte) 2);
    Entry entry = new Entry("U8", List.of((long) bytes), data);
    Map<String, Entry> tensors = new LinkedHashMap<>();
    for (String name : List.of("a", "b", "c", "d", "e", "f", "g")) {
      tensors.put(name, entry);
    }
    Safetensors.write(file(), tensors, Map.of());
    assertThat(Files.size(file())).isGreaterThan(7L * bytes);
    int[] seen = {0};
    // One by one: the JVM grants direct memory only up to its heap limit.
    Safetensors.read(
        file(),
        (name, read) -> {
          seen[0]++;
          assertThat(read.data().get(0)).isEqualTo((byte) 1);
          assertThat(read.data().get(bytes - 1)).isEqualTo((byte) 2);
        });
    assertThat(seen[0]).isEqualTo(7);
  }

  private void write(long headerLength, byte[] header, int dataBytes) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(8 + header.length + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(headerLength).put(header);
    Files.write(file(), bytes.array());
  }

  private static void assertRefused(Path file, String reason) {
    assertThatThrownBy(() -> Safetensors.read(file))
        .isInstanceOf(ModelFormatException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(reason)
        .extracting(Throwable::getMessage)
        .satisfies(
            message -> {
              assertThat(message.lines()).hasSize(1);
              assertThat(message).doesNotContain("Source:").hasSizeLessThan(1000);
            });
  }

  private void assertOnlyTheFileIsLeft() {
    assertThat(folder).isDirectoryNotContaining(p -> !p.equals(file()));
  }

  private static String tensor(String name, String dtype, String shape, long begin, long end) {
    return "{" + slot(name, dtype, shape, begin, end) + "}";
  }

  private static String slot(String name, String dtype, String shape, long begin, long end) {
    return String.format(
        "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}",
        name, dtype, shape, begin, end);
  }

  private static Entry floats(List<Long> shape, float... values) {
    ByteBuffer data = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    data.asFloatBuffer().put(values);
    return new Entry("F32", shape, data);
  }

  private static ByteBuffer longs(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
  }
}
