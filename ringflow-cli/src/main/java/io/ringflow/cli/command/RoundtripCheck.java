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
final class RoundtripCheck {
  private static final int[][] NOTHING = {};

  private RoundtripCheck() {}

  /**
   * How many symbols went through a model, and how many came back wrong.
   *
   * @param symbols that went there and back, once in either direction
   * @param errors that came back as another symbol, in either direction
   * @param rows that were also encoded in float32
   * @param float32WrongRows of them, that float32 encoded differently than float64
   * @param float32Errors symbols in them that differ: one wrong move misleads those that follow it
   */
  record Counts(long symbols, long errors, long rows, long float32WrongRows, long float32Errors) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(
          symbols + other.symbols,
          errors + other.errors,
          rows + other.rows,
          float32WrongRows + other.float32WrongRows,
          float32Errors + other.float32Errors);
    }
  }

  /** Sends random rows through the model in both directions and counts what comes back wrong. */
  static Counts run(FlowModel model, int rows, RandomGenerator random) {
    Space space = model.architecture().space();
    int[][] condition = random(model.architecture().condition(), rows, random);
    int[][] data = random(space, rows, random);
    int[][] encoded = model.encode(data, condition);
    int[][] base = random(space, rows, random);
    int[][] decoded = model.decode(base, condition);
    int[][] inFloat32 = model.encode(data, condition, Precision.FLOAT32);
    return new Counts(
        (long) rows * space.size(),
        mismatches(data, inTwoParts(encoded, condition, model::decode))
            + mismatches(base, inTwoParts(decoded, condition, model::encode)),
        rows,
        mismatchedRows(encoded, inFloat32),
        mismatches(encoded, inFloat32));
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
    int[][] go(int[][] rows, int[][] condition);
  }

  private static int[][] inTwoParts(int[][] rows, int[][] condition, Way way) {
    int cut = rows.length / 3;
    int[][] result = new int[rows.length][];
    for (int[] part : new int[][] {{0, cut}, {cut, rows.length}}) {
      int[][] partCondition =
          condition.length == 0 ? NOTHING : Arrays.copyOfRange(condition, part[0], part[1]);
      int[][] done = way.go(Arrays.copyOfRange(rows, part[0], part[1]), partCondition);
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
