package io.ringflow.internal.coding;

/** Single characters in UTF-8, strictly as in RFC 3629. */
final class Utf8 {
  private Utf8() {}

  /**
   * The code point whose bytes begin at an index; -1 if none does: for too few bytes, an overlong
   * form, a surrogate or a number beyond Unicode.
   */
  static int codePoint(byte[] bytes, int at) {
    int first = bytes[at];
    if (first >= 0) {
      return first;
    }
    int length = Integer.numberOfLeadingZeros(~(first << 24)); // of ones
    if (length < 2 || length > 4 || length > bytes.length - at) {
      return -1;
    }
    int codePoint = first & (0x7F >> length);
    for (int i = 1; i < length; i++) {
      int next = bytes[at + i];
      if ((next & 0xC0) != 0x80) {
        return -1;
      }
      codePoint = (codePoint << 6) | (next & 0x3F);
    }
    boolean surrogate =
        codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return Character.isValidCodePoint(codePoint) && !surrogate && length(codePoint) == length
        ? codePoint
        : -1;
  }

  /** The number of bytes of a code point. */
  static int length(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
