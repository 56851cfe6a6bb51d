package io.ringflow.bench;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.core.Device;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One process of a process group, or one alone, that trains a model for some steps and tells what a
 * step took.
 *
 * <pre>
 *   java io.ringflow.bench.GroupStep MODEL DEVICE BATCH STEPS
 * </pre>
 *
 * <p>The batch is that of the whole group. Rank 0 prints a line: {@code STEP parameters
 * milliseconds bytes loss}, where the time is the median of ten stretches and the bytes are what
 * all interfaces of its machine sent in a step.
 */
public final class GroupStep {
  static final String PREFIX = "STEP";
  private static final int STRETCHES = 10;
  private static final int LENGTH = 256;

  private GroupStep() {}

  /** A model by its name; texts of 27 letters. */
  static Network network(String name) {
    return switch (name) {
      case "lstm" -> new Lstm(64, 512, 1); // what ringflow train takes on a CPU
      case "attention" -> new Transformer(256, 6, 8, 1024);
      case "deep" -> new Transformer(512, 12, 8, 2048); // 1.43 bits of a letter on a GPU
      default -> throw new IllegalArgumentException("no such model: " + name);
    };
  }

  /** Trains, and rank 0 prints. */
  public static void main(String[] args) throws IOException {
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
    Device device = Device.of(args[1]);
    int batch = Integer.parseInt(args[2]);
    int steps = Integer.parseInt(args[3]);
    Space space = Space.uniform(LENGTH, 27);
    Architecture architecture =
        Architecture.of(space, new AutoregressiveBase(Order.natural(LENGTH), network(args[0])));
    boolean gpu = device == Device.CUDA;
    int stretch = Math.max(1, steps / (STRETCHES + 2)); // two to warm up
    TrainingOptions options =
        TrainingOptions.builder((STRETCHES + 2L) * stretch)
            .learningRate(1e-3)
            .precision(gpu ? Precision.BFLOAT16 : Precision.FLOAT32)
            .logEvery(stretch)
            .build();
    List<Double> seconds = new ArrayList<>();
    List<Long> bytes = new ArrayList<>();
    double[] loss = new double[1];
    try (ProcessGroup group = ProcessGroup.fromEnvironment(device);
        FlowModel model = FlowModel.create(architecture, device, 1)) {
      new Trainer(model, options)
          .group(group)
          .listener(
              new TrainingListener() {
                @Override
                public void progressed(Progress progress) {
                  seconds.add(progress.seconds());
                  bytes.add(sentBytes());
                  loss[0] = progress.loss();
                }
              })
          .train(Batches.shuffled(Models.rows(space, 4096), batch, 1));
      if (group.isRankZero()) {
        double sent = bytes.get(STRETCHES + 1) - bytes.get(1);
        System.out.printf(
            Locale.ROOT,
            "%s %d %.4f %.0f %.6f%n",
            PREFIX,
            model.parameterCount(),
            medianMillis(seconds) / stretch,
            sent / STRETCHES / stretch,
            loss[0]);
      }
    }
  }

  private static double medianMillis(List<Double> seconds) {
    List<Double> stretches = new ArrayList<>();
    for (int i = 2; i < seconds.size(); i++) {
      stretches.add(1e3 * (seconds.get(i) - seconds.get(i - 1)));
    }
    stretches.sort(null);
    return (stretches.get(STRETCHES / 2 - 1) + stretches.get(STRETCHES / 2)) / 2;
  }

  /** By all interfaces of this machine, as Linux counts, headers included. */
  private static long sentBytes() {
    try {
      return Files.readAllLines(Path.of("/proc/self/net/dev")).stream()
          .filter(line -> line.contains(":"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip().split("\\s+", -1))
          .mapToLong(fields -> Long.parseLong(fields[8]))
          .sum();
    } catch (IOException e) {
      return 0; // no Linux
    }
  }
}
