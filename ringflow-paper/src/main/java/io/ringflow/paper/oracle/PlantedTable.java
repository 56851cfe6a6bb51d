package io.ringflow.paper.oracle;

import io.ringflow.core.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A made-up table of 50 columns whose distribution is known exactly: something to compare a table
 * model, and its ranking of odd rows, with.
 *
 * <ul>
 *   <li>30 columns form a tree: each is sampled given one other. Under every symbol of that other
 *       it favours one symbol, and otherwise falls as one over the rank.
 *   <li>20 columns are functions of one or two of those: they add nothing.
 *   <li>In one row of a hundred, the odd ones, four of the functions are wrong: another symbol, any
 *       with the same probability.
 * </ul>
 *
 * <p>Cardinalities lie between 2 and 200. A row tells which of its functions are wrong, so that its
 * probability has a closed form, and so has the entropy.
 */
public final class PlantedTable {
  private static final int SAMPLED = 30;
  private static final int FUNCTIONS = 20;
  private static final int WRONG = 4;
  private static final double ODD_SHARE = 0.01;
  private static final double FAVOURED = 0.75;
  private static final int MAX_SYMBOLS = 200;

  /** Combinations that a function of two columns may have: few enough to be all seen. */
  private static final int MAX_COMBINATIONS = 600;

  private final Space space; // the functions come last
  private final int[] parents; // of the sampled columns; the first has none
  private final double[][][] conditionals; // [column][symbol of the parent][symbol]
  private final Function[] functions;

  /** A symbol for each combination of one or two columns. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Function(int first, int second, int secondSymbols, int[] values) {
    int of(int[] row) {
      return values[row[first] * secondSymbols + (second < 0 ? 0 : row[second])];
    }
  }

  /** Rows, and which of them are odd. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Rows(int[][] rows, boolean[] odd) {}

  /** A table with a structure of its own for each seed. */
  public PlantedTable(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int[] cardinalities = new int[SAMPLED + FUNCTIONS];
    Arrays.setAll(cardinalities, i -> logUniform(random));
    cardinalities[1] = 2;
    cardinalities[2] = MAX_SYMBOLS;
    parents = new int[SAMPLED];
    conditionals = new double[SAMPLED][][];
    for (int i = 0; i < SAMPLED; i++) {
      parents[i] = i == 0 ? -1 : random.nextInt(i);
      int condition = i == 0 ? 1 : cardinalities[parents[i]];
      conditionals[i] = new double[condition][];
      for (int g = 0; g < condition; g++) {
        conditionals[i][g] = favouring(random.nextInt(cardinalities[i]), cardinalities[i]);
      }
    }
    functions = new Function[FUNCTIONS];
    for (int f = 0; f < FUNCTIONS; f++) {
      functions[f] = function(cardinalities, cardinalities[SAMPLED + f], random);
    }
    space = Space.of(cardinalities);
  }

  private static int logUniform(RandomGenerator random) {
    return (int) Math.round(2 * Math.pow(MAX_SYMBOLS / 2.0, random.nextDouble()));
  }

  private static double[] favouring(int favoured, int symbols) {
    double[] weights = new double[symbols];
    Arrays.setAll(weights, k -> 1.0 / (k + 1));
    double sum = Arrays.stream(weights).sum();
    Arrays.setAll(weights, k -> (1 - FAVOURED) * weights[k] / sum + (k == favoured ? FAVOURED : 0));
    return weights;
  }

  private static Function function(int[] cardinalities, int symbols, RandomGenerator random) {
    int first = random.nextInt(SAMPLED);
    int second = random.nextInt(SAMPLED);
    boolean both =
        first != second && cardinalities[first] * cardinalities[second] <= MAX_COMBINATIONS;
    int secondSymbols = both ? cardinalities[second] : 1;
    int[] values = random.ints((long) cardinalities[first] * secondSymbols, 0, symbols).toArray();
    return new Function(first, both ? second : -1, secondSymbols, values);
  }

  /** How many symbols each column has. */
  public Space space() {
    return space;
  }

  /** Names for the columns: {@code c01} and so on. */
  public List<String> columns() {
    return IntStream.rangeClosed(1, space.size())
        .mapToObj(column -> String.format("c%02d", column))
        .toList();
  }

  /** Rows as text: {@code v0}, {@code v1} and so on. */
  public static List<List<String>> cells(int[][] rows) {
    return Arrays.stream(rows)
        .map(row -> Arrays.stream(row).mapToObj(symbol -> "v" + symbol).toList())
        .toList();
  }

  /** Samples rows. */
  public Rows sample(int count, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int[][] rows = new int[count][];
    boolean[] odd = new boolean[count];
    for (int n = 0; n < count; n++) {
      odd[n] = random.nextDouble() < ODD_SHARE;
      rows[n] = row(odd[n], random);
    }
    return new Rows(rows, odd);
  }

  private int[] row(boolean odd, RandomGenerator random) {
    int[] row = new int[space.size()];
    for (int i = 0; i < SAMPLED; i++) {
      row[i] = symbol(conditional(i, row), random.nextDouble());
    }
    for (int f = 0; f < FUNCTIONS; f++) {
      row[SAMPLED + f] = functions[f].of(row);
    }
    List<Integer> left = new ArrayList<>(IntStream.range(0, FUNCTIONS).boxed().toList());
    for (int i = 0; odd && i < WRONG; i++) {
      int column = SAMPLED + left.remove(random.nextInt(left.size()));
      int shift = 1 + random.nextInt(space.cardinality(column) - 1);
      row[column] = (row[column] + shift) % space.cardinality(column);
    }
    return row;
  }

  private double[] conditional(int column, int[] row) {
    return conditionals[column][parents[column] < 0 ? 0 : row[parents[column]]];
  }

  private static int symbol(double[] probabilities, double uniform) {
    double left = uniform;
    for (int k = 0; k < probabilities.length - 1; k++) {
      left -= probabilities[k];
      if (left < 0) {
        return k;
      }
    }
    return probabilities.length - 1;
  }

  /** The exact log-probability of a row, in nats; minus infinity for one that can't occur. */
  public double logProb(int[] row) {
    double sum = 0;
    for (int i = 0; i < SAMPLED; i++) {
      sum += Math.log(conditional(i, row)[row[i]]);
    }
    int wrong = 0;
    double choices = Math.log(subsets());
    for (int f = 0; f < FUNCTIONS; f++) {
      if (functions[f].of(row) != row[SAMPLED + f]) {
        wrong++;
        choices += Math.log(space.cardinality(SAMPLED + f) - 1.0);
      }
    }
    if (wrong == 0) {
      return sum + Math.log(1 - ODD_SHARE);
    }
    return wrong == WRONG ? sum + Math.log(ODD_SHARE) - choices : Double.NEGATIVE_INFINITY;
  }

  /** The exact entropy of a row, in nats: what no model can be below on average. */
  public double entropy() {
    double sum = Entropy.of(new double[] {ODD_SHARE, 1 - ODD_SHARE});
    double[][] marginals = new double[SAMPLED][];
    for (int i = 0; i < SAMPLED; i++) {
      double[] condition = i == 0 ? new double[] {1} : marginals[parents[i]];
      marginals[i] = new double[space.cardinality(i)];
      for (int g = 0; g < condition.length; g++) {
        sum += condition[g] * Entropy.of(conditionals[i][g]);
        for (int k = 0; k < marginals[i].length; k++) {
          marginals[i][k] += condition[g] * conditionals[i][g][k];
        }
      }
    }
    double wrongSymbols =
        IntStream.range(SAMPLED, SAMPLED + FUNCTIONS)
            .mapToDouble(column -> Math.log(space.cardinality(column) - 1.0))
            .average()
            .orElseThrow();
    return sum + ODD_SHARE * (Math.log(subsets()) + WRONG * wrongSymbols);
  }

  /** In how many ways the wrong functions can be chosen. */
  private static double subsets() {
    return IntStream.range(0, WRONG)
        .mapToDouble(i -> (FUNCTIONS - i) / (i + 1.0))
        .reduce(1, (a, b) -> a * b);
  }
}
