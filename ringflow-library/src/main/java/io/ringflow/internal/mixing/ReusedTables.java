package io.ringflow.internal.mixing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Memory for copies of the same large tables, one after the other: only what was written to a copy
 * is copied again for the next. Whoever has a copy says where it writes.
 *
 * <p>A copy spoils the one before. For one thread.
 */
public final class ReusedTables {
  /** Every copy has memory of its own, for good. */
  static final ReusedTables NONE = new ReusedTables();

  private static final int BLOCK = 16; // entries; the length of every table is a multiple

  /** Of a table that was written to more often than in one of so many blocks, all is copied. */
  private static final int MIN_SPARSITY = 20;

  private static final class Copy {
    private final Object original;
    private final Object copy;
    private final int length;
    private final int maxCount;
    private int[] blocks = new int[BLOCK];
    private int count; // one more than there may be if not all are noted

    Copy(Object original, Object copy, int length) {
      this.original = original;
      this.copy = copy;
      this.length = length;
      maxCount = length / BLOCK / MIN_SPARSITY;
    }

    void written(int at) {
      if (count > maxCount) {
        return;
      }
      if (count == blocks.length) {
        blocks = Arrays.copyOf(blocks, 2 * count);
      }
      blocks[count++] = at / BLOCK * BLOCK;
    }

    void restore() {
      if (count > maxCount) {
        System.arraycopy(original, 0, copy, 0, length);
      } else {
        for (int i = 0; i < count; i++) {
          System.arraycopy(original, blocks[i], copy, blocks[i], BLOCK);
        }
      }
      count = 0;
    }
  }

  private final List<Copy> copies = new ArrayList<>();

  byte[] copyOf(byte[] table) {
    return (byte[]) copyOf(table, table.length, table::clone);
  }

  int[] copyOf(int[] table) {
    return (int[]) copyOf(table, table.length, table::clone);
  }

  private Object copyOf(Object table, int length, Supplier<Object> clone) {
    for (Copy each : copies) {
      if (each.original == table) {
        each.restore();
        return each.copy;
      }
    }
    Object copy = clone.get();
    if (this != NONE) {
      copies.add(new Copy(table, copy, length));
    }
    return copy;
  }

  /** Notes that a copy is written to in the blocks of 16 entries that places lie in. */
  void written(Object copy, int[] places) {
    if (this != NONE) {
      Copy known = known(copy);
      for (int place : places) {
        known.written(place);
      }
    }
  }

  /** Notes that a copy is written to at a place. */
  void written(Object copy, int place) {
    if (this != NONE) {
      known(copy).written(place);
    }
  }

  private Copy known(Object copy) {
    for (Copy each : copies) {
      if (each.copy == copy) {
        return each;
      }
    }
    throw new IllegalArgumentException("is no copy of these");
  }
}
