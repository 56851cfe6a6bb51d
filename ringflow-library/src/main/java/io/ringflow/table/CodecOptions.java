package io.ringflow.table;

import java.util.List;

/**
 * How {@link TableCodec#fit} makes symbols of a table's cells.
 *
 * @param maxCategories the most values of a column that have a symbol each; a column of numbers
 *     with more different ones is cut into bins, a column of text pools its rarest values
 * @param bins the most bins a column of numbers is cut into
 * @param minCount a text seen in fewer rows is rare; 1 to call none rare for that reason
 * @param missing how a cell says that it has no value, blanks around it aside
 */
public record CodecOptions(int maxCategories, int bins, int minCount, List<String> missing) {
  /**
   * At most 256 categories, 32 bins, only the empty cell is missing, and what was seen once is
   * rare: of such a value nothing can be learned but that there are values like it.
   */
  public static final CodecOptions DEFAULTS = new CodecOptions(256, 32, 2, List.of(""));

  /** More symbols than this are no categories. */
  private static final int MAX_VALUE = 1 << 16;

  /** Checks the numbers and copies the list. */
  public CodecOptions {
    requireRange("mostCategories", maxCategories, 2, MAX_VALUE);
    requireRange("bins", bins, 1, MAX_VALUE);
    requireRange("leastCount", minCount, 1, Integer.MAX_VALUE);
    missing = List.copyOf(missing);
  }

  /** The same with another bound on the categories. */
  public CodecOptions withMaxCategories(int maxCategories) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  /** The same with another number of bins. */
  public CodecOptions withBins(int bins) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  /** The same with another bound on what is rare. */
  public CodecOptions withMinCount(int minCount) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  /** The same with other ways to say that a value is missing, such as {@code ""} and {@code NA}. */
  public CodecOptions withMissing(List<String> missing) {
    return new CodecOptions(maxCategories, bins, minCount, missing);
  }

  boolean isMissing(String cell) {
    return missing.contains(cell.strip());
  }

  private static void requireRange(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be in " + least + ".." + most + ", but is " + value);
    }
  }
}
