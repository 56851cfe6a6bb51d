package io.ringflow.bench;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Made;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One network in place of a table's model that knows each column given any others (Uria et al.
 * 2014): trained on rows of which random columns are hidden, as many of them as one likes.
 */
final class AnyOrderNetwork implements AutoCloseable {
  private static final int HIDDEN = 512;
  private static final int BATCH = 256;
  private static final int SMALL = 20_000;
  private static final int MAX_STEPS = 100_000;
  private static final int PATIENCE = 10;

  private final Space space;
  private final FlowModel flow;

  private AnyOrderNetwork(Space space, FlowModel flow) {
    this.space = space;
    this.flow = flow;
  }

  /** Trains a network, as long as held-out rows become likelier. */
  static AnyOrderNetwork train(
      Space space, int[][] rows, int[][] heldOut, Duration time, TrainingListener listener)
      throws IOException {
    var architecture =
        new Architecture(
            space, AnyOrderBase.condition(space), new AnyOrderBase(new Made(HIDDEN, 1)), List.of());
    var network = new AnyOrderNetwork(space, FlowModel.create(architecture, Device.CPU, 1));
    boolean small = rows.length < SMALL;
    TrainingOptions options =
        TrainingOptions.builder(MAX_STEPS)
            .timeBudget(time)
            .learningRate(small ? 5e-3 : 2e-3)
            .dropout(small ? 0.5 : 0.2)
            .weightDecay(small ? 0.3 : 0.02)
            .minimumRate(0.01)
            .warmupSteps(100)
            .logEvery(20)
            .evaluateEvery(100)
            .patience(PATIENCE)
            .objective(architecture.defaultObjective())
            .build();
    Batches shuffled = Batches.shuffled(rows, BATCH, 1);
    new Trainer(network.flow, options)
        .validation(network.hiding(heldOut, new SplittableRandom(1)))
        .listener(listener)
        .train(step -> network.hiding(shuffled.batch(step).rows(), Batches.random(2, step)));
    return network;
  }

  /** Hides columns of each row: any number of them with the same probability. */
  private Batch hiding(int[][] rows, RandomGenerator random) {
    int[][] conditions = new int[rows.length][];
    Arrays.setAll(conditions, row -> hidden(rows[row], random.nextInt(space.size()), random));
    return new Batch(rows, conditions);
  }

  /** A row of which so many columns are known. */
  private int[] hidden(int[] row, int known, RandomGenerator random) {
    int[] condition = space.cardinalities().stream().mapToInt(Integer::intValue).toArray();
    int left = known;
    for (int d = 0; d < row.length; d++) {
      if (random.nextInt(row.length - d) < left) {
        condition[d] = row[d];
        left--;
      }
    }
    return condition;
  }

  /**
   * The mean log-likelihood of rows by the chain rule, on average over all orders of columns:
   * unbiased, from what the network says of all hidden columns of a row.
   *
   * @param times that each row is looked at, with other columns hidden
   */
  double meanLogProb(int[][] rows, int times) {
    var random = new SplittableRandom(3);
    double sum = 0;
    for (int i = 0; i < times; i++) {
      int[] known = new int[rows.length];
      int[][] conditions = new int[rows.length][];
      for (int row = 0; row < rows.length; row++) {
        known[row] = random.nextInt(space.size());
        conditions[row] = hidden(rows[row], known[row], random);
      }
      double[] nats = flow.logProb(rows, conditions, Precision.FLOAT64);
      for (int row = 0; row < rows.length; row++) {
        // So many hidden columns stand for the next one, and that for one of as many steps.
        sum += nats[row] / (space.size() - known[row]) * space.size();
      }
    }
    return sum / rows.length / times;
  }

  @Override
  public void close() {
    flow.close();
  }
}
