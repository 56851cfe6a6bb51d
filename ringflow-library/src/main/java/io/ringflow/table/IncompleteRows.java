package io.ringflow.table;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.WeightedRows;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
import io.ringflow.train.Batches;
import io.ringflow.train.FitOptions;
import io.ringflow.train.WarmStart;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Rows some of whose symbols are missing and summed out: {@link RedrawnBatches} to learn from, an
 * {@link ObservedLoss} to stop by, and in the end the log-likelihood of what is observed of some
 * held-out rows, by what the model itself says of the rest.
 */
final class IncompleteRows extends LearnedRows {
  /** Rows that the model is measured on: each may take many samples. */
  private static final int MAX_MEASURED = 1000;

  private static final int SAMPLES = 32;

  /** How often rows are counted anew before training, and how many in all. */
  private static final int MAX_ROUNDS = 10;

  private static final int MAX_COUNTED = 20_000;
  private static final int PATIENCE = 2;

  /** With more rows, those without missing cells say enough of what depends on what. */
  private static final int MAX_DRAFTED = 10_000;

  private static final int[][] NONE = {};

  private final TableCodec codec;
  private final TableCodec.Encoded rows;
  private final FitOptions options;
  private final int[][] observed; // of training
  private final int[] heldOut; // those that are measured
  private final RedrawnBatches batches;
  private final ObservedLoss loss;

  IncompleteRows(
      TableCodec codec, TableCodec.Encoded rows, TrainingSplit split, FitOptions options) {
    this.codec = codec;
    this.rows = rows;
    this.options = options;
    int[][] all = rows.observed();
    observed = TrainingSplit.select(all, split.training());
    heldOut = Arrays.copyOf(split.heldOut(), Math.min(MAX_MEASURED, split.heldOut().length));
    var tree = new ProposalTree(codec.space(), observed);
    batches =
        new RedrawnBatches(
            observed, tree, batchSize(observed.length), options.seed(), options.group());
    loss = new ObservedLoss(TrainingSplit.select(all, split.heldOut()), tree, options.seed());
  }

  @Override
  int[][] train() {
    return batches.rows();
  }

  @Override
  int[][] observed() {
    return observed;
  }

  @Override
  Batches batches() {
    return batches;
  }

  @Override
  boolean isDrafted() {
    return observed.length <= MAX_DRAFTED && codec.space().maxCardinality() > 1;
  }

  @Override
  int[][] validation() {
    return loss.rows();
  }

  @Override
  double validationLoss(double[] logProbs) {
    return loss.of(logProbs);
  }

  /**
   * Counts rows, has missing symbols redrawn by what was counted, and so on, as long as held-out
   * rows become likelier: counts would soon believe in themselves (expectation maximisation).
   */
  @Override
  void start(FlowModel model) {
    batches.use(model);
    List<WeightedRows> best = List.of(WeightedRows.once(train().clone(), NONE));
    WarmStart.fitBase(model, best);
    double bestLoss = loss(model);
    Deque<int[][]> last = new ArrayDeque<>();
    int rounds = Math.max(1, Math.min(MAX_ROUNDS, MAX_COUNTED / observed.length));
    for (int round = 1, since = 0; round <= rounds && since < PATIENCE; round++) {
      batches.redrawAll(round);
      last.add(train().clone());
      while (last.size() > (round + 1) / 2) {
        last.remove(); // the first rounds still know of the start
      }
      double[] shares = new double[observed.length];
      Arrays.fill(shares, 1.0 / last.size());
      List<WeightedRows> counted =
          last.stream().map(rows -> WeightedRows.of(rows, shares)).toList();
      WarmStart.fitBase(model, counted);
      double newLoss = loss(model);
      since = newLoss < bestLoss ? 0 : since + 1;
      if (newLoss < bestLoss) {
        bestLoss = newLoss;
        best = counted;
      }
    }
    WarmStart.fitBase(model, best);
  }

  private double loss(FlowModel model) {
    int[][] asked = loss.rows();
    return loss.of(
        options
            .group()
            .sharded(
                asked.length,
                (from, to) ->
                    model.logProb(Arrays.copyOfRange(asked, from, to), NONE, Precision.FLOAT32)));
  }

  @Override
  Metrics metrics(FlowModel model, double deflated) {
    double[] nats = new double[1];
    int[] estimated = new int[1];
    new ConditionQueries(model, codec)
        .completions(
            new MissingCells(codec, rows), SAMPLES, options.seed(), RowCompletions.MAX_LISTED)
        .visit(
            heldOut,
            ProgressListener.IGNORED.untilInterrupted(),
            (row, found) -> {
              nats[0] += found.logKnown() / heldOut.length;
              estimated[0] += found.exact() ? 0 : 1;
            });
    int[][] measured = TrainingSplit.select(rows.observed(), heldOut);
    double factorised = Marginals.of(codec.space(), observed).meanLogProb(measured);
    double extra = extra(rows, heldOut);
    return new Metrics(
        "nats per row",
        String.format(
            "observed cells of %d rows%s", heldOut.length, estimated[0] > 0 ? ", estimated" : ""),
        -nats[0] - extra,
        -factorised - extra,
        raw(measured) - extra,
        deflated);
  }

  private double raw(int[][] measured) {
    double sum = 0;
    for (int[] row : measured) {
      for (int d = 0; d < row.length; d++) {
        sum += row[d] < 0 ? 0 : Math.log(codec.space().cardinality(d));
      }
    }
    return sum / measured.length;
  }
}
