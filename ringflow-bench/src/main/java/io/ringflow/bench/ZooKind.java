package io.ringflow.bench;

/** What a file of the zoo is like. */
enum ZooKind {
  /** Nothing. */
  EMPTY,
  /** A single one. */
  ONE_BYTE,
  /** A part of a file that people have. */
  REAL,
  /** The same, with bytes changed, left out and put in. */
  DAMAGED_REAL,
  /** What the network samples, and so codes best. */
  SAMPLED,
  /** The same, with bytes changed, left out and put in. */
  DAMAGED_SAMPLED,
  /** Any bytes, all alike. */
  BINARY,
  /** Some bytes over and over, with something else at times. */
  REPETITIONS,
  /** A text that ends without a line end. */
  NO_LINE_END,
  /** A text whose lines end in all ways there are. */
  MIXED_LINE_ENDS,
  /** Tens of thousands of bytes in one line. */
  HUGE_LINE,
  /** A text behind a byte order mark. */
  BYTE_ORDER_MARK,
  /** A text with sequences that UTF-8 forbids. */
  INVALID_UTF8,
  /** What was compressed already. */
  COMPRESSED,
  /** Rows of the table that the model of a table knows. */
  TABLE,
  /** The same, with quotes, other numbers, missing cells and broken lines. */
  ODD_TABLE,
  /** The same, with bytes changed, left out and put in. */
  DAMAGED_TABLE,
  /** A table of 10,000 columns. */
  MANY_COLUMNS
}
