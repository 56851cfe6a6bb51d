package io.ringflow.compress;

import io.ringflow.core.CompressedFormatException;
import io.ringflow.internal.coding.ByteReader;
import io.ringflow.internal.coding.ByteWriter;
import io.ringflow.internal.coding.Container;
import io.ringflow.internal.mixing.BytePredictor;

/** Codes bytes by what was counted in those before them, beginning with nothing. */
final class AdaptiveCoding extends CountedCoding {
  /** Slots of 16 bytes in a megabyte, as a logarithm. */
  private static final int MEGABYTE_BITS = 16;

  /** A byte takes up to two slots in every context, but most contexts come again. */
  private static final int SLOTS_A_BYTE_BITS = 3;

  private final int maxSlotBits;

  /** Codes with a table of so many megabytes at most; less for short files. */
  AdaptiveCoding(int megabytes) {
    maxSlotBits = slotBits(megabytes);
  }

  /**
   * The logarithm of the slots in a table.
   *
   * @throws IllegalArgumentException if the megabytes are not 1, 2, 4 and so on
   */
  static int slotBits(int megabytes) {
    int max = 1 << (BytePredictor.MAX_SLOT_BITS - MEGABYTE_BITS);
    if (megabytes < 1 || megabytes > max || Integer.bitCount(megabytes) != 1) {
      throw new IllegalArgumentException(
          "megabytes must be 1, 2, 4, 8, ... or " + max + ", but is " + megabytes);
    }
    return MEGABYTE_BITS + Integer.numberOfTrailingZeros(megabytes);
  }

  /** How many megabytes a table has. */
  static int megabytes(int slotBits) {
    return 1 << (slotBits - MEGABYTE_BITS);
  }

  @Override
  public Container.Method method() {
    return Container.Method.ADAPTIVE;
  }

  @Override
  BytePredictor begin(ByteWriter body, long length) {
    int wanted = Long.SIZE - Long.numberOfLeadingZeros(length) + SLOTS_A_BYTE_BITS;
    int slotBits = Math.min(maxSlotBits, Math.max(BytePredictor.MIN_SLOT_BITS, wanted));
    body.number(slotBits);
    return new BytePredictor(slotBits);
  }

  /** Needs no model, nor the options that bytes were compressed with. */
  @Override
  BytePredictor begin(ByteReader body) throws CompressedFormatException {
    int slotBits = body.number("the size of the table", BytePredictor.MAX_SLOT_BITS);
    if (slotBits < BytePredictor.MIN_SLOT_BITS) {
      throw CompressedFormatException.damaged(
          "its table has 2^" + slotBits + " slots, fewer than any");
    }
    return predictor(slotBits);
  }

  private static BytePredictor predictor(int slotBits) throws CompressedFormatException {
    try {
      return new BytePredictor(slotBits);
    } catch (OutOfMemoryError e) { // asked for by the file: must not end the caller
      throw new CompressedFormatException(
          "takes %,d MB of memory to decompress, more than Java may use here (-Xmx)"
              .formatted(BytePredictor.bytes(slotBits) >> 20));
    }
  }
}
