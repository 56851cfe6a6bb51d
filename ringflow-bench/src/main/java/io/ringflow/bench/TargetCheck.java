package io.ringflow.bench;

import io.ringflow.core.Device;
import io.ringflow.infer.FactorGraph;
import io.ringflow.infer.Lattice;
import io.ringflow.infer.SpinModels;
import io.ringflow.internal.engine.TensorWeights;
import io.ringflow.spi.TensorTarget;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Compares the weights that graphs give on tensors with their plain form, on a device: the largest
 * difference, and the time of both.
 *
 * <pre>
 *   java io.ringflow.bench.TargetCheck [DEVICE [ROWS]]
 * </pre>
 */
public final class TargetCheck {
  private static final double MAX_DIFFERENCE = 1e-9;
  private static final int RUNS = 20;

  private TargetCheck() {}

  /** Prints the table; ends with 1 where a difference is too large. */
  public static void main(String[] args) {
    var arguments = Arguments.of(args);
    Device device = Device.of(arguments.text(0, "auto"));
    int count = arguments.integer(1, 1024);
    Map<String, FactorGraph> graphs = new LinkedHashMap<>();
    graphs.put("Ising 16x16", SpinModels.ising(Lattice.torus(16), 0.44, 1, 0));
    graphs.put("Ising 24x24", SpinModels.ising(Lattice.torus(24), 0.4407, 1, 0));
    graphs.put("Potts 8x8, q=3", SpinModels.potts(Lattice.torus(8), 3, 1.005));
    graphs.put("glass of 20 spins", SpinModels.sherringtonKirkpatrick(20, 2, 1));
    System.out.printf("%d rows, %s%n", count, device);
    System.out.printf("%-20s%14s%12s%14s%n", "graph", "difference", "plain ms", "on tensors ms");
    boolean close = true;
    for (Map.Entry<String, FactorGraph> one : graphs.entrySet()) {
      FactorGraph graph = one.getValue();
      TensorTarget tensors = graph.onTensors();
      int[][] rows = rows(graph, count);
      double[] plain = graph.logWeights(rows);
      double[] placed = TensorWeights.of(tensors, rows, device);
      double difference = 0;
      for (int i = 0; i < count; i++) {
        difference = Math.max(difference, Math.abs(plain[i] - placed[i]));
      }
      close &= difference <= MAX_DIFFERENCE;
      System.out.printf(
          Locale.ROOT,
          "%-20s%14.1e%12.3f%14.3f%n",
          one.getKey(),
          difference,
          milliseconds(() -> graph.logWeights(rows)),
          milliseconds(() -> TensorWeights.of(tensors, rows, device)));
    }
    System.exit(close ? 0 : 1);
  }

  private static int[][] rows(FactorGraph graph, int count) {
    SplittableRandom random = new SplittableRandom(1);
    int[][] rows = new int[count][graph.space().size()];
    for (int[] row : rows) {
      Arrays.setAll(row, d -> random.nextInt(graph.space().cardinality(d)));
    }
    return rows;
  }

  private static double milliseconds(Supplier<double[]> work) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < RUNS; i++) {
      long began = System.nanoTime();
      double[] weights = work.get();
      best = Math.min(best, (System.nanoTime() - began) * 1e-6 + 0 * weights[0]);
    }
    return best;
  }
}
