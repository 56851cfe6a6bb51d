package io.ringflow.bench;

import java.util.Arrays;
import java.util.List;

/** What a file that goes through compression and back may be like. */
enum FileKind {
  /** Of any bytes, all alike. */
  UNIFORM_BYTES(Family.RANDOM),
  /** Of five different bytes at most. */
  FEW_BYTES(Family.RANDOM),
  /** Of five of the model's characters at most. */
  FEW_CHARACTERS(Family.RANDOM),
  /** Nothing. */
  EMPTY(Family.ADVERSARIAL),
  /** A single one. */
  ONE_BYTE(Family.ADVERSARIAL),
  /** All 256 bytes, in some order. */
  ALL_BYTES(Family.ADVERSARIAL),
  /** The same byte thousands of times, and then perhaps another. */
  LONG_RUNS(Family.ADVERSARIAL),
  /** A text with sequences that UTF-8 forbids. */
  INVALID_UTF8(Family.ADVERSARIAL),
  /** A text with halves of UTF-16's pairs, each written as if it were a character. */
  SURROGATES(Family.ADVERSARIAL),
  /** A text behind a byte order mark, and with one inside. */
  BYTE_ORDER_MARK(Family.ADVERSARIAL),
  /** A text with zero bytes. */
  NULS(Family.ADVERSARIAL),
  /** What compression made of a text. */
  COMPRESSED(Family.ADVERSARIAL),
  /** A text of the model's own that ends at the end of a piece, or a symbol beside it. */
  AROUND_A_PIECE(Family.ADVERSARIAL),
  /** Characters that the model does not know. */
  UNKNOWN_CHARACTERS(Family.ADVERSARIAL),
  /** A part of a file that people have. */
  REAL(Family.REAL);

  private final Family family;

  FileKind(Family family) {
    this.family = family;
  }

  /** Where files come from. */
  enum Family {
    /** By chance. */
    RANDOM,
    /** Made to break something. */
    ADVERSARIAL,
    /** Found. */
    REAL;

    /** Its kinds. */
    List<FileKind> kinds() {
      return Arrays.stream(FileKind.values()).filter(kind -> kind.family == this).toList();
    }
  }
}
