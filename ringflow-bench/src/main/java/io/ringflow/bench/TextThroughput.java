package io.ringflow.bench;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Device;
import io.ringflow.core.Machine;
import io.ringflow.core.Mask;
import io.ringflow.core.Objective;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.Lstm;
import io.ringflow.network.Network;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Condition;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.bytedeco.pytorch.Tensor;

/**
 * How fast the paper's text models train, in characters a second and as a share of what the
 * device's matrix units can do.
 *
 * <pre>
 *   java io.ringflow.bench.TextThroughput [DEVICE [STEPS [BATCH [WIDTH]]]]
 * </pre>
 *
 * <p>The share counts the arithmetic that the model itself asks for, forward once and backward
 * twice, whatever was in fact computed.
 */
public final class TextThroughput {
  private static final int LENGTH = 256;
  private static final Space SPACE = Space.uniform(LENGTH, 27);
  private static final int HEADS = 8;
  private static final int DEEP = 12;
  private static final int LAYERS = 8;
  private static final int SHALLOW = 3;

  private final Device device;
  private final int steps;
  private final int batch;
  private final int width;

  private TextThroughput(Device device, int steps, int batch, int width) {
    this.device = device;
    this.steps = steps;
    this.batch = batch;
    this.width = width;
  }

  /** Prints two tables. */
  public static void main(String[] args) throws IOException {
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
    Device device = Device.of(args.length > 0 ? args[0] : "auto");
    int steps = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    int batch = args.length > 2 ? Integer.parseInt(args[2]) : 128;
    int width = args.length > 3 ? Integer.parseInt(args[3]) : 512;
    new TextThroughput(device, steps, batch, width).print();
  }

  private void print() throws IOException {
    System.out.println(Machine.describe());
    Precision precision = device == Device.CUDA ? Precision.BFLOAT16 : Precision.FLOAT32;
    StepProfile profile = new StepProfile(device, precision, batch, LENGTH, width, HEADS);
    double peak = profile.matrixPeak();
    System.out.printf(
        Locale.ROOT,
        "%s matrix peak %.1f TFLOP/s; batch %d, length %d, width %d, %d steps%n%n",
        precision,
        peak / 1e12,
        batch,
        LENGTH,
        width,
        steps);
    System.out.println("| model | million characters/s | ms a step | share of the peak |");
    System.out.println("|---|---|---|---|");
    row("autoregressive, 12 layers", autoregressive(), Objective.STRAIGHT_THROUGH, precision, peak);
    row(
        "bipartite with scale, 8 x 3 layers",
        bipartite(),
        Objective.STRAIGHT_THROUGH,
        precision,
        peak);
    row("the same by mixtures of moves", bipartite(), Objective.MIXTURE, precision, peak);
    System.out.println();
    System.out.println("Queueing a step's work without waiting for it, and its end, ms:");
    System.out.println();
    System.out.println("| model | forward queued | backward queued | done after |");
    System.out.println("|---|---|---|---|");
    queueing("autoregressive, 12 layers", autoregressive(), precision);
    System.out.println();
    System.out.println("Sampling sequences, in float64, ms:");
    System.out.println();
    System.out.println("| model | one | 256 at once |");
    System.out.println("|---|---|---|");
    Network lstm = new Lstm(width, 2 * width, 2);
    generation("autoregressive Transformer, 12 layers", autoregressive());
    generation("autoregressive LSTM, 2 layers", base(lstm));
    generation("bipartite with scale, 8 x 3 layers", bipartite());
    System.out.println();
    System.out.println("Where a block's time goes, each part timed alone, forward and backward:");
    System.out.println();
    System.out.println("| part | ms | share of the peak |");
    System.out.println("|---|---|---|");
    for (StepProfile.Part part : profile.block()) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %.3f | %s |%n",
          part.name(),
          part.millis(),
          part.operations() == 0
              ? ""
              : String.format(Locale.ROOT, "%.2f", part.operations() / part.millis() * 1e3 / peak));
    }
  }

  private Architecture autoregressive() {
    return base(new Transformer(width, DEEP, HEADS, 4 * width));
  }

  private static Architecture base(Network network) {
    return Architecture.of(SPACE, new AutoregressiveBase(Order.natural(LENGTH), network));
  }

  private Architecture bipartite() {
    Architecture architecture = Architecture.of(SPACE, new FactorizedBase(null, 3));
    for (int i = 0; i < LAYERS; i++) {
      Mask mask = i % 2 == 0 ? Mask.even(LENGTH) : Mask.odd(LENGTH);
      Transformer network = new Transformer(width, SHALLOW, HEADS, 4 * width);
      architecture = architecture.with(new Bipartite(mask, network, new ShiftScale(1)));
    }
    return architecture;
  }

  private void row(
      String name, Architecture architecture, Objective objective, Precision precision, double peak)
      throws IOException {
    double rows = rowsPerSecond(architecture, objective, precision);
    boolean causal = architecture.layers().isEmpty();
    int blocks = causal ? DEEP : LAYERS * SHALLOW;
    double matrices = 6.0 * blocks * 12 * width * width;
    // Looking at one side only is half the work.
    double attention = 6.0 * blocks * LENGTH * width * (causal ? 1 : 2);
    double characters = rows * LENGTH;
    System.out.printf(
        Locale.ROOT,
        "| %s | %.3f | %.1f | %.2f |%n",
        name,
        characters / 1e6,
        batch / rows * 1e3,
        characters * (matrices + attention) / peak);
  }

  /** How long the host takes to queue the work of a base's step, and the device to do it. */
  private void queueing(String name, Architecture architecture, Precision precision) {
    int[][] rows = Models.rows(SPACE, batch);
    try (FlowModel model = FlowModel.create(architecture, device, 1);
        Weights weights = EngineAccess.of(model).weights().copyIn(precision)) {
      weights.trackGradients();
      double[] best = new double[3];
      Arrays.fill(best, Double.POSITIVE_INFINITY);
      for (int i = 0; i < 8; i++) {
        StepProfile.synchronize(device);
        try (Scope scope = Scope.training()) {
          long started = System.nanoTime();
          Symbols data = Symbols.of(Tensors.ids(rows, LENGTH, device));
          Tensor loss =
              Scope.handUp(
                  () ->
                      EngineAccess.of(model)
                          .base()
                          .logProb(data, new EvaluationContext(weights, Condition.NONE))
                          .mean()
                          .neg());
          long forward = System.nanoTime();
          loss.backward();
          long backward = System.nanoTime();
          StepProfile.synchronize(device);
          best[0] = Math.min(best[0], (forward - started) * 1e-6);
          best[1] = Math.min(best[1], (backward - forward) * 1e-6);
          best[2] = Math.min(best[2], (System.nanoTime() - started) * 1e-6);
        }
      }
      System.out.printf(
          Locale.ROOT, "| %s | %.1f | %.1f | %.1f |%n", name, best[0], best[1], best[2]);
    }
  }

  private void generation(String name, Architecture architecture) {
    try (FlowModel model = FlowModel.create(architecture, device, 1)) {
      System.out.printf(
          Locale.ROOT, "| %s | %.2f | %.2f |%n", name, millis(model, 1), millis(model, 256));
    }
  }

  /** The fastest of four samplings, of which the first warms up. */
  private static double millis(FlowModel model, int count) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 4; i++) {
      long started = System.nanoTime();
      int sampled = model.sample(count, i).length;
      best = Math.min(best, (System.nanoTime() - started) * 1e-6 * count / sampled);
    }
    return best;
  }

  private double rowsPerSecond(Architecture architecture, Objective objective, Precision precision)
      throws IOException {
    double[] speed = new double[1];
    TrainingOptions options =
        TrainingOptions.builder(2L * steps)
            .logEvery(steps)
            .precision(precision)
            .objective(objective)
            .build();
    int[][] rows = Models.rows(SPACE, batch);
    try (FlowModel model = FlowModel.create(architecture, device, 1)) {
      new Trainer(model, options)
          .listener(
              new TrainingListener() {
                @Override
                public void progressed(Progress progress) {
                  speed[0] = progress.rowsPerSecond(); // the second half's stays
                }
              })
          .train(Batches.shuffled(rows, batch, 1));
    }
    return speed[0];
  }
}
