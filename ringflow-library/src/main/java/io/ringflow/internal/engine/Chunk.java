package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Space;
import io.ringflow.internal.graph.Computation;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;

/** The rows {@code from <= i < to} of a call. */
public final class Chunk {
  private final Engine engine;
  private final Way way;
  private final int from;
  private final int to;
  private final int padded;
  private final Weights values;
  private final int[][] conditionRows;

  Chunk(Engine engine, Way way, int from, int to, int[][] conditionRows, Weights values) {
    this.engine = engine;
    this.way = way;
    this.from = from;
    this.to = to;
    this.padded = engine.padded(to - from);
    this.values = values;
    this.conditionRows = conditionRows;
  }

  /** The first row. */
  public int from() {
    return from;
  }

  /** The row behind the last. */
  public int to() {
    return to;
  }

  /** How many rows it has. */
  public int length() {
    return to - from;
  }

  /** How many rows its inputs must have, and its results will. */
  public int padded() {
    return padded;
  }

  /** Rows of symbols on the host, and zeros behind them. */
  Tensor ids(int[][] rows, Space space) {
    int[][] own = Arrays.copyOf(Arrays.copyOfRange(rows, from, to), padded);
    Arrays.fill(own, length(), padded, new int[space.size()]);
    return Tensors.ids(own, space.size(), Device.CPU);
  }

  /**
   * Evaluates this chunk.
   *
   * @param name of the work: with the number of rows and the precision it says what is computed
   * @param inputs of the work, on the host, without the condition
   * @param reader of the results, which it must not keep
   */
  public <R> R evaluate(
      String name,
      List<Tensor> inputs,
      Engine.Work<List<Tensor>> work,
      Function<List<Tensor>, R> reader) {
    List<Tensor> all = new ArrayList<>(inputs);
    if (engine.condition().size() > 0) {
      all.add(ids(conditionRows, engine.condition()));
    }
    return engine.evaluate(name, way, padded, values, all, work, Computation.Host.IDLE, reader);
  }
}
