package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Arrays of numbers of which some are frequent, as bytes: a list of the most frequent ones, then
 * for each number its place in the list, and numbers that are not in it as they are.
 *
 * <p>Places come as high bytes and low bytes, piece by piece, such that deflating finds mostly
 * zeros among the first.
 */
final class CommonValues {
  private static final int MAX_LISTED = (1 << 16) - 1; // this place stands for all others
  private static final int TABLE_BITS = 22;
  private static final int MAX_DISTINCT = 1 << (TABLE_BITS - 1);
  private static final int STEP = 8; // one of so many numbers is enough to find the frequent ones
  private static final int PIECE = 1 << 14;

  private CommonValues() {}

  /** How often numbers occur, or their places, by number. */
  private static final class Lookup {
    private final int[] numbers;
    private final int[] values; // 0 where there is nothing
    private int size;

    Lookup(int bits) {
      numbers = new int[1 << bits];
      values = new int[1 << bits];
    }

    /** Where a number is, or has place. */
    int find(int number) {
      int mask = numbers.length - 1;
      int at = ((number * 0x9E3779B1) >>> 8) & mask;
      while (values[at] != 0 && numbers[at] != number) {
        at = (at + 1) & mask;
      }
      return at;
    }

    void put(int at, int number, int value) {
      size += values[at] == 0 ? 1 : 0;
      numbers[at] = number;
      values[at] = value;
    }
  }

  /** The most frequent numbers, the most frequent first. */
  private static int[] listed(int[] numbers) {
    var counts = new Lookup(TABLE_BITS);
    for (int i = 0; i < numbers.length; i += STEP) {
      int at = counts.find(numbers[i]);
      if (counts.values[at] > 0 || counts.size < MAX_DISTINCT) {
        counts.put(at, numbers[i], counts.values[at] + 1);
      }
    }
    long[] byCount = new long[counts.size]; // each with its number behind it
    int next = 0;
    for (int i = 0; i < counts.values.length; i++) {
      if (counts.values[i] > 0) {
        byCount[next++] =
            -((long) counts.values[i] << Integer.SIZE) | Integer.toUnsignedLong(counts.numbers[i]);
      }
    }
    Arrays.sort(byCount);
    return Arrays.stream(byCount).limit(MAX_LISTED).mapToInt(each -> (int) each).toArray();
  }

  static void write(int[] numbers, DataOutput out) throws IOException {
    int[] listed = listed(numbers);
    out.writeInt(listed.length);
    ArrayCodec.write(listed, out);
    var places = new Lookup(Integer.SIZE - Integer.numberOfLeadingZeros(MAX_LISTED) + 2);
    for (int i = 0; i < listed.length; i++) {
      places.put(places.find(listed[i]), listed[i], i + 1);
    }
    byte[] bytes = new byte[2 * PIECE];
    int[] others = new int[PIECE];
    for (int from = 0; from < numbers.length; from += PIECE) {
      int count = Math.min(PIECE, numbers.length - from);
      int unlisted = 0;
      for (int i = 0; i < count; i++) {
        int place = places.values[places.find(numbers[from + i])] - 1;
        if (place < 0) {
          place = MAX_LISTED;
          others[unlisted++] = numbers[from + i];
        }
        bytes[i] = (byte) (place >> Byte.SIZE);
        bytes[count + i] = (byte) place;
      }
      out.write(bytes, 0, 2 * count);
      ArrayCodec.write(Arrays.copyOf(others, unlisted), out);
    }
  }

  static void read(int[] numbers, DataInput in) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > MAX_LISTED) {
      throw new IllegalArgumentException(
          "lists " + size + " numbers, but " + MAX_LISTED + " at most");
    }
    int[] listed = new int[size];
    ArrayCodec.read(listed, in);
    byte[] bytes = new byte[2 * PIECE];
    for (int from = 0; from < numbers.length; from += PIECE) {
      int count = Math.min(PIECE, numbers.length - from);
      in.readFully(bytes, 0, 2 * count);
      int unlisted = 0;
      for (int i = 0; i < count; i++) {
        unlisted += place(bytes, count, i) >= size ? 1 : 0;
      }
      int[] others = new int[unlisted];
      ArrayCodec.read(others, in);
      int next = 0;
      for (int i = 0; i < count; i++) {
        int place = place(bytes, count, i);
        numbers[from + i] = place < size ? listed[place] : others[next++];
      }
    }
  }

  private static int place(byte[] bytes, int count, int i) {
    return ((bytes[i] & 0xFF) << Byte.SIZE) | (bytes[count + i] & 0xFF);
  }
}
