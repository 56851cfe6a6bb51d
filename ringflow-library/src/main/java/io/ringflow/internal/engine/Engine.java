package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.Space;
import io.ringflow.core.TorchException;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.spi.Bijection;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * The bound parts of a model with their weights: what computes behind a {@code FlowModel}.
 *
 * <p>Plain rows go through in chunks of bounded size, each in a scope of its own. Safe from several
 * threads at once, but not while a training changes the weights.
 */
public final class Engine implements AutoCloseable {
  /** Elements of one {@code [rows, D, K]} tensor that a call works on at a time: 16 MiB. */
  private static final long CHUNK_ELEMENTS = 1L << 21;

  private static final int MAX_ROWS = 8192;

  /** The condition rows of an unconditional model. */
  public static final int[][] UNCONDITIONAL = {};

  private final Space condition;
  private final Bijection layers;
  private final Distribution base;
  private final SharedWeights weights;

  private Engine(Space condition, Bijection layers, Distribution base, Weights weights) {
    this.condition = condition;
    this.layers = layers;
    this.base = base;
    this.weights = new SharedWeights(weights);
  }

  /** Makes the weights of a model, initial ones or those of a file. */
  @FunctionalInterface
  public interface WeightsSource<E extends Exception> {
    /** Weights of a layout. */
    Weights weights(Layout layout) throws E;
  }

  /**
   * An engine with the weights that a source makes.
   *
   * @param bijections the layers one by one, from the base to the data
   * @param chain the same as one
   */
  public static <E extends Exception> Engine of(
      Space condition,
      List<Bijection> bijections,
      Bijection chain,
      Distribution base,
      WeightsSource<E> source)
      throws E {
    try {
      return new Engine(condition, chain, base, source.weights(Layout.of(bijections, base)));
    } catch (RuntimeException e) {
      throw TorchException.translate(e);
    }
  }

  /** The layers as one bijection. */
  public Bijection layers() {
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
        rows.length,
        conditionRows,
        precision,
        chunk -> {
          Symbols data = chunk.symbols(rows, layers.dataSpace());
          Symbols moved = layers.inverse(data, chunk.context);
          double[] part = Tensors.toDoubles(base.logProb(moved, chunk.context));
          System.arraycopy(part, 0, result, chunk.from, part.length);
          progress.done(chunk.to, rows.length);
        });
    return result;
  }

  /** The base symbols of each row. */
  public int[][] encode(int[][] rows, int[][] conditionRows, Precision precision) {
    check(rows, conditionRows);
    return rows(
        rows.length,
        conditionRows,
        precision,
        chunk -> layers.inverse(chunk.symbols(rows, layers.dataSpace()), chunk.context));
  }

  /** The row of each base row. */
  public int[][] decode(int[][] baseRows, int[][] conditionRows) {
    layers.baseSpace().check("base row", baseRows);
    checkCondition(conditionRows, baseRows.length);
    return rows(
        baseRows.length,
        conditionRows,
        Precision.FLOAT64,
        chunk -> layers.forward(chunk.symbols(baseRows, layers.baseSpace()), chunk.context));
  }

  /** Samples rows, each from uniform numbers of its own: independent of device and chunk. */
  public int[][] sample(int count, int[][] conditionRows, long seed) {
    checkCondition(conditionRows, count);
    RandomGenerator random = new SplittableRandom(seed);
    int size = layers.baseSpace().size();
    return rows(
        count,
        conditionRows,
        Precision.FLOAT64,
        chunk -> {
          double[] numbers = new double[chunk.length() * size];
          Arrays.setAll(numbers, i -> random.nextDouble());
          Tensor uniforms =
              Tensors.reals(numbers, Precision.FLOAT64, chunk.device(), chunk.length(), size);
          Tensor sampled =
              base.choose(
                  chunk.length(),
                  (logProbs, from) ->
                      Categorical.sample(logProbs, uniforms.narrow(1, from, logProbs.size(1))),
                  chunk.context);
          return layers.forward(Symbols.of(sampled), chunk.context);
        });
  }

  /** The row for which the base takes its likeliest symbol at every step. */
  public int[][] greedy(int[][] conditionRows) {
    int count = conditionRows.length;
    checkCondition(conditionRows, count);
    return rows(
        count,
        conditionRows,
        Precision.FLOAT64,
        chunk -> {
          long[] shape = {chunk.length(), -1};
          Tensor likeliest =
              base.choose(
                  chunk.length(),
                  (logProbs, from) -> Tensors.argmax(logProbs).expand(shape),
                  chunk.context);
          return layers.forward(Symbols.of(likeliest), chunk.context);
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

  /** The rows {@code from <= i < to} of a call, and the context they are evaluated in. */
  record Chunk(int from, int to, EvaluationContext context) {
    int length() {
      return to - from;
    }

    Device device() {
      return context.device();
    }

    Symbols symbols(int[][] rows, Space space) {
      return Symbols.of(Tensors.ids(Arrays.copyOfRange(rows, from, to), space.size(), device()));
    }
  }

  private int[][] rows(
      int count, int[][] conditionRows, Precision precision, Function<Chunk, Symbols> work) {
    int[][] result = new int[count][];
    inChunks(
        count,
        conditionRows,
        precision,
        chunk -> {
          int[][] part = Tensors.toRows(work.apply(chunk).ids());
          System.arraycopy(part, 0, result, chunk.from, part.length);
        });
    return result;
  }

  /** Works through rows a chunk at a time, all chunks of bounded size. */
  void inChunks(int rows, int[][] conditionRows, Precision precision, Consumer<Chunk> work) {
    int chunk = chunkRows();
    for (int from = 0; from < rows; from += chunk) {
      int start = from;
      int end = Math.min(rows, from + chunk);
      weights.read(
          precision,
          values -> {
            Condition own = condition(conditionRows, start, end, values.device());
            work.accept(new Chunk(start, end, new EvaluationContext(values, own)));
          });
    }
  }

  /** How many rows are worked on at a time. */
  public int chunkRows() {
    long width = Math.max(elements(layers.dataSpace()), elements(layers.baseSpace()));
    return (int) Math.max(1, Math.min(MAX_ROWS, CHUNK_ELEMENTS / width));
  }

  private static long elements(Space space) {
    return (long) space.size() * space.maxCardinality();
  }

  private Condition condition(int[][] conditionRows, int from, int to, Device device) {
    if (condition.size() == 0) {
      return Condition.NONE;
    }
    int[][] own = Arrays.copyOfRange(conditionRows, from, to);
    return new Condition(Tensors.ids(own, condition.size(), device));
  }

  /** Frees all native memory, after calls in progress have ended. Closing twice does nothing. */
  @Override
  public void close() {
    weights.close();
  }
}
