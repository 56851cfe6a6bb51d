package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.core.TorchException;
import io.ringflow.internal.graph.Computation;
import io.ringflow.internal.graph.Replays;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.layer.Chain;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;

/**
 * The bound parts of a model with their weights: what computes behind a {@code FlowModel}.
 *
 * <p>Plain rows go through in chunks of bounded size, each in a scope of its own. Safe from several
 * threads at once, but not while a training changes the weights.
 */
public final class Engine implements AutoCloseable {
  /** The condition rows of an unconditional model. */
  public static final int[][] UNCONDITIONAL = {};

  private final Space condition;
  private final Chain.Bound layers;
  private final Distribution base;
  private final SharedWeights weights;
  private final Replays replays;
  private final ChunkSizes sizes;

  private Engine(
      Space condition, Chain.Bound layers, Distribution base, Weights weights, Replays replays) {
    this.condition = condition;
    this.layers = layers;
    this.base = base;
    this.weights = new SharedWeights(weights);
    this.replays = replays;
    this.sizes = new ChunkSizes(layers, base, weights.device());
  }

  /** Makes the weights of a model, initial ones or those of a file. */
  @FunctionalInterface
  public interface WeightsSource<E extends Exception> {
    /** Weights of a layout. */
    Weights weights(Layout layout) throws E;
  }

  /** An engine with the weights that a source makes. */
  public static <E extends Exception> Engine of(
      Space condition, Chain.Bound layers, Distribution base, WeightsSource<E> source) throws E {
    return of(condition, layers, base, source, Replays::new);
  }

  /**
   * An engine whose work is captured in a way of one's own.
   *
   * @param replays of a device
   */
  static <E extends Exception> Engine of(
      Space condition,
      Chain.Bound layers,
      Distribution base,
      WeightsSource<E> source,
      Function<Device, Replays> replays)
      throws E {
    try {
      Weights weights = source.weights(Layout.of(layers.bijections(), base));
      return new Engine(condition, layers, base, weights, replays.apply(weights.device()));
    } catch (RuntimeException e) {
      throw TorchException.translate(e);
    }
  }

  /** The layers, as one bijection and one by one. */
  public Chain.Bound layers() {
    return layers;
  }

  /** The base. */
  public Distribution base() {
    return base;
  }

  /** The space of conditions; {@link Space#NONE} for an unconditional model. */
  public Space condition() {
    return condition;
  }

  /** The weights as they are trained: for trainings, which have the model to themselves. */
  public Weights weights() {
    return weights.trained();
  }

  /** Works with the weights as they are; see {@link SharedWeights#read}. */
  public <E extends Exception> void read(Precision precision, SharedWeights.Work<E> work) throws E {
    weights.read(precision, work);
  }

  /** Changes the weights while nobody reads them. */
  public void change(SharedWeights.Work<RuntimeException> work) {
    weights.change(work);
  }

  /**
   * Natural log-probability of each row.
   *
   * @param progress hears after each chunk how many rows are done
   */
  public double[] logProb(
      int[][] rows, int[][] conditionRows, Precision precision, ProgressListener progress) {
    check(rows, conditionRows);
    double[] result = new double[rows.length];
    inChunks(
        Way.PARALLEL,
        rows.length,
        conditionRows,
        precision,
        chunk -> {
          double[] part =
              chunk.evaluate(
                  "logProb",
                  List.of(chunk.ids(rows, layers.dataSpace())),
                  (inputs, context, stops) -> {
                    Symbols moved = layers.inverse(Symbols.of(inputs.get(0)), context);
                    return List.of(base.logProb(moved, context));
                  },
                  results -> Tensors.toDoubles(results.get(0)));
          System.arraycopy(part, 0, result, chunk.from(), chunk.length());
          progress.done(chunk.to(), rows.length);
        });
    return result;
  }

  /** The base symbols of each row. */
  public int[][] encode(int[][] rows, int[][] conditionRows, Precision precision) {
    return encodeFor(-1, rows, conditionRows, precision);
  }

  /**
   * Each row as one of the layers sees it on its way to the base, or the base itself.
   *
   * @param layer counted from the base; -1 for the base
   * @return a copy of the rows where no layer comes before
   */
  public int[][] encodeFor(int layer, int[][] rows, int[][] conditionRows, Precision precision) {
    check(rows, conditionRows);
    List<Bijection> bijections = layers.bijections();
    if (layer == bijections.size() - 1) {
      return Arrays.stream(rows).map(int[]::clone).toArray(int[][]::new);
    }
    return rows(
        "encode for " + layer,
        Way.PARALLEL,
        rows.length,
        conditionRows,
        precision,
        ProgressListener.IGNORED,
        chunk -> List.of(chunk.ids(rows, layers.dataSpace())),
        (inputs, context, stops) -> {
          Symbols symbols = Symbols.of(inputs.get(0));
          for (int i = bijections.size() - 1; i > layer; i--) {
            symbols = bijections.get(i).inverse(symbols, context);
          }
          return symbols;
        });
  }

  /** The row of each base row. */
  public int[][] decode(int[][] baseRows, int[][] conditionRows) {
    layers.baseSpace().check("base row", baseRows);
    checkCondition(conditionRows, baseRows.length);
    return rows(
        "decode",
        Way.STEPWISE,
        baseRows.length,
        conditionRows,
        Precision.FLOAT64,
        ProgressListener.IGNORED,
        chunk -> List.of(chunk.ids(baseRows, layers.baseSpace())),
        (inputs, context, stops) -> layers.forward(Symbols.of(inputs.get(0)), context));
  }

  /**
   * Samples rows, each from uniform numbers of its own: in float64 independent of device and chunk.
   *
   * @param options the temperature is that of the base's conditionals
   * @param progress hears after each chunk how many rows are done
   */
  public int[][] sample(
      int count,
      int[][] conditionRows,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    checkCondition(conditionRows, count);
    int size = layers.baseSpace().size();
    RowUniforms numbers = new RowUniforms(seed, size);
    Tempering tempering = Tempering.of(options);
    return rows(
        tempering.named("sample"),
        Way.STEPWISE,
        count,
        conditionRows,
        options.precision(),
        progress,
        chunk ->
            tempering.with(
                List.of(
                    Tensors.reals(
                        numbers.rows(chunk.from(), chunk.to(), chunk.padded()),
                        Precision.FLOAT64,
                        Device.CPU,
                        chunk.padded(),
                        size))),
        (inputs, context, stops) -> {
          Tensor uniforms = inputs.get(0);
          Tensor sampled =
              base.choose(
                  uniforms.size(0),
                  (logProbs, from) -> {
                    stops.at(null); // a graph for each pass
                    return Categorical.sample(
                        tempering.conditionals(logProbs, inputs, 1),
                        uniforms.narrow(1, from, logProbs.size(1)));
                  },
                  context);
          return layers.forward(Symbols.of(sampled), context);
        });
  }

  /** The row for which the base takes its likeliest symbol at every step. */
  public int[][] greedy(int[][] conditionRows) {
    int count = conditionRows.length;
    checkCondition(conditionRows, count);
    return rows(
        "greedy",
        Way.STEPWISE,
        count,
        conditionRows,
        Precision.FLOAT64,
        ProgressListener.IGNORED,
        chunk -> List.of(Tensors.longs(new long[chunk.padded()], Device.CPU, chunk.padded())),
        (inputs, context, stops) -> {
          long rows = inputs.get(0).size(0);
          long[] shape = {rows, -1};
          Tensor likeliest =
              base.choose(
                  rows, (logProbs, from) -> Tensors.argmax(logProbs).expand(shape), context);
          return layers.forward(Symbols.of(likeliest), context);
        });
  }

  /**
   * Checks that rows and their conditions belong to this model.
   *
   * @throws IllegalArgumentException naming the first row, position and symbol that do not
   */
  public void check(int[][] rows, int[][] conditionRows) {
    layers.dataSpace().check("row", rows);
    checkCondition(conditionRows, rows.length);
  }

  private void checkCondition(int[][] conditionRows, int rows) {
    if (condition.size() == 0) {
      if (conditionRows.length > 0) {
        throw new IllegalArgumentException(
            "this model is unconditional, but there are " + conditionRows.length + " conditions");
      }
      return;
    }
    if (conditionRows.length != rows) {
      throw new IllegalArgumentException(
          "this model is conditional: it needs a condition of "
              + condition
              + " for each of "
              + rows
              + " rows, but got "
              + conditionRows.length);
    }
    condition.check("condition", conditionRows);
  }

  /** What is computed of rows: from tensors on the device to others, without looking at them. */
  @FunctionalInterface
  public interface Work<R> {
    /**
     * Queues the work.
     *
     * @param inputs rows first
     */
    R run(List<Tensor> inputs, EvaluationContext context, Computation.Stops stops);
  }

  /**
   * Evaluates rows of a bounded number; must run inside a scope.
   *
   * @param name of the work: with the number of rows and the precision it says what is computed
   * @param rows as {@link #padded} says
   * @param inputs of the work, on the host; the last is the condition where there is one
   * @param host what it does at the work's stops
   * @param reader of the results, which it must not keep
   */
  <R> R evaluate(
      String name,
      Way way,
      int rows,
      Weights values,
      List<Tensor> inputs,
      Work<List<Tensor>> work,
      Computation.Host host,
      Function<List<Tensor>, R> reader) {
    Computation computation =
        (here, stops) -> {
          Condition own =
              condition.size() == 0 ? Condition.NONE : new Condition(here.get(here.size() - 1));
          return work.run(here, new EvaluationContext(values, own), stops);
        };
    Precision precision = values.precision();
    return sizes.areSmall(way, rows, precision)
        ? replays.run(List.of(name, rows, precision), inputs, computation, host, reader)
        : replays.runPlainly(inputs, computation, host, reader);
  }

  /** How many rows to evaluate where so many are wanted: where shapes are captured, a few more. */
  int padded(int rows) {
    return replays.captures() ? ChunkSizes.padded(rows) : rows;
  }

  private int[][] rows(
      String name,
      Way way,
      int count,
      int[][] conditionRows,
      Precision precision,
      ProgressListener progress,
      Function<Chunk, List<Tensor>> inputs,
      Work<Symbols> work) {
    int[][] result = new int[count][];
    inChunks(
        way,
        count,
        conditionRows,
        precision,
        chunk -> {
          int[][] part =
              chunk.evaluate(
                  name,
                  inputs.apply(chunk),
                  (here, context, stops) -> List.of(work.run(here, context, stops).ids()),
                  results -> Tensors.toRows(results.get(0)));
          System.arraycopy(part, 0, result, chunk.from(), chunk.length());
          progress.done(chunk.to(), count);
        });
    return result;
  }

  /**
   * Works through rows a chunk at a time, all chunks of bounded size. Where memory is too short for
   * one, its rows come again in smaller ones.
   */
  public void inChunks(
      Way way, int rows, int[][] conditionRows, Precision precision, Consumer<Chunk> work) {
    int from = 0;
    while (from < rows) {
      int start = from;
      int end = Math.min(rows, from + sizes.rows(way));
      try {
        weights.read(
            precision,
            values -> work.accept(new Chunk(this, way, start, end, conditionRows, values)));
        from = end;
      } catch (TorchException e) {
        if (e.kind() != TorchException.Kind.OUT_OF_MEMORY || end - start == 1) {
          throw e;
        }
        replays.freeCaptured();
        sizes.makeSmallerThan(end - start);
      }
    }
  }

  /** Frees all native memory, after calls in progress have ended. Closing twice does nothing. */
  @Override
  public void close() {
    weights.close(replays::close);
  }
}
