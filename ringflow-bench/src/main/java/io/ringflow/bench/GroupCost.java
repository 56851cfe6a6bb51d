package io.ringflow.bench;

import static io.ringflow.bench.ValueTable.value;

import io.ringflow.cli.distributed.TwoHosts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What training by a process group costs: bytes compared with the least that a ring needs, two
 * processes with one of two threads, and steps over a narrow wire with a forecast of them.
 *
 * <pre>
 *   java io.ringflow.bench.GroupCost [ROUNDS]
 * </pre>
 *
 * <p>The wire needs Linux, root and iproute2.
 */
public final class GroupCost {
  private static final String LSTM = "LSTM of `ringflow train`, batch 16";
  private static final String ATTENTION = "Transformer, 6 layers of 256, batch 8";

  /** As {@code GradientExchange} cuts that Transformer. */
  private static final int PARTS_OF_ATTENTION = 4;

  private static final int STEPS = 36;
  private static final double WIRE_LATENCY = 100e-6;

  private final int rounds;
  private final ProgressLines progress = new ProgressLines(System.err);

  private GroupCost(int rounds) {
    this.rounds = rounds;
  }

  /** What {@link GroupStep} printed. */
  private record Step(long parameters, double millis, double bytes, double loss) {
    static Step of(String line) {
      String[] words = line.split(" ", -1);
      return new Step(
          Long.parseLong(words[1]),
          Double.parseDouble(words[2]),
          Double.parseDouble(words[3]),
          Double.parseDouble(words[4]));
    }
  }

  /** A model of {@link GroupStep} and its batch. */
  private record Work(String name, String model, int batch) {}

  private static final List<Work> WORKS =
      List.of(new Work(LSTM, "lstm", 16), new Work(ATTENTION, "attention", 8));

  /** Prints three tables. */
  public static void main(String[] args) throws IOException, InterruptedException {
    new GroupCost(args.length > 0 ? Integer.parseInt(args[0]) : 3).print();
  }

  private void print() throws IOException, InterruptedException {
    long started = System.nanoTime();
    bytes();
    processesAgainstThreads();
    wires();
    System.out.println(ValueTable.provenance("Seed 1", (System.nanoTime() - started) * 1e-9));
  }

  private void bytes() throws IOException, InterruptedException {
    ValueTable table =
        new ValueTable(
            "model",
            "parameters",
            "processes",
            "bytes a step",
            "2 (N - 1) x 4 bytes each",
            "ratio",
            "loss, of one process's");
    for (Work work : WORKS) {
      double alone = alone(work, 2).loss;
      for (int size : new int[] {2, 4}) {
        Step step = group(work, size);
        double least = 2.0 * (size - 1) * Float.BYTES * step.parameters;
        table.row(
            work.name,
            value("%,d", step.parameters),
            value("%d", size),
            value("%,.0f", step.bytes),
            value("%,.0f", least),
            value("%.4f", step.bytes / least),
            value("%+.1e", step.loss / alone - 1));
      }
    }
    System.out.println("What all processes of a machine send in a step, headers included:");
    System.out.println();
    System.out.println(table);
  }

  private void processesAgainstThreads() throws IOException, InterruptedException {
    ValueTable table =
        new ValueTable(
            "model", "one process, two threads, ms", "two processes, a thread each, ms", "ratio");
    for (Work work : WORKS) {
      List<Double> threads = new ArrayList<>();
      List<Double> processes = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        threads.add(alone(work, 2).millis);
        processes.add(group(work, 2).millis);
      }
      table.row(
          work.name,
          value("%.1f", median(threads)),
          value("%.1f", median(processes)),
          value("%.2f", median(processes) / median(threads)));
    }
    System.out.println(
        value("Milliseconds of a step, the same batch; medians of %d rounds in turn:", rounds));
    System.out.println();
    System.out.println(table);
  }

  private void wires() throws IOException, InterruptedException {
    ValueTable table =
        new ValueTable("wire", "computes, ms", "exchange, ms", "forecast, ms", "measured, ms");
    Work work = WORKS.get(1);
    // Half the batch, beside another process that does the same: what a rank has to compute.
    double compute = apart(new Work(work.name, work.model, work.batch / 2));
    for (double rate : new double[] {1e9, 3e8, 1e8}) {
      Step step;
      try (TwoHosts hosts = TwoHosts.withBandwidth(value("%.0fbit", rate))) {
        step =
            run(
                2,
                rank -> hosts.inside(rank, command(work)),
                Map.of("MASTER_ADDR", hosts.address(0)));
      }
      var forecast = new StepForecast(compute, step.parameters, PARTS_OF_ATTENTION);
      table.row(
          value("%.0f Mbit/s", rate / 1e6),
          value("%.0f", compute),
          value("%.0f", forecast.exchangeMillis(2, rate / 8, WIRE_LATENCY)),
          value("%.0f", forecast.millis(2, rate / 8, WIRE_LATENCY)),
          value("%.0f", step.millis));
    }
    System.out.println(work.name + ", two hosts, one process each:");
    System.out.println();
    System.out.println(table);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private Step alone(Work work, int threads) throws IOException, InterruptedException {
    return run(1, rank -> command(work), Map.of("OMP_NUM_THREADS", Integer.toString(threads)));
  }

  private Step group(Work work, int size) throws IOException, InterruptedException {
    return run(size, rank -> command(work), Map.of("MASTER_ADDR", "127.0.0.1"));
  }

  /** Two processes at once that know nothing of each other. */
  private double apart(Work work) throws IOException, InterruptedException {
    Process other = start(command(work), Map.of("OMP_NUM_THREADS", "1"));
    Step step = run(1, rank -> command(work), Map.of("OMP_NUM_THREADS", "1"));
    other.destroy();
    other.waitFor();
    return step.millis;
  }

  private static List<String> command(Work work) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        GroupStep.class.getName(),
        work.model,
        "cpu",
        Integer.toString(work.batch),
        Integer.toString(STEPS));
  }

  private Step run(int size, IntFunction<List<String>> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    int port = freePort();
    try {
      for (int rank = 0; rank < size; rank++) {
        var builder = new ProcessBuilder(command.apply(rank));
        if (environment.containsKey("MASTER_ADDR")) {
          builder.environment().put("WORLD_SIZE", Integer.toString(size));
          builder.environment().put("RANK", Integer.toString(rank));
          builder.environment().put("MASTER_PORT", Integer.toString(port));
          builder.environment().put("OMP_NUM_THREADS", "1");
        }
        builder.environment().putAll(environment);
        processes.add(begun(builder));
      }
      Step step = null;
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(processes.get(0).getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          step = line.startsWith(GroupStep.PREFIX) ? Step.of(line) : step;
        }
      }
      for (Process process : processes) {
        process.waitFor();
      }
      if (step == null) {
        throw new IOException("no result from " + command.apply(0));
      }
      progress.now("%d processes: %.1f ms a step, %,.0f bytes", size, step.millis, step.bytes);
      return step;
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private static Process start(List<String> command, Map<String, String> environment)
      throws IOException {
    var builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return begun(builder.redirectOutput(ProcessBuilder.Redirect.DISCARD));
  }

  private static Process begun(ProcessBuilder builder) throws IOException {
    builder.environment().put("OPENBLAS_NUM_THREADS", builder.environment().get("OMP_NUM_THREADS"));
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
