package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Expects the byte that followed the last time when the bytes before were the same.
 *
 * <p>Keeps a window of the bytes so far, and where each hash of five bytes ended last. A place is
 * believed only after the bytes before it have been compared.
 */
final class MatchModel {
  /** How many classes of lengths {@link #lengthClass} tells apart. */
  static final int LENGTH_CLASSES = 24;

  private static final int MIN_LENGTH = 5;
  private static final int MAX_COMPARED = 40;
  private static final int MAX_LENGTH = 1 << 16;

  private final byte[] window;
  private final int[] places;
  private final AdaptiveProbabilities hits;
  private final ReusedTables tables;
  private long recent; // the last eight bytes
  private int position;
  private int match;
  private int length;
  private int expected; // the byte at the match, or 0
  private boolean holds; // what is known of the byte agrees with what is expected
  private int lengthClass;

  MatchModel(int windowBits, int placeBits) {
    this(
        new byte[1 << windowBits],
        new int[1 << placeBits],
        new AdaptiveProbabilities(LENGTH_CLASSES),
        ReusedTables.NONE);
  }

  private MatchModel(byte[] window, int[] places, AdaptiveProbabilities hits, ReusedTables tables) {
    this.window = window;
    this.places = places;
    this.hits = hits;
    this.tables = tables;
  }

  MatchModel copy(ReusedTables into) {
    var copy = new MatchModel(into.copyOf(window), into.copyOf(places), hits.copy(), into);
    copy.recent = recent;
    copy.position = position;
    copy.match = match;
    copy.length = length;
    copy.begin();
    return copy;
  }

  /** Where one of several texts that are read by turns has got to. */
  record Cursor(long recent, int position, int match, int length) {
    /** A text that begins so many bytes behind this one, of which nothing is known. */
    Cursor behind(int bytes) {
      return new Cursor(0, position + bytes, 0, 0);
    }
  }

  Cursor cursor() {
    return new Cursor(recent, position, match, length);
  }

  /** Goes on with another text. */
  void moveTo(Cursor cursor) {
    recent = cursor.recent;
    position = cursor.position;
    match = cursor.match;
    length = cursor.length;
    begin();
  }

  /** How many bytes are remembered. */
  int window() {
    return window.length;
  }

  /** The byte that is expected, or 0 if none is. */
  int expected() {
    return expected;
  }

  /** How many bytes before agree; 0 if nothing is expected. */
  int length() {
    return length;
  }

  /** How long the match is, in classes, as long as the byte is what was expected; otherwise 0. */
  int lengthClass() {
    return holds ? lengthClass : 0;
  }

  /** The log-odds of a one. */
  int logOdds(int shift) {
    if (!holds) {
      return 0;
    }
    int logOdds = Logistic.logOdds(hits.get(lengthClass));
    return ((expected >> shift) & 1) == 1 ? logOdds : -logOdds;
  }

  /** Learns from a bit of the byte. */
  void update(int shift, int bit) {
    if (holds) {
      holds = ((expected >> shift) & 1) == bit;
      hits.update(lengthClass, holds ? 1 : 0);
    }
  }

  /** Goes on to the next byte. */
  void append(int value) {
    boolean hit = length > 0 && expected == value;
    length = hit ? Math.min(length + 1, MAX_LENGTH) : 0;
    match++;
    keep(value);
    long key = recent << (Long.SIZE - MIN_LENGTH * Byte.SIZE);
    int place = (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & (places.length - 1);
    if (length == 0 && places[place] != 0) {
      compare(places[place]);
    }
    places[place] = position;
    tables.written(places, place);
    begin();
  }

  private void begin() {
    holds = length > 0;
    lengthClass = classOf(length);
    expected = holds ? at(match) & 0xFF : 0;
  }

  private void keep(int value) {
    int end = position & (window.length - 1);
    window[end] = (byte) value;
    tables.written(window, end);
    position++;
    recent = (recent << Byte.SIZE) | value;
  }

  private void compare(int candidate) {
    int same = 0;
    while (same < MAX_COMPARED && at(candidate - same - 1) == at(position - same - 1)) {
      same++;
    }
    if (same >= MIN_LENGTH) {
      match = candidate;
      length = same;
    }
  }

  private byte at(int index) {
    return window[index & (window.length - 1)];
  }

  private static int classOf(int length) {
    if (length < 16) {
      return length;
    }
    if (length < 32) {
      return 16 + (length - 16) / 4;
    }
    return length < 64 ? 20 : length < 128 ? 21 : length < 512 ? 22 : 23;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(position);
    out.writeLong(recent);
    out.writeInt(match);
    out.writeInt(length);
    hits.write(out);
    ArrayCodec.write(places, out);
    out.write(window);
  }

  void read(DataInput in) throws IOException {
    position = in.readInt();
    recent = in.readLong();
    match = in.readInt();
    length = Math.max(0, Math.min(MAX_LENGTH, in.readInt()));
    hits.read(in);
    ArrayCodec.read(places, in);
    in.readFully(window);
    begin();
  }
}
