package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.testing.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that count: compressing without a model, and with one made by {@code --fast}. */
final class CountingCommandsTest {
  @TempDir Path folder;
  private Path text;
  private Path file;
  private Path small;

  @BeforeEach
  void write() throws IOException {
    text = Files.writeString(folder.resolve("text.txt"), words(500, 1));
    file = Files.writeString(folder.resolve("file"), words(50, 2));
    small = folder.resolve("file.ringflow");
  }

  private static String words(int count, long seed) {
    String[] words = {"rose", "is", "a", "by", "any", "other", "name", "would", "smell", "sweet"};
    return new Random(seed)
        .ints(count, 0, words.length)
        .mapToObj(i -> words[i] + " ")
        .collect(Collectors.joining());
  }

  @Test
  void noModelIsNeeded() throws IOException {
    assertThat(CommandResult.of("compress", file).output())
        .matches(
            Files.size(file)
                + " -> \\d+ bytes, \\d+\\.\\d %, \\d\\.\\d+ bits per byte, \\d+\\.\\d s, [0-9.]+[kM]?B/s: \\Q"
                + small
                + "\\E\n");
    Path copy = folder.resolve("copy");
    assertThat(CommandResult.of("decompress", small, "--out", copy).output())
        .contains(" -> " + Files.size(file) + " bytes, ");
    assertThat(copy).hasSameBinaryContentAs(file);
    CommandResult.of("compress", file, "--out", small, "--memory", "2", "--overwrite").output();
    CommandResult.of("decompress", small, "--overwrite").output();
    assertThat(copy).hasSameBinaryContentAs(file);
  }

  @Test
  void aModelByCountingMakesFilesSmaller() throws IOException {
    Path model = folder.resolve("text.counts");
    assertThat(CommandResult.of("train", text, "--fast", "--memory", "1", "--out", model).output())
        .matches(
            """
            \\Q%s\\E: %,d bytes counted in \\d+\\.\\d s
            Model: \\Q%s\\E \\(a table of 1 MB\\)

            Try next:
              ringflow compress \\Q%s %s\\E
              ringflow sample \\Q%s -n 3\\E
            """
                .formatted(text, Files.size(text), model, model, text, model));
    CommandResult.of("train", text, "--fast", "--out", model)
        .fails(model + ": is there already; --overwrite replaces it");
    assertThat(CommandResult.of("inspect", model).lines())
        .contains(
            "counted     %,d bytes".formatted(Files.size(text)), "memory      a table of 1 MB");

    CommandResult.of("compress", file).output();
    long alone = Files.size(small);
    CommandResult.of("compress", model, file, "--overwrite").output();
    assertThat(Files.size(small)).isLessThan(alone);
    CommandResult.of("decompress", small, "-o", folder.resolve("c"))
        .fails(small + ": was compressed with a model, and takes the same one to decompress");
    Path copy = folder.resolve("copy");
    CommandResult.of("decompress", model, small, "-o", copy).output();
    assertThat(copy).hasSameBinaryContentAs(file);
    CommandResult.of("compress", model, file, "--memory", "4", "--overwrite")
        .isMisused(
            "compress", "--memory is for compressing without a model: MODEL brings its own table");
  }

  /** The line of a file says for which of its bytes the model was of no use. */
  @Test
  void bytesThatTheModelIsNoGoodForAreNamed() throws IOException {
    Path model = folder.resolve("text.counts");
    CommandResult.of("train", text, "--fast", "--memory", "1", "--out", model).output();
    byte[] noise = new byte[2048];
    new Random(3).nextBytes(noise);
    Path stored = Files.write(folder.resolve("noise"), noise);
    Path half = Files.writeString(folder.resolve("half"), words(500, 4).substring(0, 1024));
    Files.write(half, noise, StandardOpenOption.APPEND);
    List<String> lines =
        CommandResult.of("compress", model, file, stored, half, "--block", "1k").lines();
    assertThat(lines.get(0)).matches(".*B/s: .*file\\.ringflow");
    assertThat(lines.get(1)).matches(".*B/s, by storing, not by the model: .*noise\\.ringflow");
    assertThat(lines.get(2))
        .startsWith("3072 -> ")
        .matches(".*B/s, 2048 bytes by storing, not by the model: .*half\\.ringflow");
    assertThat(CommandResult.of("compress", stored, "--overwrite").output())
        .doesNotContain(" by storing");
  }

  @Test
  void aModelByCountingScoresAndSamples() throws IOException {
    Path model = folder.resolve("text.counts");
    CommandResult.of("train", text, "--fast", "--memory", "1", "--out", model).output();
    Path noise = Files.writeString(folder.resolve("noise"), "zqxjvkw".repeat(10));
    List<String> scores = CommandResult.of("score", model, file, noise).lines();
    assertThat(scores.get(0)).isEqualTo("document,symbols,unknown_bytes,bits,bits_per_symbol");
    assertThat(scores.get(1)).startsWith(file + "," + Files.size(file) + ",0,");
    assertThat(CommandResult.of("score", model, file, noise, "--top", "1").output())
        .contains(noise.toString())
        .doesNotContain(file.toString());
    CommandResult.of("score", model, file, "--strict")
        .isMisused("score", "--strict is of values in a table, and this is a model of texts");

    String sampled = CommandResult.of("sample", model, "-n", "2", "--given", "sweet é ").output();
    String[] pieces = sampled.split("\n---\n");
    assertThat(pieces).hasSize(2);
    for (String piece : pieces) {
      assertThat(piece).startsWith("sweet é ").hasSizeBetween(200, 256);
    }
    CommandResult.of("sample", model, "--temperature", "0.5")
        .isMisused(
            "sample",
            "--temperature and --precision are for trained models, and this one only counted");
    CommandResult.of("sample", model, "--where", "a = 1")
        .isMisused("sample", "--where is of columns, and this is a model of texts");
  }

  @Test
  void mistakesAreOneLine() {
    Path nothing = folder.resolve("nothing");
    CommandResult.of("compress", nothing).fails(nothing + ": no such file");
    CommandResult.of("compress", file, "--memory", "3")
        .isMisused("compress", "--memory must be 1, 2, 4, 8, ... or 1024, but is 3");
    CommandResult.of("train", text, "--fast", "--out", nothing, "--minutes", "1")
        .isMisused("train", "--fast has no use for --minutes");
    CommandResult.of("train", text, "--memory", "1", "--out", nothing)
        .isMisused("train", "--memory is for --fast");
    CommandResult.of("decompress", file, "-o", nothing)
        .fails(file + ": was not compressed by Ringflow");
  }
}
