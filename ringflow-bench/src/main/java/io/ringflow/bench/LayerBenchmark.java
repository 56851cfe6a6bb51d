package io.ringflow.bench;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Shift;
import io.ringflow.layer.ShiftScale;
import io.ringflow.layer.SymbolMap;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Network;
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

/** One layer in both directions, as a user calls it: 64 rows of 64 letters, exactly (float64). */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class LayerBenchmark {
  private static final int ROWS = 64;

  /** Kind of layer. */
  @Param({"bipartite", "autoregressive"})
  public String layer;

  /** Kind of network. */
  @Param({"table", "made", "lstm", "transformer"})
  public String network;

  /** Kind of map. */
  @Param({"shift", "shift-scale"})
  public String map;

  private FlowModel model;
  private int[][] rows;

  /** Makes the model. */
  @Setup(Level.Trial)
  public void open() {
    int size = Models.TEXT.size();
    SymbolMap moves = map.equals("shift") ? new Shift() : new ShiftScale();
    Network sees = Models.network(network);
    Layer described =
        layer.equals("bipartite")
            ? new Bipartite(Mask.even(size), sees, moves)
            : new Autoregressive(Order.natural(size), sees, moves);
    model = FlowModel.create(Architecture.of(Models.TEXT, new FactorizedBase()).with(described), 1);
    rows = Models.rows(Models.TEXT, ROWS);
  }

  /** Frees it. */
  @TearDown(Level.Trial)
  public void close() {
    model.close();
  }

  /** From data to base. */
  @Benchmark
  public int[][] inverse() {
    return model.encode(rows);
  }

  /** From base to data. */
  @Benchmark
  public int[][] forward() {
    return model.decode(rows);
  }
}
