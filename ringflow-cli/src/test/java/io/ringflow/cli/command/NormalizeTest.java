package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NormalizeTest {
  @TempDir Path folder;
  private Path in;
  private Path normal;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void write() throws IOException {
    in = Files.writeString(folder.resolve("in.txt"), "Chapter 1.\n\nCall me Ishmael! ".repeat(100));
    normal = folder.resolve("out.txt");
  }

  private int execute(Object... args) {
    String[] words = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      words[i] = args[i].toString();
    }
    return Main.execute(new PrintWriter(out), new PrintWriter(err), words);
  }

  private void assertFails(int expected, int code, String message) {
    assertThat(code).isEqualTo(expected);
    assertThat(err.toString()).isEqualTo("ringflow: " + message + System.lineSeparator());
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void writesTheTextAndCounts() throws IOException {
    assertThat(execute("normalize", in, normal)).as(err.toString()).isZero();
    assertThat(Files.readString(normal)).isEqualTo("chapter one call me ishmael ".repeat(100));
    assertThat(out.toString())
        .isEqualTo("2,900 characters went in, 2,800 came out: " + normal + System.lineSeparator());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void replacesAFileOnlyByForce() throws IOException {
    Files.writeString(normal, "precious");
    assertFails(
        1,
        execute("normalize", in, normal),
        normal + ": is there already; --overwrite replaces it");
    assertThat(normal).hasContent("precious");
    assertThat(execute("normalize", "--overwrite", in, normal)).isZero();
    assertThat(Files.readString(normal)).startsWith("chapter one call");
  }

  @Test
  void aMissingFileIsOneLine() {
    Path missing = folder.resolve("missing");
    assertFails(1, execute("normalize", missing, normal), missing + ": no such file");
    assertThat(normal).doesNotExist();
  }

  @Test
  void bothFilesMustBeNamed() {
    assertFails(
        2,
        execute("normalize", in),
        "Missing required parameter: 'OUT' (see 'ringflow normalize --help')");
  }

  @Test
  void helpShowsAnExample() {
    assertThat(execute("normalize", "--help")).isZero();
    assertThat(out.toString())
        .contains("27 symbols of text8", "IN", "OUT", "--overwrite")
        .contains("Example:", "  ringflow normalize novel.txt novel27.txt");
  }
}
