package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LongTextTest {
  @TempDir Path folder;

  @Test
  void aTextLongerThanItsFileComesBack() throws IOException {
    String line = "to be or not to be, that is the question\n";
    Path file = Files.writeString(folder.resolve("be.txt"), line.repeat(200));
    var text = new LongText(file, 100_000, 1);
    Printed printed = Printed.by((out, err) -> assertThat(text.print(out, err)).isTrue());
    assertThat(printed.number("pieces of be.txt", 1)).isEqualTo(100_000);
    assertThat(printed.number("pieces of be.txt", 2)).isBetween(20.0, 1_000.0);
    assertThat(printed.row("pieces of be.txt").get(3)).isEqualTo("yes");
    assertThat(printed.number("pieces of be.txt", 4) > 0)
        .isEqualTo(Files.exists(Path.of("/proc/self/status")));
  }
}
