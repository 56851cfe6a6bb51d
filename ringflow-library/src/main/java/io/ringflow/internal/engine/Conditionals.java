package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.graph.Computation;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;

/**
 * The base symbols of an unconditional model one by one, each with the probabilities of all symbols
 * that could be there instead: for entropy coders and explanations.
 *
 * <p>{@link #visit} knows the rows and takes one parallel pass; {@link #choose} makes them, group
 * after group, {@link #chooseFirst} only their first groups. The first two compute in float64, and
 * their probabilities agree up to rounding. A symbol's <i>turn</i> is the number of positions of
 * its row that are sampled before it.
 *
 * <p>Safe from several threads at once, as the model is.
 */
public final class Conditionals {
  /** Sees the symbols of rows, in no particular order. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Sees a symbol.
     *
     * @param row of the symbol
     * @param turn of the symbol in its row
     * @param symbol that is there
     * @param logProbs natural log-probabilities of many turns
     * @param from where those of this turn begin
     */
    void symbol(int row, int turn, int symbol, double[] logProbs, int from);
  }

  /** Says which symbols rows have: group after group, in each row after row, turn after turn. */
  @FunctionalInterface
  public interface Chooser {
    /**
     * Chooses a symbol.
     *
     * @param row of the symbol
     * @param turn of the symbol in its row
     * @param logProbs natural log-probabilities of many turns
     * @param from where those of this turn begin
     * @return one of the turn's symbols
     */
    int symbol(int row, int turn, double[] logProbs, int from);
  }

  private final Engine engine;
  private final Space inOrder;
  private final int[] positions;

  /**
   * The conditionals of a model.
   *
   * @throws IllegalStateException if the model is conditional
   */
  public Conditionals(Engine engine) {
    if (engine.condition().size() > 0) {
      throw new IllegalStateException("a conditional model can't be coded with");
    }
    this.engine = engine;
    List<Integer> order = engine.base().groups().order().positions();
    this.inOrder = engine.layers().baseSpace().select(order);
    this.positions = order.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Whether they are computed on a GPU. */
  public boolean onGpu() {
    return engine.weights().device() == Device.CUDA;
  }

  /** The space of the model's rows. */
  public Space rows() {
    return engine.layers().dataSpace();
  }

  /** The base's space, in the order of sampling. */
  public Space turns() {
    return inOrder;
  }

  /** The base position of a turn. */
  public int position(int turn) {
    return positions[turn];
  }

  /** Where each group begins in the order of sampling, and the number of turns at the end. */
  public int[] groupStarts() {
    return engine.base().groups().starts();
  }

  /**
   * Shows the base symbols of rows.
   *
   * @throws IllegalArgumentException if a row is not one of the model's
   */
  public void visit(int[][] rows, Visitor visitor) {
    engine.check(rows, Engine.UNCONDITIONAL);
    engine.inChunks(
        Way.PARALLEL,
        rows.length,
        Engine.UNCONDITIONAL,
        Precision.FLOAT64,
        chunk ->
            chunk.evaluate(
                "visit",
                List.of(chunk.ids(rows, rows())),
                (inputs, context, stops) -> {
                  Symbols symbols = engine.layers().inverse(Symbols.of(inputs.get(0)), context);
                  return List.of(symbols.ids(), engine.base().logProbs(symbols, context));
                },
                results -> {
                  show(results.get(0), results.get(1), chunk, visitor);
                  return null;
                }));
  }

  private void show(Tensor ids, Tensor logProbs, Chunk chunk, Visitor visitor) {
    int width = inOrder.maxCardinality();
    double[] flat = Tensors.toDoubles(logProbs); // [B or 1, D, K]
    int stride = logProbs.size(0) == 1 ? 0 : positions.length * width;
    int[][] baseRows = Tensors.toRows(ids);
    for (int i = 0; i < chunk.length(); i++) {
      for (int turn = 0; turn < positions.length; turn++) {
        int position = positions[turn];
        int from = i * stride + position * width;
        visitor.symbol(chunk.from() + i, turn, baseRows[i][position], flat, from);
      }
    }
  }

  /**
   * Makes rows, all at a time: the caller bounds their number.
   *
   * @return rows of the model
   */
  public int[][] choose(int rows, Chooser chooser) {
    return choose(rows, chooser, 0);
  }

  /**
   * Makes rows while other threads make others.
   *
   * @param slot of the thread: those of one slot wait for each other
   */
  public int[][] choose(int rows, Chooser chooser, int slot) {
    return choose(rows, chooser, "choose " + slot, engine.base()::choose, UnaryOperator.identity());
  }

  /**
   * As {@link #choose}, up to rounding, but shows a turn's own symbols alone, which is less work
   * where turns differ in how many they have, and probabilities instead of their logarithms.
   *
   * @param slot as above
   */
  public int[][] chooseNarrow(int rows, Chooser chooser, int slot) {
    return choose(rows, chooser, "choose narrow " + slot, engine.base()::chooseNarrow, Tensor::exp);
  }

  @FunctionalInterface
  private interface Choosing {
    Tensor run(long rows, Distribution.Choice choice, EvaluationContext context);
  }

  private int[][] choose(
      int rows, Chooser chooser, String name, Choosing choosing, UnaryOperator<Tensor> shown) {
    int[][][] result = {new int[0][]};
    if (rows > 0) {
      int padded = engine.padded(rows);
      int size = positions.length;
      int[] starts = groupStarts();
      engine.read(
          Precision.FLOAT64,
          values ->
              result[0] =
                  engine.evaluate(
                      name,
                      Way.STEPWISE,
                      padded,
                      values,
                      List.of(Tensors.longs(new long[padded * size], Device.CPU, padded, size)),
                      (inputs, context, stops) -> forward(inputs, choosing, shown, context, stops),
                      (stop, logProbs, inputs) ->
                          fill(inputs.get(0), starts[stop], rows, chooser, logProbs),
                      results -> Arrays.copyOf(Tensors.toRows(results.get(0)), rows)));
    }
    return result[0];
  }

  /** From symbols in the order of turns, which are asked for group by group, to rows. */
  private List<Tensor> forward(
      List<Tensor> inputs,
      Choosing choosing,
      UnaryOperator<Tensor> shown,
      EvaluationContext context,
      Computation.Stops stops) {
    Tensor symbols = inputs.get(0);
    Tensor chosen =
        choosing.run(
            symbols.size(0),
            (logProbs, from) -> {
              stops.at(shown.apply(logProbs));
              return symbols.narrow(1, from, logProbs.size(1));
            },
            context);
    return List.of(engine.layers().forward(Symbols.of(chosen), context).ids());
  }

  /**
   * The probabilities of one group's symbols.
   *
   * @param from the group's first turn
   * @param turns how many it has
   * @param probabilities of every symbol, {@code [rows or 1, turns, width]}
   * @param stride from one row to the next; 0 where all rows have the same probabilities
   * @param width of a turn
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Group(int from, int turns, double[] probabilities, int stride, int width) {
    /** Where the probabilities of a turn begin. */
    public int at(int row, int turn) {
      return row * stride + (turn - from) * width;
    }
  }

  /** Chooses the symbols of one group in all rows. */
  @FunctionalInterface
  public interface GroupChooser {
    /**
     * Chooses.
     *
     * @param chosen {@code [rows, turns]}, to be filled; symbol 0 where it is not
     */
    void choose(Group group, long[] chosen);
  }

  /**
   * Makes the first groups of rows, all at a time: the caller bounds their number.
   *
   * @param groups how many, at least 1
   * @param options precision and temperature of the probabilities
   */
  public void chooseFirst(int rows, int groups, SamplingOptions options, GroupChooser chooser) {
    Tempering tempering = Tempering.of(options);
    int padded = engine.padded(rows);
    int[] starts = groupStarts();
    int size = starts[groups];
    engine.read(
        options.precision(),
        values ->
            engine.evaluate(
                tempering.named("choose first " + groups),
                Way.STEPWISE,
                padded,
                values,
                tempering.with(
                    List.of(Tensors.longs(new long[padded * size], Device.CPU, padded, size))),
                (inputs, context, stops) -> {
                  Tensor symbols = inputs.get(0);
                  engine
                      .base()
                      .chooseFirst(
                          padded,
                          groups,
                          (logProbs, from) -> {
                            long count = logProbs.size(1);
                            Tensor shown = tempering.conditionals(logProbs, inputs, 1);
                            stops.at(shown.narrow(2, 0, width(from, count)).exp());
                            return symbols.narrow(1, from, count);
                          },
                          context);
                  return List.of(symbols);
                },
                (stop, shown, inputs) -> fill(inputs.get(0), starts[stop], chooser, shown),
                results -> null));
  }

  /** The largest cardinality of some turns. */
  private int width(int from, long count) {
    int width = 0;
    for (int turn = from; turn < from + count; turn++) {
      width = Math.max(width, inOrder.cardinality(turn));
    }
    return width;
  }

  private static void fill(Tensor into, int from, GroupChooser chooser, Tensor shown) {
    int size = (int) shown.size(1);
    int width = (int) shown.size(2);
    long[] symbols = new long[Math.toIntExact(into.size(0)) * size];
    int stride = shown.size(0) == 1 && into.size(0) > 1 ? 0 : size * width;
    chooser.choose(new Group(from, size, Tensors.toDoubles(shown), stride, width), symbols);
    try (Scope scope = Scope.inference()) {
      Tensor chosen = Tensors.longs(symbols, Device.CPU, into.size(0), size);
      into.narrow(1, from, size).copy_(chosen);
    }
  }

  private static void fill(Tensor into, int from, int rows, Chooser chooser, Tensor logProbs) {
    int size = (int) logProbs.size(1);
    int width = (int) logProbs.size(2);
    int stride = logProbs.size(0) == 1 ? 0 : size * width;
    double[] flat = Tensors.toDoubles(logProbs); // [B or 1, n, K]
    long[] symbols = new long[Math.toIntExact(into.size(0)) * size];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < size; i++) {
        symbols[row * size + i] = chooser.symbol(row, from + i, flat, row * stride + i * width);
      }
    }
    try (Scope scope = Scope.inference()) {
      Tensor chosen = Tensors.longs(symbols, Device.CPU, into.size(0), size);
      into.narrow(1, from, size).copy_(chosen);
    }
  }
}
