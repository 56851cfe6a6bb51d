package io.ringflow.bench;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Order;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Draws 16 rows of 64 letters from an autoregressive model, whose network keeps a state from one
 * position to the next.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SamplingBenchmark {
  private static final int ROWS = 16;

  /** Kind of network. */
  @Param({"made", "lstm", "transformer"})
  public String network;

  private FlowModel model;
  private int[][] rows;

  /** Makes the model. */
  @Setup(Level.Trial)
  public void open() {
    var base = new AutoregressiveBase(Order.natural(Models.TEXT.size()), Models.network(network));
    model = FlowModel.create(Architecture.of(Models.TEXT, base), 1);
    rows = Models.rows(Models.TEXT, ROWS);
  }

  /** Frees it. */
  @TearDown(Level.Trial)
  public void close() {
    model.close();
  }

  /** Each position costs one position's work. */
  @Benchmark
  public int[][] keptState() {
    return model.sample(ROWS, 1);
  }

  /** One pass over all positions at once; without a state, sampling would take 64 of them. */
  @Benchmark
  public double[] wholePass() {
    return model.logProb(rows);
  }
}
