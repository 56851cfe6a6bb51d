package io.ringflow.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.DataFormatException;
import io.ringflow.table.TableFormat.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a file's bytes are, reading it ends in the table that {@link ReferenceCsv} tells, or in
 * one kind of exception. {@code -Dringflow.fuzz.bytes=10000000} tries more bytes.
 */
@Tag("slow")
final class DataTableFuzzTest {
  private static final long BYTES = Long.getLong("ringflow.fuzz.bytes", 300_000);
  private static final String[] SEPARATORS = {",", "\t", ";", "|"};
  private static final String[] LINE_ENDS = {"\n", "\r\n", "\r"};
  private static final String[] TOKENS = {
    "a", "b", "0", "1.5", "-", " ", "#", "é", "\u2028", "😀", "\"", "\"\"", "\"", ",", ",", "\t",
    ";", "|", "\n", "\r", "\r\n"
  };
  private static final byte[][] POISON = {
    {0},
    {(byte) 0xFF},
    {(byte) 0xC3},
    {(byte) 0x80},
    {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
    {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF},
    {0x1F, (byte) 0x8B},
    {'P', 'K', 3, 4}
  };

  @TempDir Path folder;
  private final SplittableRandom random = new SplittableRandom(20_240_717);
  private int tables;
  private int refusals;

  @Test
  void aTableOrOneKindOfException() throws IOException {
    int files = 0;
    for (long bytes = 0; bytes < BYTES; files++) {
      String separator = pick(SEPARATORS);
      List<List<String>> rows = rows();
      byte[] sound = written(rows, separator);
      bytes += check(sound, separator);
      assertThat(ReferenceCsv.rows(sound, separator.charAt(0))).contains(rows);
      bytes += check(damaged(sound), separator);
      bytes += check(soup(), separator);
    }
    // Neither side may die out unnoticed.
    assertThat(tables).isGreaterThan(files);
    assertThat(refusals).isGreaterThan(files / 2);
  }

  /** Reads in all ways; the cells must be the reference's. */
  private int check(byte[] bytes, String separator) throws IOException {
    Path file = folder.resolve("fuzz.csv");
    Files.deleteIfExists(file); // a new file is faster than an emptied one
    Files.write(file, bytes);
    Optional<List<List<String>>> expected = ReferenceCsv.rows(bytes, separator.charAt(0));
    var format = new TableFormat(separator.charAt(0), Header.NO);
    Optional<DataTable> table = read(file, format);
    if (!table.map(DataTableFuzzTest::cells).equals(expected)) {
      assertThat(table.map(DataTableFuzzTest::cells))
          .as("%s", Arrays.toString(bytes))
          .isEqualTo(expected);
    }
    if (table.isPresent()) {
      tables++;
    } else {
      refusals++;
    }
    if (random.nextBoolean()) {
      read(file, TableFormat.AUTO);
    } else {
      Optional<DataTable> named = read(file, format.withHeader(Header.YES));
      if (named.isPresent()) {
        List<List<String>> below = expected.orElseThrow().subList(1, expected.get().size());
        assertThat(cells(named.get())).isEqualTo(below);
      }
    }
    return bytes.length;
  }

  private static Optional<DataTable> read(Path file, TableFormat format) throws IOException {
    try {
      return Optional.of(DataTable.read(file, format));
    } catch (DataFormatException e) {
      assertThat(e.getMessage()).startsWith(file + ": ").doesNotContain("\n", "\r");
      return Optional.empty();
    }
  }

  static List<List<String>> cells(DataTable table) {
    return IntStream.range(0, table.size()).mapToObj(table::row).toList();
  }

  private List<List<String>> rows() {
    int columns = 1 + random.nextInt(8);
    List<List<String>> rows = new ArrayList<>();
    for (int row = random.nextInt(16); row >= 0; row--) {
      rows.add(IntStream.range(0, columns).mapToObj(column -> cell()).toList());
    }
    return rows;
  }

  private String cell() {
    var cell = new StringBuilder();
    for (int length = random.nextInt(4); length > 0; length--) {
      cell.append(pick(TOKENS));
    }
    return cell.toString();
  }

  private byte[] written(List<List<String>> rows, String separator) {
    var text = new StringBuilder(random.nextInt(4) == 0 ? "\uFEFF" : "");
    String lineEnd = pick(LINE_ENDS);
    for (int row = 0; row < rows.size(); row++) {
      text.append(lineEnd.repeat(random.nextInt(8) == 0 ? 2 : 0)); // empty lines
      boolean alone = rows.get(row).size() == 1;
      text.append(
          String.join(
              separator,
              rows.get(row).stream().map(cell -> quoted(cell, separator, alone)).toList()));
      text.append(row < rows.size() - 1 || random.nextBoolean() ? lineEnd : "");
    }
    return text.toString().getBytes(UTF_8);
  }

  private String quoted(String cell, String separator, boolean alone) {
    boolean needed =
        cell.startsWith("\"")
            || cell.contains(separator)
            || cell.contains("\n")
            || cell.contains("\r")
            || (alone && cell.isEmpty());
    return needed || random.nextInt(4) == 0 ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }

  private byte[] damaged(byte[] sound) {
    byte[] bytes = sound.clone();
    for (int hits = random.nextInt(3); hits > 0; hits--) {
      if (bytes.length > 0) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(4)) {
          case 0 -> bytes = Arrays.copyOf(bytes, at);
          case 1 -> bytes = Arrays.copyOfRange(bytes, at, bytes.length);
          case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
          default -> bytes[at] = pick(TOKENS).getBytes(UTF_8)[0];
        }
      }
    }
    return bytes;
  }

  private byte[] soup() {
    var bytes = new ByteArrayOutputStream();
    for (int length = random.nextInt(random.nextInt(4) > 0 ? 30 : 300); length > 0; length--) {
      bytes.writeBytes(
          random.nextInt(100) == 0
              ? POISON[random.nextInt(POISON.length)]
              : pick(TOKENS).getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
