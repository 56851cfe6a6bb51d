package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.layer.Chain;
import io.ringflow.spi.Condition;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * Runs plain rows through a model, a chunk of bounded size at a time.
 *
 * <p>What each method means is said at its namesake in {@link io.ringflow.model.FlowModel}.
 */
public final class RowWork {
  /**
   * Elements of one {@code [rows, D, K]} tensor that a call works on at a time: 16 MiB in 64 bits.
   */
  private static final long CHUNK_ELEMENTS = 1L << 21;

  private static final int MAX_ROWS = 8192;

  /** What an unconditional model is given. */
  public static final int[][] NOTHING = {};

  private final Space space;
  private final Space condition;
  private final Chain.Bound layers;
  private final Distribution base;
  private final SharedWeights weights;

  /**
   * The work of one model.
   *
   * @param condition see {@link io.ringflow.model.Architecture#condition()}
   * @param weights borrowed
   */
  public RowWork(Space condition, Chain.Bound layers, Distribution base, SharedWeights weights) {
    this.space = layers.dataSpace();
    this.condition = condition;
    this.layers = layers;
    this.base = base;
    this.weights = weights;
  }

  public double[] logProb(int[][] rows, int[][] conditionRows, Precision precision) {
    check(rows, conditionRows);
    return numbers(
        rows.length,
        conditionRows,
        precision,
        chunk -> {
          Symbols data = chunk.symbols(rows, space);
          return base.logProb(layers.inverse(data, chunk.context), chunk.context);
        });
  }

  public int[][] encode(int[][] rows, int[][] conditionRows, Precision precision) {
    check(rows, conditionRows);
    return rows(
        rows.length,
        conditionRows,
        precision,
        chunk -> layers.inverse(chunk.symbols(rows, space), chunk.context));
  }

  public double[] baseLogProb(int[][] baseRows) {
    if (condition.size() > 0) {
      throw new IllegalStateException("this model is conditional: call logProb(rows, given)");
    }
    layers.baseSpace().check("base row", baseRows);
    return numbers(
        baseRows.length,
        NOTHING,
        Precision.FLOAT64,
        chunk -> base.logProb(chunk.symbols(baseRows, layers.baseSpace()), chunk.context));
  }

  public int[][] decode(int[][] baseRows, int[][] conditionRows) {
    layers.baseSpace().check("base row", baseRows);
    checkCondition(conditionRows, baseRows.length);
    return rows(
        baseRows.length,
        conditionRows,
        Precision.FLOAT64,
        chunk -> layers.forward(chunk.symbols(baseRows, layers.baseSpace()), chunk.context));
  }

  public int[][] sample(int count, long seed) {
    if (condition.size() > 0) {
      throw new IllegalStateException(
          "this model is conditional: call sample(given, seed) with a row of " + condition);
    }
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    return draw(count, NOTHING, seed);
  }

  public int[][] sample(int[][] conditionRows, long seed) {
    checkCondition(conditionRows, conditionRows.length);
    return draw(conditionRows.length, conditionRows, seed);
  }

  private int[][] draw(int count, int[][] conditionRows, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int size = layers.baseSpace().size();
    return rows(
        count,
        conditionRows,
        Precision.FLOAT64,
        chunk -> {
          double[] uniforms = new double[chunk.length() * size];
          Arrays.setAll(uniforms, i -> random.nextDouble());
          Tensor numbersPerStep =
              Tensors.reals(uniforms, Precision.FLOAT64, chunk.device(), chunk.length(), size);
          Symbols drawn = Symbols.of(base.sample(numbersPerStep, chunk.context));
          return layers.forward(drawn, chunk.context);
        });
  }

  public int[][] greedy(int[][] conditionRows) {
    checkCondition(conditionRows, conditionRows.length);
    return rows(
        conditionRows.length,
        conditionRows,
        Precision.FLOAT64,
        chunk -> {
          Symbols likeliest = Symbols.of(base.greedy(chunk.length(), chunk.context));
          return layers.forward(likeliest, chunk.context);
        });
  }

  public void check(int[][] rows, int[][] conditionRows) {
    space.check("row", rows);
    checkCondition(conditionRows, rows.length);
  }

  private void checkCondition(int[][] conditionRows, int rows) {
    if (condition.size() == 0) {
      if (conditionRows.length > 0) {
        throw new IllegalArgumentException("this model is not conditional, but was given rows");
      }
      return;
    }
    if (conditionRows.length != rows) {
      throw new IllegalArgumentException(
          "this model is conditional: it needs a given row for each of "
              + rows
              + " rows, but got "
              + conditionRows.length);
    }
    condition.check("given row", conditionRows);
  }

  /** The rows {@code from <= i < to} of a call, and the pass they go in. */
  record Chunk(int from, int to, EvaluationContext context) {
    int length() {
      return to - from;
    }

    Device device() {
      return context.weights().device();
    }

    Symbols symbols(int[][] rows, Space space) {
      return Symbols.of(Tensors.ids(Arrays.copyOfRange(rows, from, to), space.size(), device()));
    }
  }

  /** A number for each row, {@code [B]} by the chunk. */
  private double[] numbers(
      int count, int[][] conditionRows, Precision precision, Function<Chunk, Tensor> work) {
    double[] result = new double[count];
    inChunks(
        count,
        conditionRows,
        precision,
        chunk -> {
          double[] part = Tensors.toDoubles(work.apply(chunk));
          System.arraycopy(part, 0, result, chunk.from, part.length);
        });
    return result;
  }

  /** A row for each row, {@code [B, D]} by the chunk. */
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

  /** Runs through rows a chunk at a time, all chunks of bounded size. */
  void inChunks(int rows, int[][] conditionRows, Precision precision, Consumer<Chunk> work) {
    long width = Math.max(elements(space), elements(layers.baseSpace()));
    int chunk = (int) Math.max(1, Math.min(MAX_ROWS, CHUNK_ELEMENTS / width));
    for (int from = 0; from < rows; from += chunk) {
      int start = from;
      int end = Math.min(rows, from + chunk);
      weights.read(
          precision,
          numbers -> {
            EvaluationContext context =
                EvaluationContext.of(
                    numbers, condition(conditionRows, start, end, numbers.device()));
            work.accept(new Chunk(start, end, context));
          });
    }
  }

  /** Makes rows of an unconditional model in a single chunk. */
  int[][] atOnce(int rows, Function<EvaluationContext, Symbols> work) {
    int[][][] result = new int[1][][];
    weights.read(
        Precision.FLOAT64,
        numbers ->
            result[0] =
                rows == 0
                    ? NOTHING
                    : Tensors.toRows(
                        work.apply(EvaluationContext.of(numbers, Condition.NONE)).ids()));
    return result[0];
  }

  private static long elements(Space space) {
    return (long) space.size() * space.maxCardinality();
  }

  private Condition condition(int[][] conditionRows, int from, int to, Device device) {
    if (condition.size() == 0) {
      return Condition.NONE;
    }
    return new Condition(
        Tensors.ids(Arrays.copyOfRange(conditionRows, from, to), condition.size(), device));
  }
}
