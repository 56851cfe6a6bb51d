package io.ringflow.internal.mixing;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The contexts that bytes are counted in, hashed: the last 1 to 8 bytes, the word so far and those
 * before it, bytes further back, and what the match model expects.
 *
 * <p>Words are runs of letters, digits and bytes from 128 on (letters of other alphabets in UTF-8);
 * upper and lower case of ASCII are the same here.
 */
final class ByteContexts {
  /** How many there are. */
  static final int COUNT = 13;

  /** The first so many are of the last bytes, without a gap. */
  static final int ORDERS = 7;

  /** Those, as a bit each. */
  static final int OF_ORDERS = (1 << ORDERS) - 1;

  private static final int[] EXTENDED = {-1, -1, -1, -1, -1, 4, 5, -1, -1, 8, -1, -1, -1};

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int MAX_MATCH = 31;

  private long recent; // the last eight bytes, the last one lowest
  private long word;
  private long wordBefore;
  private long secondBefore;
  private int wordLength;

  /** For each context, which other one it extends such that it is rarer; or -1. */
  static int[] extended() {
    return EXTENDED.clone();
  }

  ByteContexts copy() {
    var copy = new ByteContexts();
    copy.recent = recent;
    copy.word = word;
    copy.wordBefore = wordBefore;
    copy.secondBefore = secondBefore;
    copy.wordLength = wordLength;
    return copy;
  }

  /** The last bytes, the last one lowest. */
  int recent() {
    return (int) recent;
  }

  /** How many bytes of a word the last ones are; 0 between words. */
  int wordLength() {
    return wordLength;
  }

  /** Goes on to the next byte. */
  void append(int value) {
    recent = (recent << Byte.SIZE) | value;
    int letter = value >= 'A' && value <= 'Z' ? value + ('a' - 'A') : value;
    if (isOfWord(letter)) {
      word = (word + letter + 1) * 0x2F0B4C47L;
      word ^= word >>> 29;
    } else if (word != 0) {
      secondBefore = wordBefore;
      wordBefore = word;
      word = 0;
    }
    wordLength = isOfWord(value | 0x20) ? wordLength + 1 : 0; // upper case lacks that bit only
  }

  private static boolean isOfWord(int letter) {
    return (letter >= 'a' && letter <= 'z') || letter >= 128 || (letter >= '0' && letter <= '9');
  }

  /** Hashes all contexts of the byte that comes next. */
  void hash(MatchModel match, int[] hashes) {
    long pair = word * 0x2545F4914F6CDD1DL + wordBefore * 0x9FB21C651E98DF25L;
    long triple = pair + secondBefore * 0xBF58476D1CE4E5B9L;
    long expected = match.expected() | ((long) Math.min(match.length(), MAX_MATCH) << Byte.SIZE);
    hashes[0] = hash(1, recent & 0xFFL);
    hashes[1] = hash(2, recent & 0xFFFFL);
    hashes[2] = hash(3, recent & 0xFFFFFFL);
    hashes[3] = hash(4, recent & 0xFFFFFFFFL);
    hashes[4] = hash(5, recent & 0xFFFFFFFFFFL);
    hashes[5] = hash(6, recent & 0xFFFFFFFFFFFFL);
    hashes[6] = hash(8, recent);
    hashes[7] = hash(9, word);
    hashes[8] = hash(10, pair);
    hashes[9] = hash(11, triple);
    hashes[10] = hash(12, recent & 0xFFFF00L);
    hashes[11] = hash(13, recent & 0xFFFF0000L);
    hashes[12] = hash(14, (expected << Byte.SIZE) | (recent & 0xFF));
  }

  /** How many contexts {@link #hashDirect} has. */
  static final int DIRECT = 10;

  /** Hashes the contexts that are frequent enough for probabilities of their own. */
  void hashDirect(int[] hashes) {
    for (int order = 1; order <= 6; order++) {
      hashes[order - 1] = hash(40 + order, recent & (-1L >>> (Long.SIZE - order * Byte.SIZE)));
    }
    hashes[6] = hash(47, word);
    long pair = word * 0x2545F4914F6CDD1DL + wordBefore * 0x9FB21C651E98DF25L;
    hashes[7] = hash(48, pair);
    hashes[8] = hash(49, pair + secondBefore * 0xBF58476D1CE4E5B9L);
    hashes[9] = hash(50, word * 0x2545F4914F6CDD1DL + secondBefore * 0x9FB21C651E98DF25L);
  }

  /** How many contexts {@link #hashFrequent} has. */
  static final int FREQUENT = 4;

  /** Hashes some of those of {@link #hashDirect}: the last 3, 4 and 5 bytes, and the word. */
  void hashFrequent(int[] hashes) {
    hashes[0] = hash(43, recent & 0xFFFFFFL);
    hashes[1] = hash(44, recent & 0xFFFFFFFFL);
    hashes[2] = hash(45, recent & 0xFFFFFFFFFFL);
    hashes[3] = hash(47, word);
  }

  private static int hash(int kind, long context) {
    long hash = (context * 0xA0761D6478BD642FL + kind) * MULTIPLIER;
    hash ^= hash >>> 32;
    return (int) ((hash * 0xD6E8FEB86659FD93L) >>> 32);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(recent);
    out.writeLong(word);
    out.writeLong(wordBefore);
    out.writeLong(secondBefore);
    out.writeInt(wordLength);
  }

  void read(DataInput in) throws IOException {
    recent = in.readLong();
    word = in.readLong();
    wordBefore = in.readLong();
    secondBefore = in.readLong();
    wordLength = Math.max(0, in.readInt());
  }
}
