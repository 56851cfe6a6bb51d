package io.ringflow.cli.command;

import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Sends random rows through a model and back.
 *
 * <pre>
 *   y random:  decode(encode(y)) == y          x random:  encode(decode(x)) == x
 * </pre>
 *
 * <p>The way back runs in batches of another size than the way there, as it would in anybody's
 * program: rounding depends on the batch, and symbols must not.
 */
final class Roundtrip {
  private static final int[][] NOTHING = {};

  private Roundtrip() {}

  /**
   * What came of some rows.
   *
   * @param symbols that went there and back, once in either direction
   * @param errors that came back as another symbol, in either direction
   * @param rows that were encoded in 32 bits too
   * @param strayRows of them, that 32 bits encoded differently than 64
   * @param straySymbols in them that differ: one wrong move misleads those that follow it
   */
  record Tally(long symbols, long errors, long rows, long strayRows, long straySymbols) {
    static final Tally NONE = new Tally(0, 0, 0, 0, 0);

    Tally plus(Tally other) {
      return new Tally(
          symbols + other.symbols,
          errors + other.errors,
          rows + other.rows,
          strayRows + other.strayRows,
          straySymbols + other.straySymbols);
    }
  }

  /** Draws rows and sends them both ways. */
  static Tally run(FlowModel model, int rows, RandomGenerator random) {
    Space space = model.architecture().space();
    int[][] given = random(model.architecture().condition(), rows, random);
    int[][] data = random(space, rows, random);
    int[][] encoded = model.encode(data, given);
    int[][] base = random(space, rows, random);
    int[][] decoded = model.decode(base, given);
    int[][] encoded32 = model.encode(data, given, Precision.FLOAT32);
    return new Tally(
        (long) rows * space.size(),
        mismatches(data, inTwoParts(encoded, given, model::decode))
            + mismatches(base, inTwoParts(decoded, given, model::encode)),
        rows,
        mismatchedRows(encoded, encoded32),
        mismatches(encoded, encoded32));
  }

  /** The number of symbols in which two equally long sets of rows differ. */
  static long mismatches(int[][] expected, int[][] actual) {
    checkLengths(expected.length, actual.length);
    long count = 0;
    for (int i = 0; i < expected.length; i++) {
      checkLengths(expected[i].length, actual[i].length);
      for (int d = 0; d < expected[i].length; d++) {
        if (expected[i][d] != actual[i][d]) {
          count++;
        }
      }
    }
    return count;
  }

  private static void checkLengths(int expected, int actual) {
    if (expected != actual) {
      throw new IllegalStateException("expected " + expected + " to come back, but got " + actual);
    }
  }

  private static long mismatchedRows(int[][] expected, int[][] actual) {
    long count = 0;
    for (int i = 0; i < expected.length; i++) {
      if (!Arrays.equals(expected[i], actual[i])) {
        count++;
      }
    }
    return count;
  }

  @FunctionalInterface
  private interface Way {
    int[][] go(int[][] rows, int[][] given);
  }

  private static int[][] inTwoParts(int[][] rows, int[][] given, Way way) {
    int cut = rows.length / 3;
    int[][] result = new int[rows.length][];
    for (int[] part : new int[][] {{0, cut}, {cut, rows.length}}) {
      int[][] partGiven = given.length == 0 ? NOTHING : Arrays.copyOfRange(given, part[0], part[1]);
      int[][] done = way.go(Arrays.copyOfRange(rows, part[0], part[1]), partGiven);
      System.arraycopy(done, 0, result, part[0], done.length);
    }
    return result;
  }

  private static int[][] random(Space space, int rows, RandomGenerator random) {
    if (space.size() == 0) {
      return NOTHING;
    }
    int[][] result = new int[rows][space.size()];
    for (int[] row : result) {
      Arrays.setAll(row, d -> random.nextInt(space.cardinality(d)));
    }
    return result;
  }
}
