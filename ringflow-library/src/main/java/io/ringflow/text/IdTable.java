package io.ringflow.text;

import java.util.Arrays;

/**
 * The ids of code points; a lookup costs two array reads.
 *
 * <p>Pages of 256 code points exist only where one has an id: a text in one script needs a few.
 */
final class IdTable {
  /** The id of a code point that has none. */
  static final int ABSENT = -1;

  private static final int PAGE = 256;

  private final int[][] pages = new int[(Character.MAX_CODE_POINT + 1) / PAGE][];

  /** The id of a code point, or {@link #ABSENT}. */
  int id(int codePoint) {
    int[] page = pages[codePoint / PAGE];
    return page == null ? ABSENT : page[codePoint % PAGE];
  }

  void put(int codePoint, int id) {
    int[] page = pages[codePoint / PAGE];
    if (page == null) {
      page = new int[PAGE];
      Arrays.fill(page, ABSENT);
      pages[codePoint / PAGE] = page;
    }
    page[codePoint % PAGE] = id;
  }
}
