package io.ringflow.bench;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Shift;
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

/** Scores 64 rows of 64 letters, by one layer on an autoregressive base, in either precision. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class ScoringBenchmark {
  private static final int ROWS = 64;
  private static final int[][] NOTHING = {};

  /** Kind of both networks. */
  @Param({"made", "lstm", "transformer"})
  public String network;

  /** In which the networks compute. */
  @Param({"FLOAT32", "FLOAT64"})
  public Precision precision;

  private FlowModel model;
  private int[][] rows;

  /** Makes the model. */
  @Setup(Level.Trial)
  public void open() {
    int size = Models.TEXT.size();
    Network sees = Models.network(network);
    model =
        FlowModel.create(
            Architecture.of(Models.TEXT, new AutoregressiveBase(Order.natural(size), sees))
                .with(new Autoregressive(Order.reversed(size), sees, new Shift())),
            1);
    rows = Models.rows(Models.TEXT, ROWS);
  }

  /** Frees it. */
  @TearDown(Level.Trial)
  public void close() {
    model.close();
  }

  /** Log-probabilities of all rows. */
  @Benchmark
  public double[] score() {
    return model.logProb(rows, NOTHING, precision);
  }
}
