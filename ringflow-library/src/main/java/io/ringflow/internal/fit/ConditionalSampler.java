package io.ringflow.internal.fit;

import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Draws rows some of whose symbols are given.
 *
 * <p>Symbol after symbol, with what is given put in where its turn comes. If nothing but given
 * symbols comes before them, that is exact. Otherwise a row was drawn without regard to what came
 * later, and its weight is how likely that was, given the row: many are drawn and, of these, rows
 * picked in proportion to their weights (importance resampling), which becomes exact as they become
 * many.
 *
 * <p>Where layers move symbols by what they see of others, nothing can be put in: rows are drawn
 * until enough of them agree with what is given, which is exact, and slow for what is rare.
 */
public final class ConditionalSampler {
  /** How many rows are drawn for one that is picked by weight. */
  private static final int CANDIDATES = 64;

  /** Rows to draw at most before giving up on finding those that agree. */
  private static final int MAX_DRAWN = 1 << 20;

  private static final int REJECTED_AT_A_TIME = 4096;

  /** Numbers of one table of probabilities to work on at a time. */
  private static final long CHUNK_ELEMENTS = 1L << 21;

  private final FlowModel model;
  private final Places places;

  public ConditionalSampler(FlowModel model, Places places) {
    this.model = model;
    this.places = places;
  }

  /**
   * Rows of symbols.
   *
   * @param effective how many independent draws they are worth; as many as there are rows if exact
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Drawn(int[][] rows, boolean exact, double effective) {}

  /**
   * Draws rows.
   *
   * @param given the symbols of some positions of the data
   */
  public Drawn draw(int count, Map<Integer, Integer> given, long seed) {
    if (given.isEmpty()) {
      return new Drawn(model.sample(count, seed), true, count);
    }
    if (places.symbolsMove()) {
      return new Drawn(rejecting(count, given, seed), true, count);
    }
    boolean[][] allowed = places.allowed(given);
    return givenComesFirst(allowed)
        ? new Drawn(weighted(count, allowed, seed).rows, true, count)
        : weighted(Math.multiplyExact(count, CANDIDATES), allowed, seed).pick(count, seed);
  }

  /** Whether all rows would weigh the same: nothing is free before what is given. */
  private boolean givenComesFirst(boolean[][] allowed) {
    boolean free = false;
    for (List<Integer> group : model.base().groups().groups()) {
      if (free && group.stream().anyMatch(position -> allowed[position] != null)) {
        return false;
      }
      free |= group.stream().anyMatch(position -> places.choices(position, allowed) > 1);
    }
    return true;
  }

  private int[][] rejecting(int count, Map<Integer, Integer> given, long seed) {
    List<int[]> found = new ArrayList<>();
    int drawn = 0;
    for (int part = 0; found.size() < count && drawn < MAX_DRAWN; part++) {
      long partSeed = Batches.random(seed, part).nextLong();
      for (int[] row : model.sample(REJECTED_AT_A_TIME, partSeed)) {
        if (given.entrySet().stream().allMatch(entry -> row[entry.getKey()] == entry.getValue())) {
          found.add(row);
        }
      }
      drawn += REJECTED_AT_A_TIME;
    }
    if (found.size() < count) {
      throw new IllegalStateException(
          String.format(
              "of %d rows drawn, only %d agree with what is given; an autoregressive model draws"
                  + " them directly",
              drawn, found.size()));
    }
    return found.subList(0, count).toArray(int[][]::new);
  }

  /** Rows, and the natural logarithms of their weights. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Weighted(int[][] rows, double[] weights) {
    /** By systematic resampling: one uniform number decides where all picks fall. */
    Drawn pick(int count, long seed) {
      double most = Arrays.stream(weights).max().orElse(0);
      double[] shares = Arrays.stream(weights).map(weight -> Math.exp(weight - most)).toArray();
      double sum = Arrays.stream(shares).sum();
      double squares = Arrays.stream(shares).map(share -> share * share).sum();
      RandomGenerator random = new SplittableRandom(seed);
      double offset = random.nextDouble();
      int[][] picked = new int[count][];
      double passed = 0;
      int next = 0;
      for (int i = 0; i < rows.length && next < count; i++) {
        passed += shares[i] / sum * count;
        while (next < count && offset + next < passed) {
          picked[next++] = rows[i].clone();
        }
      }
      while (next < count) { // rounding may leave the last one out
        picked[next++] = rows[rows.length - 1].clone();
      }
      int[] order = Shuffle.order(count, random); // those of one row were picked side by side
      int[][] mixed = Arrays.stream(order).mapToObj(i -> picked[i]).toArray(int[][]::new);
      return new Drawn(mixed, false, Math.min(count, sum * sum / squares));
    }
  }

  private Weighted weighted(int count, boolean[][] allowed, long seed) {
    Conditionals coding = model.coding();
    Space inOrder = coding.places();
    List<Integer> order = model.base().groups().order().positions();
    long width = (long) inOrder.size() * inOrder.maxCardinality();
    int chunk = (int) Math.max(1, Math.min(4096, CHUNK_ELEMENTS / width));
    int[][] rows = new int[count][];
    double[] weights = new double[count];
    for (int start = 0; start < count; start += chunk) {
      int first = start;
      RandomGenerator[] random = new RandomGenerator[Math.min(chunk, count - start)];
      Arrays.setAll(random, i -> Batches.random(seed, (long) first + i));
      int[][] part =
          coding.choose(
              random.length,
              (row, place, logProbs, at) -> {
                int symbols = inOrder.cardinality(place);
                boolean[] possible = allowed[order.get(place)];
                double mass = mass(logProbs, at, symbols, possible);
                if (possible != null) {
                  weights[first + row] += Math.log(mass);
                }
                return draw(logProbs, at, symbols, possible, mass * random[row].nextDouble());
              });
      System.arraycopy(part, 0, rows, start, part.length);
    }
    return new Weighted(rows, weights);
  }

  private static double mass(double[] logProbs, int at, int symbols, boolean[] possible) {
    double mass = 0;
    for (int k = 0; k < symbols; k++) {
      if (possible == null || possible[k]) {
        mass += Math.exp(logProbs[at + k]);
      }
    }
    return mass;
  }

  private static int draw(
      double[] logProbs, int at, int symbols, boolean[] possible, double threshold) {
    double passed = 0;
    int last = 0;
    for (int k = 0; k < symbols; k++) {
      if (possible == null || possible[k]) {
        passed += Math.exp(logProbs[at + k]);
        last = k;
        if (threshold < passed) {
          return k;
        }
      }
    }
    return last;
  }
}
