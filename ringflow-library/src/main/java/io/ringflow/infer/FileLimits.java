package io.ringflow.infer;

import io.ringflow.core.DataFormatException;
import io.ringflow.infer.Tokens.Token;
import java.util.List;

/** Bounds on what a file may ask for: a few bytes can promise tables beyond any memory. */
final class FileLimits {
  /** Of all variables together. */
  static final int MAX_STATES = 1 << 20;

  /** Of all tables together. */
  static final int MAX_ENTRIES = 1 << 26;

  /** Of all rows together that a default stands for, because nothing in the file pays for them. */
  static final int MAX_DEFAULTS = 1 << 22;

  private final Tokens tokens;
  private long states;
  private long entries;
  private long defaults;

  FileLimits(Tokens tokens) {
    this.tokens = tokens;
  }

  /** Counts the states of a variable. */
  void addStates(Token at, int count) throws DataFormatException {
    states += count;
    if (states > MAX_STATES) {
      throw tokens.error(at, "more than " + MAX_STATES + " states in all");
    }
  }

  /** Counts a table's entries, and returns their number. */
  int addTable(Token at, List<Integer> cardinalities) throws DataFormatException {
    long size = 1;
    for (int cardinality : cardinalities) {
      size = Math.min(size * cardinality, MAX_ENTRIES + 1L);
    }
    entries += size;
    if (entries > MAX_ENTRIES) {
      throw tokens.error(at, "tables of more than " + MAX_ENTRIES + " entries in all");
    }
    return (int) size;
  }

  /** Counts entries that a default stands for. */
  void addDefaults(Token at, long count) throws DataFormatException {
    defaults += count;
    if (defaults > MAX_DEFAULTS) {
      throw tokens.error(at, "defaults for more than " + MAX_DEFAULTS + " entries in all");
    }
  }
}
