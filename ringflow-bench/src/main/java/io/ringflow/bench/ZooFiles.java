package io.ringflow.bench;

import io.ringflow.compress.Compressor;
import io.ringflow.paper.oracle.PlantedTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Files to compress and get back, of every {@link ZooKind} in turn; a seed makes the same again.
 */
final class ZooFiles {
  private static final int MAX_LENGTH = 10_000;
  private static final int MAX_ROWS = 200;
  private static final int HUGE_LINE = 50_000;
  private static final int MANY_COLUMNS = 10_000;
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final String[] LINE_ENDS = {"\n", "\r\n", "\r", "\n\n", "\n\r"};
  private static final String[] ODD_CELLS = {
    "\"\"",
    "\"a,b\"",
    "\"a\"\"b\"",
    "\"a\nb\"",
    "007",
    "1e3",
    "-0",
    "+1",
    " ",
    "NaN",
    "1.000",
    "\"",
    "99999999999999999999"
  };

  private final RealPieces real;
  private final PlantedTable planted;
  private final String sampled;
  private final SplittableRandom random;
  private Iterator<ZooKind> kinds = Collections.emptyIterator();

  /**
   * Makes files.
   *
   * @param planted whose rows some of the files have
   * @param sampled a long text of the network's
   */
  ZooFiles(RealPieces real, PlantedTable planted, String sampled, long seed) {
    this.real = real;
    this.planted = planted;
    this.sampled = sampled;
    this.random = new SplittableRandom(seed);
  }

  /** A file, and what it is like. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Made(ZooKind kind, byte[] bytes) {}

  /** The next one. */
  Made next() throws IOException {
    if (!kinds.hasNext()) {
      kinds = EnumSet.allOf(ZooKind.class).iterator();
    }
    ZooKind kind = kinds.next();
    return new Made(kind, bytes(kind));
  }

  private byte[] bytes(ZooKind kind) throws IOException {
    return switch (kind) {
      case EMPTY -> new byte[0];
      case ONE_BYTE -> noise(1);
      case REAL -> real.piece(MAX_LENGTH, random);
      case DAMAGED_REAL -> damaged(real.piece(MAX_LENGTH, random));
      case SAMPLED -> sampled();
      case DAMAGED_SAMPLED -> damaged(sampled());
      case BINARY -> noise(random.nextInt(MAX_LENGTH));
      case REPETITIONS -> repetitions();
      case NO_LINE_END -> bytes(text().stripTrailing());
      case MIXED_LINE_ENDS -> mixedLineEnds();
      case HUGE_LINE ->
          bytes(text().replaceAll("\\R", " ").repeat(9).concat(" ".repeat(HUGE_LINE)));
      case BYTE_ORDER_MARK -> joined(MARK, bytes(text()));
      case INVALID_UTF8 -> damaged(joined(bytes(text()), new byte[] {(byte) 0xC0, (byte) 0x80}));
      case COMPRESSED -> Compressor.withoutModel(1).compress(real.piece(MAX_LENGTH, random));
      case TABLE -> bytes(table());
      case ODD_TABLE -> bytes(oddTable());
      case DAMAGED_TABLE -> damaged(bytes(table()));
      case MANY_COLUMNS -> bytes(manyColumns());
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  /** Some file's piece, as far as it is text. */
  private String text() throws IOException {
    return new String(real.piece(MAX_LENGTH, random), StandardCharsets.UTF_8);
  }

  private byte[] sampled() {
    int from = random.nextInt(sampled.length() / 2);
    return bytes(sampled.substring(from, from + random.nextInt(sampled.length() / 2)));
  }

  private byte[] repetitions() {
    byte[] some = noise(1 + random.nextInt(200));
    var all = new ByteArrayOutputStream();
    while (all.size() < MAX_LENGTH) {
      all.writeBytes(some);
      if (random.nextInt(10) == 0) {
        all.writeBytes(noise(1 + random.nextInt(20)));
      }
    }
    return all.toByteArray();
  }

  private byte[] mixedLineEnds() throws IOException {
    var lines = new StringBuilder();
    text().lines().forEach(line -> lines.append(line).append(any(LINE_ENDS)));
    return bytes(lines.toString());
  }

  private String any(String[] texts) {
    return texts[random.nextInt(texts.length)];
  }

  private String table() {
    List<List<String>> rows =
        PlantedTable.cells(
            planted.sample(1 + random.nextInt(MAX_ROWS), random.nextLong(1L << 31)).rows());
    String header = random.nextBoolean() ? String.join(",", planted.columns()) + "\n" : "";
    return rows.stream()
        .map(row -> String.join(",", row) + "\n")
        .collect(Collectors.joining("", header, ""));
  }

  private String oddTable() {
    String separator = any(new String[] {",", ";", "\t", "|"});
    String end = any(LINE_ENDS);
    var odd = new StringBuilder();
    for (String line : table().split("\n", -1)) {
      String[] cells = line.split(",", -1);
      for (int i = random.nextInt(3); i > 0; i--) {
        int at = random.nextInt(cells.length);
        cells[at] = random.nextBoolean() ? any(ODD_CELLS) : '"' + cells[at] + '"';
      }
      String[] kept =
          random.nextInt(20) > 0 ? cells : Arrays.copyOf(cells, 1 + random.nextInt(cells.length));
      odd.append(String.join(separator, kept)).append(end);
    }
    return odd.toString();
  }

  private String manyColumns() {
    var text = new StringBuilder();
    for (int row = random.nextInt(2); row < 3; row++) {
      for (int column = 0; column < MANY_COLUMNS; column++) {
        text.append(column == 0 ? "" : ",").append(random.nextInt(10));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private byte[] damaged(byte[] whole) {
    byte[] bytes = whole;
    for (int times = 1 + random.nextInt(10); times > 0; times--) {
      bytes = ByteDamage.of(bytes, random);
    }
    return bytes;
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** What chance does to bytes: both for originals and for what was compressed. */
  static final class ByteDamage {
    private ByteDamage() {}

    /** The bytes with bits flipped, cut short, made longer, or a piece in the wrong place. */
    static byte[] of(byte[] whole, RandomGenerator random) {
      if (whole.length < 2) {
        return new byte[] {(byte) random.nextInt(256), (byte) random.nextInt(256)};
      }
      byte[] damaged = whole.clone();
      int from = random.nextInt(whole.length);
      int length = 1 + random.nextInt(Math.min(40, whole.length));
      switch (random.nextInt(7)) {
        case 0, 1 -> damaged[from] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        case 2 -> // what numbers come first
            damaged[random.nextInt(Math.min(60, whole.length))] = (byte) random.nextInt(256);
        case 3 -> damaged = Arrays.copyOf(whole, from);
        case 4 -> { // garbage behind the end
          damaged = Arrays.copyOf(whole, whole.length + length);
          for (int i = whole.length; i < damaged.length; i++) {
            damaged[i] = (byte) random.nextInt(256);
          }
        }
        case 5 -> { // a piece over another
          int to = random.nextInt(whole.length);
          int count = Math.min(length, whole.length - Math.max(from, to));
          System.arraycopy(whole, from, damaged, to, count);
        }
        default -> { // a piece left out
          int end = Math.min(whole.length, from + length);
          damaged = Arrays.copyOf(whole, whole.length - (end - from));
          System.arraycopy(whole, end, damaged, from, whole.length - end);
        }
      }
      return damaged;
    }
  }
}
