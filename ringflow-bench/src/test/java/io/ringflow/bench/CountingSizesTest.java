package io.ringflow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.external.OtherCompressor;
import io.ringflow.compress.Compressor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CountingSizesTest {
  @TempDir Path folder;

  @Test
  void sizesAreThoseOfTheFiles() throws IOException {
    Path file = Files.writeString(folder.resolve("be.txt"), "to be or not to be ".repeat(50));
    Path train = Files.writeString(folder.resolve("train"), "it is not to be ".repeat(50));
    var copier = new OtherCompressor.Archiver("a copy", List.of("cp", "FILE", "ARCHIVE"));
    Printed printed =
        Printed.by(
            (out, err) ->
                new CountingSizes(List.of(copier), bytes -> 1)
                    .print(List.of(file.toString(), file + "," + train), out));
    byte[] original = Files.readAllBytes(file);
    for (String name : List.of("be.txt |", "be.txt after train")) {
      assertThat(printed.number(name, 1)).isEqualTo(original.length);
      assertThat(printed.number(name, 2)).isEqualTo(original.length);
      assertThat(printed.row(name).get(5)).endsWith(" kB/s");
    }
    assertThat(printed.number("be.txt |", 3))
        .isEqualTo(Compressor.withoutModel(1).compress(original).length);
  }
}
