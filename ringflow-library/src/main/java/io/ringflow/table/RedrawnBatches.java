package io.ringflow.table;

import io.ringflow.core.Precision;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.model.FlowModel;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Batches of rows whose missing symbols are redrawn, whenever a row is learned from, from what the
 * model now says of them given the others: maximum likelihood of what was observed.
 *
 * <p>By Fisher's identity, the gradient of the log-likelihood of what is observed of a row is that
 * of the whole row's, on average over what is missing given the rest. Missing symbols are a Markov
 * chain that has this distribution: some of them at a time are proposed by a {@link ProposalTree}
 * and accepted by Metropolis and Hastings' rule, which takes the probabilities of whole rows alone.
 * The model moves slowly, so that the chain need not begin anew (stochastic approximation of
 * expectation maximisation; Kuhn and Lavielle 2004).
 *
 * <p>A batch follows from the step, the weights and the {@linkplain #state() missing symbols}: so
 * batches must be asked for in order, once each.
 */
final class RedrawnBatches implements Batches {
  /**
   * Of the missing symbols of a row, one time after the other: the fewer, the more are accepted.
   */
  private static final double[] SHARES = {1, 0.5, 0.25};

  private static final int AT_A_TIME = 4096;

  private static final int[][] NONE = {};

  private final int[][] rows;
  private final int[][] missing; // places of each row
  private final ProposalTree tree;
  private final Batches order; // of indexes
  private final long seed;
  private final ProcessGroup group;
  private final String description;
  private FlowModel model;
  private long proposed;
  private long accepted;

  /**
   * Fills the missing symbols for a start.
   *
   * @param observed -1 where a symbol is missing
   */
  RedrawnBatches(
      int[][] observed, ProposalTree tree, int batchSize, long seed, ProcessGroup group) {
    this.tree = tree;
    this.seed = seed;
    this.group = group;
    rows = new int[observed.length][];
    missing = new int[observed.length][];
    long cells = 0;
    RandomGenerator random = Batches.random(seed, -1);
    for (int row = 0; row < rows.length; row++) {
      int[] own = observed[row].clone();
      missing[row] = IntStream.range(0, own.length).filter(d -> own[d] < 0).toArray();
      if (missing[row].length > 0) {
        tree.sample(own, places(missing[row]), random);
      }
      cells += missing[row].length;
      rows[row] = own;
    }
    int[][] indexes =
        IntStream.range(0, rows.length).mapToObj(i -> new int[] {i}).toArray(int[][]::new);
    order = Batches.shuffled(indexes, batchSize, seed);
    description =
        cells
            + " missing cells redrawn; "
            + Batches.shuffled(observed, batchSize, seed).description();
  }

  private static List<Integer> places(int[] missing) {
    return Arrays.stream(missing).boxed().toList();
  }

  /** Says whose batches these are, before the first is asked for. */
  void use(FlowModel trained) {
    model = trained;
  }

  /**
   * Redraws all missing symbols, before the first batch is asked for.
   *
   * @param round from 1
   */
  void redrawAll(int round) {
    for (int from = 0; from < rows.length; from += AT_A_TIME) {
      int to = Math.min(rows.length, from + AT_A_TIME);
      int[] which = IntStream.range(from, to).filter(row -> missing[row].length > 0).toArray();
      redraw(which, -(round * (long) rows.length + from));
    }
  }

  /** The rows as they are filled now; borrowed. */
  int[][] rows() {
    return rows;
  }

  /** The share of proposals that were accepted so far, 0 to 1; NaN before the first. */
  double acceptedShare() {
    return accepted / (double) proposed;
  }

  @Override
  public Batch batch(long step) {
    int[] which = Arrays.stream(order.batch(step).rows()).mapToInt(row -> row[0]).toArray();
    // A batch may straddle two epochs, and have a row twice.
    redraw(Arrays.stream(which).filter(row -> missing[row].length > 0).distinct().toArray(), step);
    return Batch.of(Arrays.stream(which).mapToObj(row -> rows[row].clone()).toArray(int[][]::new));
  }

  private void redraw(int[] which, long step) {
    if (which.length == 0) {
      return;
    }
    int[][] now = Arrays.stream(which).mapToObj(row -> rows[row]).toArray(int[][]::new);
    double[] logWeights = null;
    for (int turn = 0; turn < SHARES.length; turn++) {
      RandomGenerator random = Batches.random(seed + 1, step * SHARES.length + turn);
      int[][] other = new int[which.length][];
      for (int i = 0; i < which.length; i++) {
        other[i] = now[i].clone();
        tree.sample(other[i], some(missing[which[i]], SHARES[turn], random), random);
      }
      double[] theirs;
      if (turn == 0) {
        int[][] both = Arrays.copyOf(now, 2 * now.length);
        System.arraycopy(other, 0, both, now.length, now.length);
        double[] all = logWeights(both);
        logWeights = Arrays.copyOf(all, now.length);
        theirs = Arrays.copyOfRange(all, now.length, all.length);
      } else {
        theirs = logWeights(other);
      }
      for (int i = 0; i < which.length; i++) {
        proposed++;
        if (Math.log(random.nextDouble()) < theirs[i] - logWeights[i]) {
          accepted++;
          now[i] = other[i];
          logWeights[i] = theirs[i];
        }
      }
    }
    for (int i = 0; i < which.length; i++) {
      rows[which[i]] = now[i];
    }
  }

  /** A share of the places, at least one. */
  private static List<Integer> some(int[] places, double share, RandomGenerator random) {
    List<Integer> some = new ArrayList<>();
    for (int place : places) {
      if (share == 1 || random.nextDouble() < share) {
        some.add(place);
      }
    }
    if (some.isEmpty()) {
      some.add(places[random.nextInt(places.length)]);
    }
    return some;
  }

  /** How much likelier rows are to the model than to the tree. */
  private double[] logWeights(int[][] of) {
    double[] nats =
        group.sharded(
            of.length,
            (from, to) -> model.logProb(Arrays.copyOfRange(of, from, to), NONE, Precision.FLOAT32));
    Arrays.setAll(nats, i -> nats[i] - tree.logProb(of[i]));
    return nats;
  }

  /** The missing symbols. */
  @Override
  public byte[] state() {
    ByteBuffer bytes =
        ByteBuffer.allocate(
            Integer.BYTES * Arrays.stream(missing).mapToInt(own -> own.length).sum());
    for (int row = 0; row < rows.length; row++) {
      for (int place : missing[row]) {
        bytes.putInt(rows[row][place]);
      }
    }
    return bytes.array();
  }

  @Override
  public void restore(byte[] state) {
    ByteBuffer bytes = ByteBuffer.wrap(state);
    for (int row = 0; row < rows.length; row++) {
      for (int place : missing[row]) {
        rows[row][place] = bytes.getInt();
      }
    }
  }

  @Override
  public String description() {
    return description;
  }
}
