package io.ringflow.table;

import io.ringflow.internal.checks.Checks;
import java.util.List;

/**
 * How {@link TableCodec#fit} makes symbols of a table's cells.
 *
 * @param maxCategories the maximum number of values of a column with a symbol each; if there are
 *     more, numbers are cut into bins, and the rarest texts share a symbol
 * @param bins the maximum number of bins that a column of numbers is cut into
 * @param minCount a text seen in fewer rows is rare; 1 if no text is rare for that reason
 * @param missing the cells that stand for a missing value, without blanks around them
 */
public record CodecOptions(int maxCategories, int bins, int minCount, List<String> missing) {
  /**
   * At most 256 categories and 32 bins; only the empty cell is missing; texts seen once are rare,
   * because nothing can be learned of one but that there are others like it.
   */
  public static final CodecOptions DEFAULTS = new CodecOptions(256, 32, 2, List.of(""));

  private static final int MAX_SYMBOLS = 1 << 16;

  /** Checks the numbers and copies the list. */
  public CodecOptions {
    Checks.inRange("maxCategories", maxCategories, 2, MAX_SYMBOLS);
    Checks.inRange("bins", bins, 1, MAX_SYMBOLS);
    Checks.atLeast("minCount", minCount, 1);
    missing = List.copyOf(missing);
  }

  /** The same with another maximum of categories. */
  public CodecOptions withMaxCategories(int maxCategories) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  /** The same with another maximum of bins. */
  public CodecOptions withBins(int bins) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  /** The same with another number of rows below which a text is rare. */
  public CodecOptions withMinCount(int minCount) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  /** The same with other cells for a missing value, such as {@code ""} and {@code NA}. */
  public CodecOptions withMissing(List<String> missing) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  boolean isMissing(String cell) {
    return missing.contains(cell.strip());
  }
}
