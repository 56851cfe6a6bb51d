package io.ringflow.text;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * A growing list of ids, two bytes each.
 *
 * <p>Ids lie in blocks, so that growing copies nothing and there may be more than the two billion
 * of an array.
 */
final class SymbolArray {
  private static final int BLOCK_BITS = 20;
  private static final int BLOCK = 1 << BLOCK_BITS;

  private final List<char[]> blocks = new ArrayList<>();
  private char[] last = {};
  private int lastUsed;

  long length() {
    return blocks.isEmpty() ? 0 : (long) (blocks.size() - 1) * BLOCK + lastUsed;
  }

  void add(int id) {
    if (lastUsed == last.length) {
      last = new char[BLOCK];
      blocks.add(last);
      lastUsed = 0;
    }
    last[lastUsed++] = (char) id;
  }

  int get(long index) {
    return blocks.get((int) (index >>> BLOCK_BITS))[(int) (index & (BLOCK - 1))];
  }

  int[] copy(long from, int length) {
    int[] row = new int[length];
    for (int done = 0; done < length; ) {
      char[] block = blocks.get((int) ((from + done) >>> BLOCK_BITS));
      int offset = (int) ((from + done) & (BLOCK - 1));
      int end = Math.min(length, done + BLOCK - offset);
      while (done < end) {
        row[done++] = block[offset++];
      }
    }
    return row;
  }

  /** Replaces every id by {@code byOldId[id]}. */
  void replace(char[] byOldId) {
    for (char[] block : blocks) {
      int used = block == last ? lastUsed : BLOCK;
      for (int i = 0; i < used; i++) {
        block[i] = byOldId[block[i]];
      }
    }
  }

  /** Adds the ids of a range to a digest: two bytes each, the higher first. */
  void digest(long from, long to, MessageDigest digest) {
    ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * BLOCK);
    for (long at = from; at < to; ) {
      int offset = (int) (at & (BLOCK - 1));
      int count = (int) Math.min(to - at, BLOCK - offset);
      bytes.clear();
      bytes.asCharBuffer().put(blocks.get((int) (at >>> BLOCK_BITS)), offset, count);
      digest.update(bytes.limit(Character.BYTES * count));
      at += count;
    }
  }
}
