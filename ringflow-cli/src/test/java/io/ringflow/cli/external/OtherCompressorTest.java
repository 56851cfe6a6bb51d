package io.ringflow.cli.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OtherCompressorTest {
  @TempDir Path folder;

  private Path file() throws IOException {
    return Files.writeString(folder.resolve("file"), "to be or not to be ".repeat(5000));
  }

  @Test
  void countsWhatAProgramWrites() throws IOException {
    assertThat(OtherCompressor.Program.of("cat").bytes(file())).hasValue(19 * 5000);
    assertThat(OtherCompressor.Program.of("head -c 7").bytes(file())).hasValue(7);
  }

  @Test
  void saysThatAProgramIsNotInstalled() throws IOException {
    assertThat(new OtherCompressor.Program("cat", List.of(folder)).bytes(file())).isEmpty();
  }

  @Test
  void failsWithAProgram() throws IOException {
    Path file = file();
    assertThatThrownBy(() -> OtherCompressor.Program.of("false").bytes(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'false'")
        .hasMessageContaining("status 1");
  }

  @Test
  void measuresTheArchiveOfAnArchiver() throws IOException {
    var copier = new OtherCompressor.Archiver("a copy", List.of("cp", "FILE", "ARCHIVE"));
    assertThat(copier.bytes(file())).hasValue(19 * 5000);
    var none = new OtherCompressor.Archiver("none", List.of("no-such-program", "ARCHIVE"));
    assertThat(none.bytes(file())).isEmpty();
  }

  @Test
  void gzipIsDeflatedAtItsBestAnd18Bytes() throws IOException {
    Path file = file();
    var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(Files.readAllBytes(file));
    deflater.finish();
    int deflated = deflater.deflate(new byte[100_000]);
    deflater.end();
    assertThat(new OtherCompressor.Gzip().bytes(file)).hasValue(deflated + 18);
  }
}
