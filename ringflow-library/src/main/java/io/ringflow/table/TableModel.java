package io.ringflow.table;

import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.checks.Quotes;
import io.ringflow.internal.fit.ConditionalSampler;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * An exact model of a table's rows.
 *
 * <p>A row's log-likelihood is the logarithm of its probability among all rows that the columns'
 * values allow; a number counts as its bin. Values that training never saw have a small probability
 * that was {@linkplain NewValues#RESERVED reserved for them}, or none.
 *
 * <p>Safe from several threads at once; closing waits for calls in progress.
 */
public final class TableModel implements FittedModel {
  private static final int[][] NONE = {};

  private final FlowModel flow;
  private final TableCodec codec;
  private final ConditionQueries queries;

  /**
   * A model of a flow over the codec's symbols, which it closes.
   *
   * @throws IllegalArgumentException if flow and codec do not fit
   */
  public TableModel(FlowModel flow, TableCodec codec) {
    if (!flow.architecture().space().equals(codec.space())) {
      throw new IllegalArgumentException(
          "the columns are of "
              + codec.space()
              + ", but the model of "
              + flow.architecture().space());
    }
    this.flow = flow;
    this.codec = codec;
    this.queries = new ConditionQueries(flow, codec);
  }

  /**
   * Trains a model of a table whose cells become symbols in a way of one's own.
   *
   * @throws IllegalArgumentException if the table is too small, or not one of the codec's
   * @throws IOException if a checkpoint can't be read or written
   * @throws java.util.concurrent.CancellationException if the thread is interrupted; a checkpoint
   *     is there where there was to be one
   */
  public static TableModel train(DataTable table, TableCodec codec, FitOptions options)
      throws IOException {
    return TableRecipe.train(table, codec, options);
  }

  @Override
  public FlowModel flow() {
    return flow;
  }

  @Override
  public TableCodec codec() {
    return codec;
  }

  /**
   * Natural log-likelihood of each row, new values {@linkplain NewValues#RESERVED included}.
   *
   * @throws IllegalArgumentException if the table has other columns
   */
  public double[] score(DataTable table) {
    return score(table, NewValues.RESERVED);
  }

  /**
   * Natural log-likelihood of each row.
   *
   * @throws IllegalArgumentException if the table has other columns
   */
  public double[] score(DataTable table, NewValues newValues) {
    return score(codec.encode(table), newValues, ProgressListener.IGNORED);
  }

  /**
   * Natural log-likelihood of each row, with numbers in bins or to their last digit.
   *
   * @throws IllegalArgumentException if the table has other columns
   */
  public double[] score(DataTable table, NewValues newValues, NumberDetail numbers) {
    double[] nats = score(table, newValues);
    if (numbers == NumberDetail.LAST_DIGIT) {
      double[] digits = codec.logProbGivenBins(table, newValues);
      Arrays.setAll(nats, row -> nats[row] + digits[row]);
    }
    return nats;
  }

  /**
   * Natural log-likelihood of each row of an encoded table, for long work: it reports progress in
   * rows and ends when the thread is interrupted.
   *
   * <p>Where new values are reserved a probability for, one is as likely as the column's counts
   * say, times the probability of the rest of the row: with a rare value or the nearest number in
   * its place; and where neither is there, of the rest alone, its place summed out; as are missing
   * values of models that {@linkplain MissingValues#SUMMED_OUT sum them out}. That is exact up to
   * 1,024 combinations of values in such places, and else estimated by progressive sampling.
   *
   * @throws IllegalStateException if layers move symbols, and there are more than 65,536
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public double[] score(TableCodec.Encoded rows, NewValues newValues, ProgressListener progress) {
    double[] nats = flow.logProb(rows.symbols(), NONE, Precision.FLOAT64, progress);
    boolean reserved = newValues == NewValues.RESERVED;
    for (int row = 0; row < nats.length; row++) {
      nats[row] += rows.logProbGivenSymbols()[row] + (reserved ? rows.logReserved()[row] : 0);
      if (!reserved && !rows.unseen(row).isEmpty()) {
        nats[row] = Double.NEGATIVE_INFINITY;
      }
    }
    int[] open = IntStream.range(0, nats.length).filter(i -> isOpen(rows, i, reserved)).toArray();
    if (open.length > 0) {
      queries
          .completions(rows)
          .visit(
              open,
              ProgressListener.IGNORED.untilInterrupted(),
              (row, found) ->
                  nats[row] =
                      found.logKnown()
                          + rows.logProbGivenSymbols()[row]
                          + (reserved ? rows.logReserved()[row] : 0));
    }
    return nats;
  }

  private static boolean isOpen(TableCodec.Encoded rows, int row, boolean reserved) {
    return !rows.open(row).isEmpty() && (reserved || rows.unseen(row).isEmpty());
  }

  /**
   * The probability that a row satisfies a condition: to one percent, or exactly.
   *
   * @throws IllegalArgumentException if there is no such column or value; the message suggests some
   */
  public Probability probability(Condition condition) {
    return probability(condition, Condition.ALWAYS, ProbabilityOptions.DEFAULTS);
  }

  /**
   * The probability that a row satisfies a condition, among those that satisfy another.
   *
   * <p>It is exact where the sum is short: over the values that the conditions leave of columns up
   * to the last they name, in the order of sampling; so it is for conditions on the first columns.
   * Otherwise rows are sampled column by column, each among the values that are left and tilted
   * towards those that make later conditions likely; the probability is the mean of the weights
   * that undo this, unbiased for any given number of samples. Where layers move symbols, it is the
   * share of samples that satisfy the condition.
   *
   * <p>A rare value counts for its share among the rare ones. Numbers count as they are sampled: of
   * a bin that is partly in a range, the share of {@linkplain TableCodec#decode its numbers} there.
   *
   * @param given {@link Condition#ALWAYS} for none
   * @throws IllegalArgumentException if there is no such column or value; the message suggests some
   * @throws IllegalStateException if what is given has probability zero, or none of the samples
   *     satisfies it; or if only an exact sum is wanted, and it is too long
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public Probability probability(Condition condition, Condition given, ProbabilityOptions options) {
    return queries.probability(condition, given, options);
  }

  /** {@link #predict(DataTable, String, CompletionOptions, ProgressListener)} by default. */
  public Predictions predict(DataTable table, String column, ProgressListener progress) {
    return predict(table, column, CompletionOptions.DEFAULTS, progress);
  }

  /**
   * What the model says of one column given what is known of the others, for each row of a table.
   * What the table has in that column is not looked at.
   *
   * <p>The table may lack columns: these are summed out, and so are blank cells of columns where
   * training had no missing values, and new values that no symbol stands for. That is exact up to
   * 1,024 combinations of values, and else estimated by progressive sampling.
   *
   * @param options samples of a row that is not exact, and their seed
   * @param progress in rows
   * @throws IllegalArgumentException if there is no such column, the table has columns that
   *     training had not, or the heap can't hold as many probabilities as rows times values
   * @throws IllegalStateException if layers move symbols, and there are more than 65,536
   *     combinations
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public Predictions predict(
      DataTable table, String column, CompletionOptions options, ProgressListener progress) {
    int position = codec.position(column);
    TableColumn predicted = codec.columns().get(position);
    var cells = MissingCells.toPredict(codec, table, position);
    return Predictions.of(
        predicted,
        position,
        cells,
        queries.each(position),
        queries.completions(
            cells, options.samplesPerRow(), options.seed(), RowCompletions.MAX_LISTED),
        progress.untilInterrupted());
  }

  /**
   * Fills the missing cells of each row together: with the most likely values given the others.
   *
   * @throws IllegalArgumentException if the table has other columns
   */
  public DataTable complete(DataTable table) {
    return complete(table, CompletionOptions.DEFAULTS, ProgressListener.IGNORED).tables().get(0);
  }

  /**
   * Fills the missing cells of each row together, with the most likely values given the others or
   * with samples, and says how likely they are.
   *
   * <p>A cell is missing where it is blank or stood for a missing value in training, also in
   * columns where training had none. It is filled with a value, even if a missing one would be
   * likelier: a number with the middle one of its bin or a sample of it. Other cells stay; one with
   * a value that training never saw counts as rare, or says nothing where nothing was rare.
   *
   * <p>Exact where a row has at most 1,024 completions. Others are looked at by progressive
   * sampling: the most likely values are the best of the samples, and draws are picked in
   * proportion to their weights.
   *
   * @param progress in rows
   * @throws IllegalArgumentException if the table has other columns
   * @throws IllegalStateException if layers move symbols, and a row has more than 65,536
   *     completions
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public Completions complete(
      DataTable table, CompletionOptions options, ProgressListener progress) {
    var cells = new MissingCells(codec, table);
    return new Completer(codec, table, cells, options)
        .complete(
            queries.completions(
                cells, options.samplesPerRow(), options.seed(), RowCompletions.MAX_LISTED),
            progress.untilInterrupted());
  }

  /**
   * One row's log-likelihood, taken apart.
   *
   * @param logLikelihood natural, as {@link #score(DataTable)} has it
   * @param unseen names of columns with values never seen
   * @param parts what each column adds, given the columns sampled before it, the least likely
   *     first; those with unseen values are left out of them
   */
  public record Explanation(double logLikelihood, List<String> unseen, List<Part> parts) {}

  /**
   * What some columns, sampled together, add to a row's log-likelihood.
   *
   * @param columns their names
   * @param nats given the columns sampled before
   */
  public record Part(List<String> columns, double nats) {}

  /**
   * Log-likelihoods, column by column: which of them make a row so unlikely. Where layers move
   * symbols, a column's part is that of what they made of it. Missing values that are summed out
   * have no part, and others' parts are given the likeliest in their places.
   */
  public List<Explanation> explain(DataTable table) {
    TableCodec.Encoded rows = codec.encode(table);
    double[] scores = score(rows, NewValues.RESERVED, ProgressListener.IGNORED);
    return new RowExplanations(flow, codec).of(queries.filled(rows), scores);
  }

  /**
   * Rows sampled from a model.
   *
   * @param rows as a table
   * @param exact whether each is an independent sample; otherwise they were picked by weight
   * @param effective how many independent samples they are worth
   */
  public record Sample(DataTable rows, boolean exact, double effective) {}

  /** Samples rows. The same seed gives the same rows. */
  public Sample sample(int count, long seed) {
    return sample(count, Map.of(), seed);
  }

  /**
   * Samples rows that have chosen values in some columns.
   *
   * @param given values by the names of columns; a number stands for its bin
   * @throws IllegalArgumentException if there is no such column or value
   * @throws IllegalStateException if layers move symbols, and too few rows agree
   */
  public Sample sample(int count, Map<String, String> given, long seed) {
    return sampled(
        count, given, Condition.ALWAYS, seed, SamplingOptions.DEFAULTS, ProgressListener.IGNORED);
  }

  /**
   * Samples rows that satisfy a condition.
   *
   * @throws IllegalArgumentException if there is no such column or value
   * @throws IllegalStateException if no row satisfies the condition; or if layers move symbols, and
   *     too few rows do
   */
  public Sample sample(int count, Condition where, long seed) {
    return sampled(
        count, Map.of(), where, seed, SamplingOptions.DEFAULTS, ProgressListener.IGNORED);
  }

  /**
   * Samples rows that have chosen values in some columns and satisfy a condition, in a {@linkplain
   * FlowModel#sample(int, long, Precision) chosen precision}, at a {@linkplain SamplingOptions
   * chosen temperature} and for long work. The temperature is that of symbols: which number of a
   * bin or which rare value a symbol becomes does not depend on it.
   *
   * <p>Exact where the columns named are sampled before all others, or together with few values of
   * those before them; and where layers move symbols, by sampling until enough rows agree.
   * Otherwise by importance resampling, of which {@link Sample#effective} says how good it is.
   *
   * @param given values by the names of columns, or none; a number stands for its bin, a rare value
   *     for all of its column
   * @param where {@link Condition#ALWAYS} for none; not of columns that are given
   * @param progress in rows
   * @throws IllegalArgumentException if there is no such column or value, or the device can't
   *     compute in that precision
   * @throws IllegalStateException if no row agrees; or if layers move symbols, and too few do
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public Sample sample(
      int count,
      Map<String, String> given,
      Condition where,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    return sampled(count, given, where, seed, options, progress.untilInterrupted());
  }

  private Sample sampled(
      int count,
      Map<String, String> given,
      Condition where,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    BoundCondition condition = BoundCondition.of(where, codec);
    if (condition.isImpossible()) {
      throw new IllegalStateException("no row satisfies the condition: its probability is 0");
    }
    Map<Integer, double[]> shares = new LinkedHashMap<>(condition.shares());
    given.forEach(
        (name, value) -> {
          int column = codec.position(name);
          double[] only = new double[codec.columns().get(column).cardinality()];
          only[codec.symbolOf(column, value)] = 1;
          if (shares.put(column, only) != null) {
            throw new IllegalArgumentException(
                "column " + Quotes.quoted(name) + " is both given and in the condition");
          }
        });
    ConditionalSampler.Sampled sampled = queries.sample(count, shares, seed, options, progress);
    DataTable rows = with(given, condition.decode(sampled.rows(), seed));
    return new Sample(rows, sampled.exact(), sampled.effective());
  }

  /** The codec may have sampled another number of the same bin, or another rare value. */
  private static DataTable with(Map<String, String> given, DataTable rows) {
    if (given.isEmpty()) {
      return rows;
    }
    List<List<String>> cells = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      List<String> changed = new ArrayList<>(rows.row(row));
      given.forEach((column, value) -> changed.set(rows.columns().indexOf(column), value));
      cells.add(changed);
    }
    return DataTable.of(rows.columns(), cells);
  }
}
