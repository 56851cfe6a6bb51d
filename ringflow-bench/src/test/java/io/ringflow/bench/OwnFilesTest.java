package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.RingFlow;
import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.bench.FileKind.Family;
import io.ringflow.compress.Compressor;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.text.TextCodec;
import io.ringflow.text.TextModel;
import io.ringflow.text.Vocabulary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class OwnFilesTest {
  private static final int FILES = 66; // every adversarial kind twice
  private static final String REAL = "final class Real {}\n";

  @TempDir Path folder;

  /** Nothing it knows: all there is to gain is that one of three letters takes no whole bits. */
  private TextModel model() throws IOException {
    Architecture architecture = Architecture.of(Space.uniform(100, 3), new FactorizedBase());
    Path saved = folder.resolve("model");
    TextCodec codec =
        new TextCodec(TextCodec.Unit.CHARACTERS, Vocabulary.of("abc"), List.of(1L, 1L, 1L));
    try (FlowModel flow = FlowModel.create(architecture, codec, Device.CPU, 1)) {
      flow.save(saved);
    }
    return (TextModel) RingFlow.load(saved);
  }

  /** Knows something that takes others longer to find out. */
  private static TextModel network() throws IOException {
    int letters = Vocabulary.TEXT8.size();
    var base = new AutoregressiveBase(Order.natural(100), new Lstm(8, 16, 1), 3);
    TextCodec codec =
        new TextCodec(
            TextCodec.Unit.CHARACTERS, Vocabulary.TEXT8, Collections.nCopies(letters, 1L));
    Architecture architecture = Architecture.of(Space.uniform(100, letters), base);
    return new TextModel(FlowModel.create(architecture, codec, Device.CPU, 1), codec);
  }

  private RealPieces pieces() throws IOException {
    Path real = Files.createDirectories(folder.resolve("real"));
    Files.writeString(real.resolve("Real.java"), REAL);
    return RealPieces.under(real);
  }

  @Test
  void allKindsOfFilesOccurAndAreWhatTheySay() throws IOException {
    Map<FileKind, List<byte[]>> files = new EnumMap<>(FileKind.class);
    try (TextModel model = model()) {
      var generator = new RoundtripFiles(model, pieces(), 1);
      for (int i = 0; i < FILES; i++) {
        RoundtripFiles.Made file = generator.next();
        files.computeIfAbsent(file.kind(), kind -> new ArrayList<>()).add(file.bytes());
      }
      assertThat(files.keySet()).containsExactly(FileKind.values());
      for (Family family : Family.values()) {
        assertThat(family.kinds().stream().mapToInt(kind -> files.get(kind).size()).sum())
            .isEqualTo(FILES / 3);
      }
      assertThat(files.get(FileKind.AROUND_A_PIECE))
          .allSatisfy(
              file -> {
                assertThat(file.length % model.length()).isIn(model.length() - 1, 0, 1);
                assertThat(model.score(file, ProgressListener.IGNORED).symbols())
                    .isEqualTo(file.length);
              });
      assertThat(files.get(FileKind.UNKNOWN_CHARACTERS))
          .allSatisfy(
              file -> {
                assertThat(isUtf8(file)).isTrue();
                assertThat(model.score(file, ProgressListener.IGNORED).symbols()).isZero();
              });
      assertThat(files.get(FileKind.FEW_CHARACTERS))
          .allSatisfy(
              file ->
                  assertThat(model.score(file, ProgressListener.IGNORED).symbols())
                      .isEqualTo(file.length));
    }
    assertThat(files.get(FileKind.EMPTY)).allSatisfy(file -> assertThat(file).isEmpty());
    assertThat(files.get(FileKind.ONE_BYTE)).allSatisfy(file -> assertThat(file).hasSize(1));
    assertThat(files.get(FileKind.ALL_BYTES))
        .allSatisfy(file -> assertThat(file).hasSize(256).doesNotHaveDuplicates());
    assertThat(files.get(FileKind.FEW_BYTES))
        .allSatisfy(file -> assertThat(different(file)).isLessThanOrEqualTo(5));
    assertThat(files.get(FileKind.UNIFORM_BYTES))
        .anySatisfy(file -> assertThat(different(file)).isEqualTo(256));
    assertThat(files.get(FileKind.LONG_RUNS))
        .allSatisfy(
            file -> {
              assertThat(file).hasSizeGreaterThanOrEqualTo(2000);
              assertThat(different(file)).isLessThanOrEqualTo(3);
            });
    for (FileKind kind : List.of(FileKind.INVALID_UTF8, FileKind.SURROGATES)) {
      assertThat(files.get(kind)).allSatisfy(file -> assertThat(isUtf8(file)).isFalse());
    }
    assertThat(files.get(FileKind.BYTE_ORDER_MARK))
        .allSatisfy(
            file -> assertThat(new String(file, StandardCharsets.UTF_8)).startsWith("\ufeff"));
    assertThat(files.get(FileKind.NULS)).allSatisfy(file -> assertThat(file).contains(0));
    assertThat(files.get(FileKind.COMPRESSED))
        .allSatisfy(file -> assertThat(file).startsWith(0xF1, 'R', 'F', 'C'));
    assertThat(files.get(FileKind.REAL))
        .allSatisfy(file -> assertThat(REAL).contains(new String(file, StandardCharsets.UTF_8)))
        .anySatisfy(file -> assertThat(file).isNotEmpty());
  }

  private static long different(byte[] bytes) {
    boolean[] seen = new boolean[256];
    for (byte b : bytes) {
      seen[b & 0xFF] = true;
    }
    int count = 0;
    for (boolean one : seen) {
      count += one ? 1 : 0;
    }
    return count;
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  @Test
  void allFilesComeBack() throws IOException {
    try (TextModel model = network()) {
      OwnFiles.Decompression own = new Compressor(model)::decompress;
      var program = new OwnFiles(model, FILES, 1, pieces(), own);
      Printed table = Printed.by((out, err) -> assertThat(program.print(out, err)).isZero());
      assertThat(table.row("all files").subList(1, 3)).containsExactly("66", "0");
      assertThat(table.number("nuls", 3)).isPositive();
      assertThat(table.row("uniform bytes").get(3)).isEqualTo("0");
      assertThat(table.row("empty")).containsExactly("empty", "2", "0", "0", "0", "19", "");
      assertThat(table.text()).contains("Seed 1; ");
    }
  }

  @Test
  void filesThatDoNotComeBackAreCounted() throws IOException {
    try (TextModel model = model()) {
      OwnFiles.Decompression wrong = file -> new byte[0];
      var program = new OwnFiles(model, 6, 1, pieces(), wrong);
      int[] count = new int[1];
      Printed table = Printed.by((out, err) -> count[0] = program.print(out, err));
      assertThat(table.number("all files", 2)).isEqualTo(count[0]);
      assertThat(table.row("one byte").get(2)).isEqualTo("1");
      assertThat(table.row("empty").get(2)).isEqualTo("0");
    }
  }

  @Test
  void realFilesAreFoundInFoldersThatAreNotHidden() throws IOException {
    Path hidden = Files.createDirectories(folder.resolve(".hidden"));
    Files.writeString(hidden.resolve("Real.java"), REAL);
    Files.writeString(folder.resolve("other.txt"), REAL);
    assertThatThrownBy(() -> RealPieces.under(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no files that end in .java, .md");
  }
}
