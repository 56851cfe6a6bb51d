package io.ringflow.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One column's cells, dictionary-encoded: each different text once, and its id in every row.
 * Immutable.
 *
 * <p>Selected rows share the texts, so that some texts may have no row.
 */
final class TextColumn {
  private final String[] texts;
  private final int[] ids;

  TextColumn(String[] texts, int[] ids) {
    this.texts = texts;
    this.ids = ids;
  }

  int size() {
    return ids.length;
  }

  String cell(int row) {
    return texts[ids[row]];
  }

  /** The id of the text in a row, from 0. */
  int id(int row) {
    return ids[row];
  }

  /** The number of texts, also of those without a row. */
  int texts() {
    return texts.length;
  }

  String text(int id) {
    return texts[id];
  }

  /** The number of rows of each text. */
  int[] counts() {
    int[] counts = new int[texts.length];
    for (int id : ids) {
      counts[id]++;
    }
    return counts;
  }

  TextColumn select(int[] rows) {
    return new TextColumn(texts, Arrays.stream(rows).map(row -> ids[row]).toArray());
  }

  /** Collects cells, row by row. */
  static final class Builder {
    private final Map<String, Integer> known = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private int[] ids = new int[16];
    private int size;

    void add(String cell) {
      Integer id = known.get(cell);
      if (id == null) {
        id = texts.size();
        known.put(cell, id);
        texts.add(cell);
      }
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, size + size / 2);
      }
      ids[size++] = id;
    }

    String first() {
      return texts.get(0);
    }

    /** Whether the first cell's text occurs in a later row; it is always text 0. */
    boolean firstRecurs() {
      return Arrays.stream(ids, 1, size).anyMatch(id -> id == 0);
    }

    /** The column from a row on. */
    TextColumn build(int from) {
      return new TextColumn(texts.toArray(String[]::new), Arrays.copyOfRange(ids, from, size));
    }
  }
}
