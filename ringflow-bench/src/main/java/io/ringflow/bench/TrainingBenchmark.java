package io.ringflow.bench;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.train.Batch;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener.TrainingReport;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One training step, all of it: batch, layers, gradient, clipping, AdamW.
 *
 * <ul>
 *   <li>{@code ring}: the paper's first experiment, 1024 rows of 2 positions with 90 symbols, one
 *       table.
 *   <li>{@code text}: 16 rows of 64 letters, one autoregressive layer on an autoregressive base,
 *       two Transformers 64 wide.
 *   <li>{@code transformer 6x256}: 8 rows of 256 letters, a Transformer of 6 layers, 256 wide.
 * </ul>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class TrainingBenchmark {
  /** Steps in one run of a trainer, so that its beginning and end do not count. */
  private static final int STEPS = 5;

  private static final String WIDE = "transformer 6x256";

  /** Which model. */
  @Param({"ring", "text", WIDE})
  public String model;

  private FlowModel trained;
  private Batch batch;

  /** Makes the model and its rows. */
  @Setup(Level.Trial)
  public void open() {
    Work work = work(model);
    trained = FlowModel.create(work.architecture, 1);
    batch = Batch.of(Models.rows(work.architecture.space(), work.rows));
  }

  /** An architecture, and the rows of a step. */
  private record Work(Architecture architecture, int rows) {}

  private static Work work(String model) {
    return switch (model) {
      case "ring" -> new Work(ring(), 1024);
      case "text" -> new Work(text(), 16);
      case WIDE -> new Work(wide(), 8);
      default -> throw new IllegalArgumentException("no such model: " + model);
    };
  }

  private static Architecture ring() {
    return Architecture.of(Space.uniform(2, 90), new FactorizedBase())
        .with(new Bipartite(Mask.even(2), new LookupTable(), new Shift()));
  }

  private static Architecture text() {
    int size = Models.TEXT.size();
    Network network = Models.network("transformer");
    return Architecture.of(Models.TEXT, new AutoregressiveBase(Order.natural(size), network))
        .with(new Autoregressive(Order.reversed(size), network, new Shift()));
  }

  private static Architecture wide() {
    Space space = Space.uniform(256, 27);
    Network network = new Transformer(256, 6, 8, 1024);
    return Architecture.of(space, new AutoregressiveBase(Order.natural(space.size()), network));
  }

  /** Frees the model. */
  @TearDown(Level.Trial)
  public void close() {
    trained.close();
  }

  /** A step, the share of a run of several. */
  @Benchmark
  @OperationsPerInvocation(STEPS)
  public TrainingReport step() throws IOException {
    TrainingOptions options = TrainingOptions.builder(STEPS).logEvery(STEPS).build();
    return new Trainer(trained, options).train(step -> batch);
  }
}
