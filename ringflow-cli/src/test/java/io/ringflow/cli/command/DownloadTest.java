package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command does without a network; the library's tests have a server. */
final class DownloadTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... args) {
    return Main.execute(new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void aTextThatIsThereIsNamed() throws IOException {
    Path file = folder.resolve("text8");
    try (var hole = new RandomAccessFile(file.toFile(), "rw")) {
      hole.setLength(100_000_000);
    }
    assertThat(execute("download", "text8", "--out", folder.toString())).isZero();
    assertThat(out.toString()).isEqualTo(file + System.lineSeparator());
    assertThat(err.toString()).isEqualTo(file + " is there already" + System.lineSeparator());
  }

  @Test
  void aFileIsNoFolder() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(execute("download", "text8", "--out", file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("ringflow: " + file + ": is a file, not a folder" + System.lineSeparator());
  }

  @Test
  void anUnknownCorpusNamesTheKnown() {
    assertThat(execute("download", "text9")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("ringflow: no such corpus: text9; there is: text8 ")
        .hasLineCount(1);
  }

  @Test
  void helpNamesCorporaAndFolder() {
    assertThat(execute("download", "--help")).isZero();
    assertThat(out.toString()).contains("--out=DIR", "(default: data)", "text8   100 million");
  }
}
