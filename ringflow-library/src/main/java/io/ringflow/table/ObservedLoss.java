package io.ringflow.table;

import io.ringflow.train.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What a model has learned of rows with missing symbols, often and fast: the mean log-likelihood of
 * what is observed of them, by importance sampling from a {@link ProposalTree}. The same samples
 * every time, so that models can be compared.
 *
 * <p>Rows of which the least is missing come first, and no more than can be looked at quickly:
 * their estimates are the best. The estimate is low by what the samples miss, so it says when to
 * stop, and not what a model is worth.
 */
final class ObservedLoss {
  private static final int SAMPLES = 16;
  private static final int MAX_LOOKED_AT = 1 << 13;

  private final int[][] candidates;
  private final double[] logProposed; // of each candidate given what is observed
  private final int[] starts; // of each row's candidates, and the end

  /**
   * Samples candidates.
   *
   * @param observed -1 where a symbol is missing; at least one row
   */
  ObservedLoss(int[][] observed, ProposalTree tree, long seed) {
    int[][] rows = observed.clone();
    Arrays.sort(rows, Comparator.comparingInt(row -> missing(row).size()));
    RandomGenerator random = Batches.random(seed, -2);
    List<int[]> all = new ArrayList<>();
    List<Double> nats = new ArrayList<>();
    List<Integer> from = new ArrayList<>(List.of(0));
    for (int[] row : rows) {
      List<Integer> missing = missing(row);
      for (int i = 0; i < (missing.isEmpty() ? 1 : SAMPLES); i++) {
        int[] candidate = row.clone();
        nats.add(tree.sample(candidate, missing, random));
        all.add(candidate);
      }
      from.add(all.size());
      if (all.size() >= MAX_LOOKED_AT) {
        break;
      }
    }
    candidates = all.toArray(int[][]::new);
    logProposed = nats.stream().mapToDouble(d -> d).toArray();
    starts = from.stream().mapToInt(i -> i).toArray();
  }

  private static List<Integer> missing(int[] row) {
    return IntStream.range(0, row.length).filter(d -> row[d] < 0).boxed().toList();
  }

  /** The rows that a model is asked for. */
  int[][] rows() {
    return candidates;
  }

  /** The loss, in nats a row, of what a model says of {@link #rows}. */
  double of(double[] logProbs) {
    double sum = 0;
    for (int i = 0; i + 1 < starts.length; i++) {
      double[] own = new double[starts[i + 1] - starts[i]];
      for (int j = 0; j < own.length; j++) {
        own[j] = logProbs[starts[i] + j] - logProposed[starts[i] + j];
      }
      sum += RowCompletions.logSum(own) - Math.log(own.length);
    }
    return -sum / (starts.length - 1);
  }
}
