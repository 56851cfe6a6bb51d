package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.external.OtherCompressor;
import io.ringflow.cli.testing.CommandResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressing as people know it from gzip: many files, folders, pipes, times, and what fails. */
final class ManyFilesTest {
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);
  private static final String SIZES = "\\d+ -> \\d+ bytes, .* bits per byte, .* s, .*B/s";

  @TempDir Path folder;
  private Path one;
  private Path two;
  private Path inner;

  @BeforeEach
  void write() throws IOException {
    inner = Files.createDirectories(folder.resolve("inner/most"));
    one = Files.writeString(folder.resolve("one"), "to be or not to be ".repeat(20));
    two = Files.writeString(inner.resolve("two"), "that is the question ".repeat(20));
    Files.setLastModifiedTime(one, LONG_AGO);
  }

  private static Path small(Path file) {
    return Path.of(file + ".ringflow");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void filesAndFoldersComeBackWithTheirTimes() throws IOException {
    boolean posix = Files.getFileStore(one).supportsFileAttributeView("posix");
    if (posix) {
      Files.setPosixFilePermissions(one, PosixFilePermissions.fromString("rw-r-----"));
    }
    List<String> lines = CommandResult.of("compress", one, folder.resolve("inner")).lines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches(SIZES + ": \\Q" + small(one) + "\\E");
    assertThat(lines.get(1)).matches(SIZES + ": \\Q" + small(two) + "\\E");
    assertThat(lines.get(2)).matches("2 files: " + SIZES);
    assertThat(Files.getLastModifiedTime(small(one))).isEqualTo(LONG_AGO);

    String first = Files.readString(one);
    Files.delete(one);
    Files.writeString(two, "changed");
    CommandResult back = CommandResult.of("decompress", folder);
    assertThat(back.code()).isEqualTo(1);
    assertThat(back.err()).isEqualTo("ringflow: " + exists(two));
    assertThat(back.out()).contains(": " + one + "\n").contains("1 of 2 files: ");
    assertThat(one).hasContent(first);
    assertThat(Files.getLastModifiedTime(one)).isEqualTo(LONG_AGO);
    if (posix) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
          .isEqualTo("rw-r-----");
    }
    CommandResult.of("decompress", folder, "--force").output();
    assertThat(two).hasContent("that is the question ".repeat(20));
    assertThat(names()).hasSize(4);
  }

  private static String exists(Path file) {
    return file + ": is there already; --overwrite replaces it\n";
  }

  /** What is wrong with one file is said of it, and leaves nothing behind. */
  @Test
  void oneBadFileDoesNotStopTheOthers() throws IOException {
    Path nothing = folder.resolve("nothing");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    CommandResult some = CommandResult.of("compress", nothing, empty, one);
    assertThat(some.code()).isEqualTo(1);
    assertThat(some.err())
        .isEqualTo(
            "ringflow: "
                + nothing
                + ": no such file\nringflow: "
                + empty
                + ": is a folder without files that are not compressed already\n");
    assertThat(some.out()).matches("(?s).*one.ringflow\n1 of 3 files: " + SIZES + "\n");
    CommandResult.of("compress", small(one))
        .fails(small(one) + ": is compressed already, by its name; --force does it again");

    byte[] damaged = Files.readAllBytes(small(one));
    damaged[20] ^= 1;
    Path broken = Files.write(folder.resolve("broken.ringflow"), damaged);
    Path foreign = Files.writeString(folder.resolve("foreign.ringflow"), "something else");
    CommandResult back = CommandResult.of("decompress", broken, foreign, small(one), "-f");
    assertThat(back.code()).isEqualTo(1);
    assertThat(back.err())
        .isEqualTo(
            "ringflow: "
                + broken
                + ": is damaged or cut short\nringflow: "
                + foreign
                + ": was not compressed by Ringflow\n");
    assertThat(names())
        .containsExactly(
            "broken.ringflow", "foreign.ringflow", "inner/most/two", "one", "one.ringflow");
    CommandResult test = CommandResult.of("decompress", "--test", small(one), broken);
    assertThat(test.out()).contains(small(one) + " is sound\n");
    assertThat(test.code()).isEqualTo(1);
  }

  @Test
  void optionsForOneFileAreRefusedForMany() {
    CommandResult.of("compress", one, two, "--out", folder.resolve("x"))
        .isMisused("compress", "--out is for one FILE, but there are 2");
    CommandResult.of("compress", one, two, "-c")
        .isMisused(
            "compress", "--stdout is for one FILE, but there are 2; tar makes one of many files");
    CommandResult.of("compress", one, "-c", "-o", two)
        .isMisused("compress", "--out and --stdout exclude each other");
    CommandResult.of("compress", one, "--block", "2T")
        .isMisused("compress", "--block must be a size such as 500k, 4M or 1G, but is 2T");
    CommandResult.of("compress", one, "--block", "1000")
        .isMisused("compress", "--block must be 1k to 1G, but is 1000");
    CommandResult.of("decompress", one, "--bytes", "0:2", "-c")
        .isMisused("decompress", "--bytes must be FIRST:LAST with 1 <= FIRST <= LAST, but is 0:2");
    CommandResult.of("decompress", one, "--test", "-c")
        .isMisused("decompress", "--test has no use for --out, --stdout, --rows and --bytes");
  }

  /** Runs a command with standard input, and returns its standard output. */
  private static byte[] piped(byte[] input, Object... args) {
    InputStream in = System.in;
    PrintStream out = System.out;
    var output = new ByteArrayOutputStream();
    try {
      System.setIn(new ByteArrayInputStream(input));
      System.setOut(new PrintStream(output, false, StandardCharsets.UTF_8));
      assertThat(CommandResult.of(args).output()).isEmpty();
    } finally {
      System.setIn(in);
      System.setOut(out);
    }
    return output.toByteArray();
  }

  @Test
  void pipesAreReadAndWritten() throws IOException {
    byte[] bytes = Files.readAllBytes(one);
    byte[] compressed = piped(bytes, "compress");
    assertThat(compressed).startsWith(0xF1, 'R', 'F', 'C').hasSizeLessThan(bytes.length / 2);
    assertThat(piped(bytes, "compress", "-", "--stdout")).isEqualTo(compressed);
    assertThat(piped(new byte[0], "compress", one, "-c")).isEqualTo(compressed);
    assertThat(piped(compressed, "decompress")).isEqualTo(bytes);
    Path target = folder.resolve("target.ringflow");
    InputStream in = System.in;
    try {
      System.setIn(new ByteArrayInputStream(bytes));
      assertThat(CommandResult.of("compress", "-", "-o", target).output())
          .matches(SIZES + ": \\Q" + target + "\\E\n");
      System.setIn(new ByteArrayInputStream(bytes));
      CommandResult.of("decompress").fails("standard input: was not compressed by Ringflow");
    } finally {
      System.setIn(in);
    }
    assertThat(target).hasBinaryContent(compressed);
    assertThat(names()).containsExactly("inner/most/two", "one", "target.ringflow");
  }

  /** As ctrl-C does. */
  @Test
  void interruptedWorkLeavesNothingBehind() throws IOException {
    try {
      Thread.currentThread().interrupt();
      CommandResult.of("compress", one, two).fails("stopped");
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
    assertThat(names()).containsExactly("inner/most/two", "one");
  }

  @Test
  void bytesOfBlocksAreReadAlone() throws IOException {
    byte[] text = "0123456789abcdefghij".repeat(400).getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(folder.resolve("text"), text);
    CommandResult.of("compress", file, "--block", "2k").output();
    assertThat(piped(new byte[0], "decompress", small(file), "--bytes", "4001:4025", "-c"))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("0123456789abcdefghij01234");
    CommandResult.of("decompress", small(file), "--bytes", "8000:8001", "-o", folder.resolve("x"))
        .fails(small(file) + ": has 8000 bytes, but byte 8001 is asked for");
  }

  @Test
  void othersAreCompared() throws IOException {
    List<String> lines = CommandResult.of("compress", one, two, "--compare").lines();
    assertThat(lines.get(4)).matches("compressor +bytes  of original  seconds");
    long gzip = new OtherCompressor.Gzip().bytes(one).orElseThrow();
    gzip += new OtherCompressor.Gzip().bytes(two).orElseThrow();
    String expected = "gzip -9 +" + gzip + " .*%.*";
    assertThat(lines).anySatisfy(line -> assertThat(line).matches(expected));
    assertThat(
            new Comparison(List.of(new OtherCompressor.Program("no-such", List.of(folder))))
                .of(List.of(one), CodedSizes.NONE)
                .console())
        .contains("no-such     not found");
  }

  @Test
  void manyTextsAreLearned() throws IOException {
    Path model = folder.resolve("m");
    Path inputs = folder.resolve("inner");
    assertThat(
            CommandResult.of("train", one, inputs, "--fast", "--memory", "1", "--out", model)
                .output())
        .contains("2 files: %d bytes counted".formatted(Files.size(one) + Files.size(two)));
    assertThat(CommandResult.of("compress", model, one, folder.resolve("inner")).lines())
        .hasSize(3);
    CommandResult.of("decompress", model, folder.resolve("inner"), "-f").output();
    assertThat(two).hasContent("that is the question ".repeat(20));
    Path table = Files.writeString(folder.resolve("a.csv"), "a,b\n");
    CommandResult.of("train", one, table, "--out", folder.resolve("x"))
        .isMisused(
            "train",
            "a table is one file, but there are 2 with " + table + "; --text takes all for texts");
    CommandResult.of("train", one, folder.resolve("missing"), "--out", folder.resolve("x"))
        .fails(folder.resolve("missing") + ": no such file");
  }
}
