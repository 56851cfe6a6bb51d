package io.ringflow.bench;

import io.ringflow.Architecture;
import io.ringflow.AutoregressiveBase;
import io.ringflow.Bipartite;
import io.ringflow.FactorizedBase;
import io.ringflow.FlowModel;
import io.ringflow.Mask;
import io.ringflow.Order;
import io.ringflow.ShiftScale;
import io.ringflow.Space;
import io.ringflow.network.Transformer;
import io.ringflow.torch.Device;
import io.ringflow.torch.Machine;
import io.ringflow.torch.Precision;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.Locale;

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
    if (Boolean.getBoolean("cudnnAttention")) {
      StepProfile.attentionKernels(true);
    }
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
    row("autoregressive, 12 layers", autoregressive(), 12, 1, precision, peak);
    row("bipartite with scale, 8 x 3 layers", bipartite(), 24, 2, precision, peak);
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
    return Architecture.of(
        SPACE,
        new AutoregressiveBase(
            Order.natural(LENGTH), new Transformer(width, 12, HEADS, 4 * width)));
  }

  private Architecture bipartite() {
    Architecture architecture = Architecture.of(SPACE, new FactorizedBase(null, 3));
    for (int i = 0; i < 8; i++) {
      Mask mask = i % 2 == 0 ? Mask.even(LENGTH) : Mask.odd(LENGTH);
      Transformer network = new Transformer(width, 3, HEADS, 4 * width);
      architecture = architecture.with(new Bipartite(mask, network, new ShiftScale(1)));
    }
    return architecture;
  }

  /**
   * One model.
   *
   * @param blocks of attention and perceptron in all
   * @param halves 1 where attention looks at one side only and so does half the work
   */
  private void row(
      String name,
      Architecture architecture,
      int blocks,
      int halves,
      Precision precision,
      double peak)
      throws IOException {
    double rows = rowsPerSecond(architecture, precision);
    double matrices = 6.0 * blocks * 12 * width * width;
    double attention = 6.0 * blocks * LENGTH * width * halves;
    double characters = rows * LENGTH;
    System.out.printf(
        Locale.ROOT,
        "| %s | %.3f | %.1f | %.2f |%n",
        name,
        characters / 1e6,
        batch / rows * 1e3,
        characters * (matrices + attention) / peak);
  }

  private double rowsPerSecond(Architecture architecture, Precision precision) throws IOException {
    double[] speed = new double[1];
    TrainingOptions options =
        TrainingOptions.builder(2L * steps).logEvery(steps).precision(precision).build();
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
