package io.ringflow.table;

import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.fit.ConditionalSampler;
import io.ringflow.internal.fit.Places;
import io.ringflow.model.FittedModel;
import io.ringflow.model.FlowModel;
import io.ringflow.model.Metrics;
import io.ringflow.train.FitOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An exact model of a table's rows.
 *
 * <p>A row's log-likelihood is the logarithm of its probability among all rows that the columns'
 * values allow; a number counts as its bin. Values that training never saw have probability zero.
 *
 * <p>Safe from several threads at once; closing waits for calls in progress.
 */
public final class TableModel implements FittedModel {
  private final FlowModel flow;
  private final TableCodec codec;
  private final Places places;

  /** A flow over the codec's symbols, which is now this model's. */
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
    this.places = new Places(flow.architecture());
  }

  /** See {@link io.ringflow.RingFlow#train(DataTable, TableCodec, FitOptions)}. */
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

  /** What it learned; null if that is not known. */
  public Metrics metrics() {
    return Metrics.of(flow);
  }

  /**
   * Natural log-likelihood of each row; minus infinity where a value was never seen.
   *
   * @throws IllegalArgumentException if the table has other columns
   */
  public double[] score(DataTable table) {
    EncodedTable encoded = codec.encode(table);
    double[] nats = flow.logProb(encoded.symbols());
    for (int row = 0; row < nats.length; row++) {
      nats[row] =
          encoded.unseen(row).isEmpty()
              ? nats[row] + encoded.extraNats()[row]
              : Double.NEGATIVE_INFINITY;
    }
    return nats;
  }

  /**
   * One row's log-likelihood, taken apart.
   *
   * @param logLikelihood natural; minus infinity where a value was never seen
   * @param unseen names of columns with values never seen
   * @param parts what each column adds, given the columns drawn before it, the least likely first;
   *     those with unseen values are left out of them
   */
  public record Explanation(double logLikelihood, List<String> unseen, List<Part> parts) {}

  /**
   * What some columns, drawn together, add to a row's log-likelihood.
   *
   * @param columns their names
   * @param nats given the columns drawn before
   */
  public record Part(List<String> columns, double nats) {}

  /**
   * Log-likelihoods, column by column: which of them make a row so unlikely. Where layers move
   * symbols, a column's part is that of what they made of it.
   */
  public List<Explanation> explain(DataTable table) {
    EncodedTable encoded = codec.encode(table);
    Conditionals coding = flow.coding();
    List<Integer> order = flow.base().groups().order().positions();
    List<List<Part>> parts = new ArrayList<>();
    double[] sums = encoded.extraNats().clone();
    for (int row = 0; row < sums.length; row++) {
      parts.add(new ArrayList<>());
    }
    coding.visit(
        encoded.symbols(),
        (row, place, symbol, logProbs, from) -> {
          double nats = logProbs[from + symbol];
          sums[row] += nats;
          List<Integer> columns = places.columns(order.get(place));
          // Constant columns have nothing to say.
          if (!columns.isEmpty() && columns.stream().noneMatch(encoded.unseen(row)::contains)) {
            parts.get(row).add(new Part(names(columns), nats));
          }
        });
    List<Explanation> result = new ArrayList<>();
    for (int row = 0; row < sums.length; row++) {
      List<Integer> unseen = encoded.unseen(row);
      parts.get(row).sort(Comparator.comparingDouble(Part::nats));
      result.add(
          new Explanation(
              unseen.isEmpty() ? sums[row] : Double.NEGATIVE_INFINITY,
              names(unseen),
              List.copyOf(parts.get(row))));
    }
    return result;
  }

  private List<String> names(List<Integer> columns) {
    return columns.stream().map(column -> codec.columns().get(column).name()).toList();
  }

  /**
   * Rows drawn from a model.
   *
   * @param rows as a table
   * @param exact whether each is an independent draw; else they were picked by weight
   * @param effective how many independent draws they are worth
   */
  public record Draw(DataTable rows, boolean exact, double effective) {}

  /** Draws rows. The same seed draws the same rows. */
  public Draw sample(int count, long seed) {
    return sample(count, Map.of(), seed);
  }

  /**
   * Draws rows that have chosen values in some columns: exactly where those are drawn first, or
   * where layers move symbols (by drawing until enough rows agree); otherwise by importance
   * resampling, of which {@link Draw#effective} says how good it is.
   *
   * @param given values by the names of columns; a number stands for its bin
   * @throws IllegalArgumentException if there is no such column or value
   * @throws IllegalStateException if too few rows agree
   */
  public Draw sample(int count, Map<String, String> given, long seed) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    Map<Integer, Integer> symbols = new LinkedHashMap<>();
    given.forEach(
        (name, value) -> {
          int column = codec.position(name);
          symbols.put(column, codec.symbolOf(column, value));
        });
    ConditionalSampler.Drawn drawn =
        new ConditionalSampler(flow, places).draw(count, symbols, seed);
    DataTable rows = with(given, codec.decode(drawn.rows(), seed));
    return new Draw(rows, drawn.exact(), drawn.effective());
  }

  /** The codec may have drawn another number of the same bin, or another rare value. */
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
