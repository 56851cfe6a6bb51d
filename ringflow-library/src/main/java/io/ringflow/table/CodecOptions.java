package io.ringflow.table;

import io.ringflow.internal.checks.Checks;
import java.util.List;
import java.util.Objects;

/**
 * How {@link TableCodec#fit} makes symbols of a table's cells.
 *
 * @param maxCategories the maximum number of different numbers of a column with a symbol each; if
 *     there are more, they are cut into bins
 * @param maxTexts the maximum number of different texts of a column with a symbol each; if there
 *     are more, the rarest share a symbol
 * @param bins the maximum number of bins that a column of numbers is cut into; 0 for as many as its
 *     rows allow: three times the cube root of their number, from 32 to 256
 * @param minCount a text seen in fewer rows is rare; 1 if no text is rare for that reason
 * @param missing the cells that stand for a missing value, without blanks around them
 * @param missingValues what becomes of those
 */
public record CodecOptions(
    int maxCategories,
    int maxTexts,
    int bins,
    int minCount,
    List<String> missing,
    MissingValues missingValues) {
  private static final int MAX_SYMBOLS = 1 << 16;
  private static final int MAX_TEXTS = 1 << 20;

  /** More bins tell more of a number, and have fewer rows to learn from. */
  private static final double BINS_BY_ROWS = 3;

  private static final int MIN_BINS = 32;
  private static final int MAX_BINS = 256;

  /**
   * At most 256 numbers and 1,048,576 texts, bins by the number of rows; only the empty cell is
   * missing; texts seen once are rare, because nothing can be learned of one but that there are
   * others like it; missing values have symbols.
   */
  public static final CodecOptions DEFAULTS =
      new CodecOptions(256, MAX_TEXTS, 0, 2, List.of(""), MissingValues.SYMBOL);

  /** Checks the numbers and copies the list. */
  public CodecOptions {
    Checks.inRange("maxCategories", maxCategories, 2, MAX_SYMBOLS);
    Checks.inRange("maxTexts", maxTexts, 2, MAX_TEXTS);
    Checks.inRange("bins", bins, 0, MAX_SYMBOLS);
    Checks.atLeast("minCount", minCount, 1);
    missing = List.copyOf(missing);
    Objects.requireNonNull(missingValues, "missingValues");
  }

  /** With one maximum for numbers and texts. */
  public CodecOptions(int maxCategories, int bins, int minCount, List<String> missing) {
    this(maxCategories, maxCategories, bins, minCount, missing, MissingValues.SYMBOL);
  }

  /** The same with another maximum of categories, numbers and texts. */
  public CodecOptions withMaxCategories(int maxCategories) {
    return new CodecOptions(maxCategories, maxCategories, bins, minCount, missing, missingValues);
  }

  /** The same with another maximum of texts. */
  public CodecOptions withMaxTexts(int maxTexts) {
    return new CodecOptions(maxCategories, maxTexts, bins, minCount, missing, missingValues);
  }

  /** The same with another maximum of bins, or 0. */
  public CodecOptions withBins(int bins) {
    return new CodecOptions(maxCategories, maxTexts, bins, minCount, missing, missingValues);
  }

  /** The same with another number of rows below which a text is rare. */
  public CodecOptions withMinCount(int minCount) {
    return new CodecOptions(maxCategories, maxTexts, bins, minCount, missing, missingValues);
  }

  /** The same with other cells for a missing value, such as {@code ""} and {@code NA}. */
  public CodecOptions withMissing(List<String> missing) {
    return new CodecOptions(maxCategories, maxTexts, bins, minCount, missing, missingValues);
  }

  /** The same with missing values as a symbol, or summed out. */
  public CodecOptions withMissingValues(MissingValues missingValues) {
    return new CodecOptions(maxCategories, maxTexts, bins, minCount, missing, missingValues);
  }

  /** The maximum number of bins of a column with so many numbers. */
  int bins(long rows) {
    double byRows = BINS_BY_ROWS * Math.cbrt((double) rows);
    return bins > 0 ? bins : (int) Math.max(MIN_BINS, Math.min(MAX_BINS, byRows));
  }

  boolean isMissing(String cell) {
    return missing.contains(cell.strip());
  }
}
