package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import java.util.List;

/**
 * How long a step of a process group takes, from what one process computes and what a network
 * carries.
 *
 * <pre>
 *   exchange = 2 (N - 1) / N * 4 bytes * parameters / bandwidth + parts * 2 (N - 1) * latency
 *   hidden   = min(exchange, backward) * (parts - 1) / parts, where backward = 2/3 of the step
 *   step     = compute + exchange - hidden
 * </pre>
 *
 * <p>A ring sends every number twice but for a share that stays; the last part of the gradient is
 * complete only when the backward pass is over, so nothing hides it.
 *
 * <pre>
 *   java io.ringflow.bench.StepForecast PARAMETERS BATCH MILLIS [BATCH MILLIS...]
 * </pre>
 *
 * <p>prints a table for 8 and 64 GPUs, from the measured milliseconds of a process in a group of
 * one whose batch is one of those.
 *
 * @param computeMillis of one process, its own share of the batch
 * @param parameters of the model
 * @param parts in which the gradient goes
 */
record StepForecast(double computeMillis, long parameters, int parts) {
  private static final double BACKWARD = 2.0 / 3;

  /** As {@code GradientExchange} cuts a network of many layers. */
  private static final int PARTS_OF_LARGE = 6;

  /**
   * What carries the gradients of a number of GPUs.
   *
   * @param bytesPerSecond that each sends, and receives
   * @param latency of one message, in seconds
   */
  private record Wire(String name, int gpus, double bytesPerSecond, double latency) {}

  private static final List<Wire> WIRES =
      List.of(
          new Wire("8 GPUs of one machine, NVLink at 350 GB/s", 8, 350e9, 5e-6),
          new Wire("64 GPUs, 8 a machine, a 400 Gbit/s port each at 40 GB/s", 64, 40e9, 10e-6),
          new Wire("64 GPUs, one 100 Gbit/s port a machine: 1.2 GB/s each", 64, 1.2e9, 20e-6));

  double exchangeMillis(int processes, double bytesPerSecond, double latency) {
    double sent = 2.0 * (processes - 1) / processes * Float.BYTES * parameters;
    return 1e3 * (sent / bytesPerSecond + parts * 2.0 * (processes - 1) * latency);
  }

  double millis(int processes, double bytesPerSecond, double latency) {
    double exchange = exchangeMillis(processes, bytesPerSecond, latency);
    double hidden = Math.min(exchange, BACKWARD * computeMillis) * (parts - 1) / parts;
    return computeMillis + exchange - hidden;
  }

  /** Prints a table. */
  public static void main(String[] args) {
    long parameters = Long.parseLong(args[0]);
    ValueTable table =
        new ValueTable(
            "wire", "rows a GPU", "computes, ms", "exchange, ms", "step, ms", "of perfect");
    for (Wire wire : WIRES) {
      for (int i = 1; i + 1 < args.length; i += 2) {
        var forecast =
            new StepForecast(Double.parseDouble(args[i + 1]), parameters, PARTS_OF_LARGE);
        double step = forecast.millis(wire.gpus, wire.bytesPerSecond, wire.latency);
        table.row(
            wire.name,
            args[i],
            value("%.1f", forecast.computeMillis),
            value("%.1f", forecast.exchangeMillis(wire.gpus, wire.bytesPerSecond, wire.latency)),
            value("%.1f", step),
            value("%.0f %%", 100 * forecast.computeMillis / step));
      }
    }
    System.out.println(table);
  }
}
