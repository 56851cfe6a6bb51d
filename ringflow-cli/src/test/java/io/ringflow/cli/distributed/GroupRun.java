package io.ringflow.cli.distributed;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.cli.command.Failures;
import io.ringflow.cli.progress.Terminal;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.Rendezvous;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A training for tests to watch, kill and start again, by the process group that the environment
 * names, or by a single process. It fails as the tool does, with one line.
 *
 * <p>Every process prints {@link #READY} when it is about to join, and waits for a line on its
 * input, so that all can join at once, however slowly they start. It prints {@link #JOINED} when it
 * has joined, and the number of each step before the step. Rank 0 writes the losses and the
 * log-probabilities of unseen rows to files, each number with all its digits.
 */
final class GroupRun {
  static final int STEPS = 80;
  static final String READY = "ready";

  /** Printed as if it were a step before the first. */
  static final int JOINED = -1;

  private static final Space SPACE = Space.uniform(6, 5);
  private static final int ROWS = 90;

  /** No multiple of 3 or 4: groups of that size have unequal shards. */
  private static final int BATCH = 22;

  private static final int UNSEEN = 31;

  private final Path folder;
  private final int delay; // of every batch, in milliseconds

  private GroupRun(Path folder, int delay) {
    this.folder = folder;
    this.delay = delay;
  }

  /**
   * Trains to the end.
   *
   * @param args a folder for all files, and a delay for every batch in milliseconds, so that a kill
   *     may hit any of them
   */
  public static void main(String[] args) {
    int code = 0;
    try {
      new GroupRun(Path.of(args[0]), Integer.parseInt(args[1])).run();
    } catch (IOException | RuntimeException e) {
      code = Failures.report(e, false, new PrintWriter(System.err, true, Terminal.charset()));
    }
    System.exit(code);
  }

  /** The file with the losses of the steps since the training began or resumed. */
  static Path losses(Path folder) {
    return folder.resolve("losses");
  }

  /** The file with the trained model's log-probabilities. */
  static Path scores(Path folder) {
    return folder.resolve("scores");
  }

  private void run() throws IOException {
    int rank = Rendezvous.of(System.getenv()).map(Rendezvous::rank).orElse(0);
    // Other initial weights on every rank: those of rank 0 must be broadcast.
    try (FlowModel model = FlowModel.create(architecture(), 7 + rank)) {
      print(READY);
      System.in.read();
      try (ProcessGroup group = ProcessGroup.fromEnvironment(Device.CPU)) {
        print(Integer.toString(JOINED));
        train(model, group);
        group.barrier(); // as the tool does: no process succeeds before rank 0 has
      }
    }
  }

  private void train(FlowModel model, ProcessGroup group) throws IOException {
    List<Double> losses = new ArrayList<>();
    new Trainer(model, options())
        .group(group)
        .validation(rows(UNSEEN, 4))
        .checkpoints(folder.resolve("checkpoint"))
        .listener(
            new TrainingListener() {
              @Override
              public void progressed(Progress progress) {
                losses.add(progress.loss());
              }
            })
        .train(watched(Batches.shuffled(rows(ROWS, 3), BATCH, 1)));
    if (group.isRankZero()) {
      write(losses(folder), losses);
      write(scores(folder), Arrays.stream(model.logProb(rows(UNSEEN, 5))).boxed().toList());
    }
  }

  private static Architecture architecture() {
    return Architecture.of(
        SPACE, new AutoregressiveBase(Order.natural(SPACE.size()), new Lstm(8, 16, 2)));
  }

  private static TrainingOptions options() {
    return TrainingOptions.builder(STEPS)
        .learningRate(0.01)
        .baseLearningRate(0.01)
        .dropout(0.3)
        .logEvery(1)
        .evaluateEvery(25)
        .checkpointEvery(10)
        .build();
  }

  private Batches watched(Batches batches) {
    return new Batches() {
      @Override
      public Batch batch(long step) {
        print(Long.toString(step));
        try {
          Thread.sleep(delay);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        return batches.batch(step);
      }

      @Override
      public String description() {
        return batches.description();
      }
    };
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Rows whose symbols depend on their neighbours. */
  private static int[][] rows(int count, long seed) {
    var random = new SplittableRandom(seed);
    int[][] rows = new int[count][SPACE.size()];
    for (int[] row : rows) {
      int last = random.nextInt(3);
      for (int d = 0; d < row.length; d++) {
        last += random.nextInt(2);
        row[d] = last % SPACE.cardinality(d);
      }
    }
    return rows;
  }

  private static void write(Path file, List<Double> numbers) throws IOException {
    Files.write(file, numbers.stream().map(number -> Double.toString(number)).toList());
  }
}
