package io.ringflow.text;

import io.ringflow.core.WeightedRows;
import io.ringflow.internal.checks.Checks;
import io.ringflow.internal.store.Sha256;
import io.ringflow.train.Batches;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A long text in memory, encoded by its vocabulary, in two bytes a symbol.
 *
 * <p>Files are read piece by piece; a hundred million characters take 200 MB and about a second.
 * Immutable, and safe for use by several threads.
 */
public final class Text {
  private static final int ROWS_IN_PART = 4096;

  private final Vocabulary vocabulary;
  private final SymbolArray symbols;
  private final long from;
  private final long to;
  private String sha256; // computed on first use; a race computes it twice, which is harmless

  private Text(Vocabulary vocabulary, SymbolArray symbols, long from, long to) {
    this.vocabulary = vocabulary;
    this.symbols = symbols;
    this.from = from;
    this.to = to;
  }

  Text(Vocabulary vocabulary, SymbolArray symbols) {
    this(vocabulary, symbols, 0, symbols.length());
  }

  /**
   * Reads any UTF-8 text. The vocabulary is the code points that occur, ascending.
   *
   * @param file may begin with a byte order mark, which is skipped
   * @throws io.ringflow.core.DataFormatException if the file is missing, empty or not UTF-8, or has
   *     more than 65,536 different characters
   * @throws IOException if the disk refuses
   */
  public static Text read(Path file) throws IOException {
    return read(List.of(file));
  }

  /**
   * Reads UTF-8 texts, one after the other, as one: each follows the end of that before.
   *
   * @param files each may begin with a byte order mark, which is skipped
   * @throws io.ringflow.core.DataFormatException if a file is missing or not UTF-8, all are empty,
   *     or there are more than 65,536 different characters
   * @throws IOException if the disk refuses
   */
  public static Text read(List<Path> files) throws IOException {
    if (files.isEmpty()) {
      throw new IllegalArgumentException("files must be at least 1, but there are none");
    }
    return TextReader.read(files);
  }

  /**
   * Reads a UTF-8 text of known symbols. One newline at the very end is ignored if the vocabulary
   * has none, because editors add it.
   *
   * @param file may begin with a byte order mark, which is skipped
   * @throws io.ringflow.core.DataFormatException if the file is missing, empty or not UTF-8, or has
   *     a symbol outside the vocabulary
   * @throws IOException if the disk refuses
   */
  public static Text read(Path file, Vocabulary vocabulary) throws IOException {
    return read(file, vocabulary, "");
  }

  /**
   * As {@link #read(Path, Vocabulary)}, with advice for the reader of the message.
   *
   * @param advice appended to the message about a symbol outside the vocabulary
   */
  public static Text read(Path file, Vocabulary vocabulary, String advice) throws IOException {
    return TextReader.read(file, vocabulary, advice);
  }

  /**
   * Any bytes as a text of {@link Vocabulary#BYTES}.
   *
   * @param bytes at least one
   */
  public static Text ofBytes(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("a text must have at least 1 byte, but has none");
    }
    var symbols = new SymbolArray();
    for (byte b : bytes) {
      symbols.add(b & 0xFF);
    }
    return new Text(Vocabulary.BYTES, symbols);
  }

  /**
   * This text without its rare characters, of which nothing could be learned; its vocabulary lacks
   * them too. The most frequent character always stays.
   *
   * @param minCount a character that occurs less often is rare
   */
  public Text withoutRare(long minCount) {
    long[] counts = counts();
    long maxCount = Arrays.stream(counts).max().orElseThrow();
    int[] kept =
        IntStream.range(0, counts.length)
            .filter(id -> counts[id] >= Math.min(minCount, maxCount))
            .toArray();
    int[] newIds = new int[counts.length];
    Arrays.fill(newIds, -1);
    for (int i = 0; i < kept.length; i++) {
      newIds[kept[i]] = i;
    }
    if (kept.length == counts.length) {
      return this;
    }
    var fewer = new SymbolArray();
    for (long i = 0; i < length(); i++) {
      if (newIds[id(i)] >= 0) {
        fewer.add(newIds[id(i)]);
      }
    }
    int[] codePoints = Arrays.stream(kept).map(vocabulary::codePoint).toArray();
    return new Text(Vocabulary.of(codePoints, List.of()), fewer);
  }

  /** How often each id occurs. */
  public long[] counts() {
    long[] counts = new long[vocabulary.size()];
    for (long i = 0; i < length(); i++) {
      counts[id(i)]++;
    }
    return counts;
  }

  /** What the ids mean. */
  public Vocabulary vocabulary() {
    return vocabulary;
  }

  /** The number of symbols. */
  public long length() {
    return to - from;
  }

  /** The id at an index, from 0. */
  public int id(long index) {
    return symbols.get(from + Objects.checkIndex(index, length()));
  }

  /**
   * A part of this text, sharing its memory.
   *
   * @param from the first symbol, from 0
   * @param to the end, exclusive
   */
  public Text slice(long from, long to) {
    Objects.checkFromToIndex(from, to, length());
    return new Text(vocabulary, symbols, this.from + from, this.from + to);
  }

  /**
   * Some consecutive ids.
   *
   * @param from the first symbol, from 0
   */
  public int[] row(long from, int length) {
    return symbols.copy(
        this.from + Objects.checkFromIndexSize(from, (long) length, length()), length);
  }

  /**
   * The text cut into consecutive rows. The symbols at the end that do not fill a row are left out,
   * so a text shorter than a row has none.
   */
  public int[][] rows(int length) {
    Checks.atLeast("length", length, 1);
    int[][] rows = new int[Math.toIntExact(length() / length)][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row((long) i * length, length);
    }
    return rows;
  }

  /**
   * The same rows, a part of them at a time: what {@link io.ringflow.train.WarmStart} counts of a
   * text that need not be in memory twice.
   */
  public Iterable<WeightedRows> rowsInParts(int length) {
    Checks.atLeast("length", length, 1);
    long rows = length() / length;
    return () ->
        LongStream.iterate(0, from -> from < rows, from -> from + ROWS_IN_PART)
            .mapToObj(from -> part(from, Math.min(rows, from + ROWS_IN_PART), length))
            .iterator();
  }

  private WeightedRows part(long from, long to, int length) {
    int[][] rows = new int[(int) (to - from)][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row((from + i) * length, length);
    }
    return WeightedRows.once(rows, new int[0][]);
  }

  /**
   * Training batches of windows that begin at random indices.
   *
   * @param batchSize windows in a batch
   * @param length symbols in a window
   * @param seed a batch depends on the seed and the step alone
   */
  public Batches windows(int batchSize, int length, long seed) {
    Checks.atLeast("batchSize", batchSize, 1);
    Checks.atLeast("length", length, 1);
    if (length > length()) {
      throw new IllegalArgumentException(
          "length must be at most the text's " + length() + " symbols, but is " + length);
    }
    return new Windows(this, batchSize, length, seed);
  }

  /** The SHA-256 of the ids, two bytes each, the higher first. */
  public String sha256() {
    if (sha256 == null) {
      MessageDigest digest = Sha256.digest();
      symbols.digest(from, to, digest);
      sha256 = Sha256.hex(digest);
    }
    return sha256;
  }

  /** Such as {@code 90000000 of 27 symbols}. */
  @Override
  public String toString() {
    return length() + " of " + vocabulary;
  }

  /**
   * A text cut into three parts, in its order.
   *
   * @param train to learn from
   * @param validation to choose by
   * @param test to report
   */
  public record Split(Text train, Text validation, Text test) {
    /**
     * Cuts a text: the training part comes first, then validation, then test. Lengths are rounded
     * to the nearest symbol.
     *
     * @param validationShare of the whole, from 0
     * @param testShare of the whole, from 0; both together less than 1
     */
    public static Split of(Text text, double validationShare, double testShare) {
      if (!(validationShare >= 0 && testShare >= 0 && validationShare + testShare < 1)) {
        throw new IllegalArgumentException(
            "shares must be at least 0 and together less than 1, but are "
                + validationShare
                + " and "
                + testShare);
      }
      long testFrom = text.length() - Math.round(text.length() * testShare);
      long validationFrom = testFrom - Math.round(text.length() * validationShare);
      if (validationFrom < 1) {
        throw new IllegalArgumentException(
            "a text of " + text.length() + " symbols leaves nothing to train on");
      }
      return new Split(
          text.slice(0, validationFrom),
          text.slice(validationFrom, testFrom),
          text.slice(testFrom, text.length()));
    }
  }
}
