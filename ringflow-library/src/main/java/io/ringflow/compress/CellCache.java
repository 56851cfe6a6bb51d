package io.ringflow.compress;

import io.ringflow.compress.CellColumn.Cell;
import java.util.Arrays;

/**
 * Cells that were met before, by their bytes: a table with open addressing, which makes no string
 * of a cell that it knows. For one thread.
 */
final class CellCache {
  private static final int MIN_SLOTS = 64;
  private static final int MAX_CELLS = 1 << 14;
  private static final int MAX_LENGTH = 64; // of a cell that is worth its memory

  private byte[][] texts = new byte[MIN_SLOTS][];
  private Cell[] cells = new Cell[MIN_SLOTS];
  private int count;

  /** The cell of some bytes; null if it was not met, or is not remembered. */
  Cell find(byte[] bytes, int from, int to) {
    return cells[slot(bytes, from, to)];
  }

  /** Where the bytes are, or would be. */
  private int slot(byte[] bytes, int from, int to) {
    int hash = to - from;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + bytes[i];
    }
    int mask = texts.length - 1;
    int slot = ((hash * 0x9E3779B1) >>> 16) & mask;
    while (texts[slot] != null && !isSame(texts[slot], bytes, from, to)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static boolean isSame(byte[] text, byte[] bytes, int from, int to) {
    boolean same = text.length == to - from;
    for (int i = 0; same && i < text.length; i++) {
      same = text[i] == bytes[from + i];
    }
    return same;
  }

  /** Remembers a cell that was not found; not a long one, nor one of too many. */
  void remember(byte[] bytes, int from, int to, Cell cell) {
    if (count == MAX_CELLS || to - from > MAX_LENGTH) {
      return;
    }
    if (2 * ++count > texts.length) {
      grow();
    }
    put(Arrays.copyOfRange(bytes, from, to), cell);
  }

  private void put(byte[] text, Cell cell) {
    int slot = slot(text, 0, text.length);
    texts[slot] = text;
    cells[slot] = cell;
  }

  private void grow() {
    byte[][] oldTexts = texts;
    Cell[] oldCells = cells;
    texts = new byte[2 * oldTexts.length][];
    cells = new Cell[texts.length];
    for (int i = 0; i < oldTexts.length; i++) {
      if (oldTexts[i] != null) {
        put(oldTexts[i], oldCells[i]);
      }
    }
  }
}
