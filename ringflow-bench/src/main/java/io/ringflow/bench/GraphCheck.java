package io.ringflow.bench;

import io.ringflow.base.AutoregressiveBase;
import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupBase;
import io.ringflow.core.Device;
import io.ringflow.core.Groups;
import io.ringflow.core.Machine;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Pack;
import io.ringflow.layer.Permute;
import io.ringflow.layer.ShiftScale;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.network.Lstm;
import io.ringflow.network.Made;
import io.ringflow.network.NgramMixture;
import io.ringflow.network.PatchTransformer;
import io.ringflow.network.Transformer;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.train.Batches;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import io.ringflow.train.WarmStart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * Compares what graphs compute on a GPU with what plain calls do: every evaluation of models of
 * every kind, and trainings.
 *
 * <pre>
 *   java io.ringflow.bench.GraphCheck
 * </pre>
 */
public final class GraphCheck {
  private static final int LENGTH = 32;
  private static final Space SPACE = Space.uniform(LENGTH, 27);
  private static final int ROWS = 100;

  private GraphCheck() {}

  /** Prints a table; exits with 1 where something differs. */
  public static void main(String[] args) throws IOException {
    System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
    System.out.println(Machine.describe());
    System.out.println(
        "| model | rows differ | likelihoods differ by | losses differ by | rows unlike the CPU's |");
    System.out.println("|---|--:|--:|--:|--:|");
    boolean same = true;
    for (Map.Entry<String, Architecture> each : architectures().entrySet()) {
      same &= compare(each.getKey(), each.getValue());
    }
    System.setProperty("ringflow.graphs", "true");
    System.out.println();
    System.out.println("| memory and threads | seen |");
    System.out.println("|---|---|");
    same &= said("30 models captured and closed keep, MiB", kept() >> 20, 64);
    same &= said("rows that differ between two models on two threads", twoThreads(), 0);
    same &= said("rows that differ on a full GPU", fullGpu(), 0);
    if (!same) {
      throw new IllegalStateException("graphs and plain calls differ");
    }
  }

  private static boolean said(String what, long seen, long most) {
    System.out.printf(Locale.ROOT, "| %s | %d |%n", what, seen);
    return seen <= most;
  }

  private static Architecture large() {
    Order order = Order.natural(128);
    Transformer network = new Transformer(256, 4, 8, 512);
    return Architecture.of(Space.uniform(128, 27), new AutoregressiveBase(order, network));
  }

  /** Bytes of the GPU that models leave behind after their first few. */
  private static long kept() {
    long[] free = new long[2];
    for (int i = 0; i < 30; i++) {
      try (FlowModel model = FlowModel.create(large(), Device.CUDA, 1)) {
        for (int j = 0; j < 3; j++) {
          model.sample(64, j);
        }
      }
      if (i == 4) {
        free[0] = freeBytes();
      }
    }
    free[1] = freeBytes();
    return free[0] - free[1];
  }

  private static long freeBytes() {
    try (Scope scope = Scope.inference()) {
      torch_cuda.getAllocator().emptyCache();
      return torch_cuda.getAllocator().getMemoryInfo((byte) 0).first();
    }
  }

  /** Two models, each used by two threads at once, against one thread. */
  private static long twoThreads() {
    try (FlowModel one = FlowModel.create(large(), Device.CUDA, 1);
        FlowModel other = FlowModel.create(large(), Device.CUDA, 2)) {
      List<FlowModel> models = List.of(one, other);
      List<int[][]> expected = models.stream().map(model -> model.sample(50, 7)).toList();
      return IntStream.range(0, 16)
          .parallel()
          .mapToLong(
              i -> {
                int[][] rows = models.get(i % 2).sample(50, 7);
                return IntStream.range(0, 50)
                    .filter(row -> !Arrays.equals(rows[row], expected.get(i % 2)[row]))
                    .count();
              })
          .sum();
    }
  }

  /** With 1.5 GiB left nothing large can be captured, and rows are sampled in smaller chunks. */
  private static long fullGpu() {
    try (FlowModel model = FlowModel.create(large(), Device.CUDA, 1);
        TensorOwner owner = new TensorOwner()) {
      int[][] expected = model.sample(1000, 3);
      try (Scope scope = Scope.inference()) {
        long bytes = freeBytes() - (3L << 29);
        owner.keep(Tensors.zeros(Precision.FLOAT32, Device.CUDA, bytes / 4));
      }
      long differ = 0;
      for (int i = 0; i < 3; i++) {
        int[][] rows = model.sample(1000, 3);
        for (int row = 0; row < rows.length; row++) {
          differ += Arrays.equals(rows[row], expected[row]) ? 0 : 1;
        }
      }
      return differ;
    }
  }

  private static Map<String, Architecture> architectures() {
    Map<String, Architecture> all = new LinkedHashMap<>();
    Transformer transformer = new Transformer(64, 2, 4, 128);
    Order natural = Order.natural(LENGTH);
    all.put("Transformer", base(new AutoregressiveBase(natural, transformer)));
    all.put("LSTM", base(new AutoregressiveBase(natural, new Lstm(32, 64, 2))));
    all.put("MADE", base(new AutoregressiveBase(natural, new Made(128, 2))));
    all.put(
        "groups of pairs",
        new Architecture(
            SPACE,
            Space.NONE,
            new GroupBase(Groups.growing(LENGTH / 2, 6), transformer),
            List.of(new Pack(2))));
    all.put(
        "counted n-grams",
        base(
            new AutoregressiveBase(
                natural, new NgramMixture(new Lstm(32, 64, 1), 4, 2000).withWords(List.of(0, 7)))));
    all.put(
        "counted n-grams on both sides, patches",
        base(
            new GroupBase(
                Groups.growing(LENGTH / 4, 3).inPatches(4),
                new NgramMixture(
                    new PatchTransformer(transformer, 4, 101, 2, transformer), 4, 2000))));
    Architecture bipartite = Architecture.of(SPACE, new FactorizedBase(null, 3));
    for (int i = 0; i < 4; i++) {
      Mask mask = i % 2 == 0 ? Mask.even(LENGTH) : Mask.odd(LENGTH);
      bipartite = bipartite.with(new Bipartite(mask, transformer, new ShiftScale(1)));
    }
    all.put("bipartite, shift and scale", bipartite);
    all.put(
        "autoregressive layers",
        Architecture.of(SPACE, new FactorizedBase(null, 3))
            .with(new Autoregressive(natural, transformer, new ShiftScale(1)))
            .with(
                new Autoregressive(
                    Order.reversed(LENGTH), new Lstm(32, 64, 1), new ShiftScale(1))));
    all.put(
        "table, permutations",
        Architecture.of(Space.uniform(4, 5), new FactorizedBase(null, 1))
            .with(new Autoregressive(Order.natural(4), new LookupTable(), new Permute())));
    return all;
  }

  private static Architecture base(io.ringflow.base.Base base) {
    return Architecture.of(SPACE, base);
  }

  /** What a model says, three times each: plainly, captured, and repeated. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Said(List<int[][]> rows, List<double[]> scores, double[] losses) {}

  private static boolean compare(String name, Architecture architecture) throws IOException {
    Said plain = said(architecture, false);
    Said graphs = said(architecture, true);
    long rows = 0;
    for (int i = 0; i < plain.rows.size(); i++) {
      for (int row = 0; row < plain.rows.get(i).length; row++) {
        rows += Arrays.equals(plain.rows.get(i)[row], graphs.rows.get(i)[row]) ? 0 : 1;
      }
    }
    double scores = 0;
    for (int i = 0; i < plain.scores.size(); i++) {
      scores = Math.max(scores, distance(plain.scores.get(i), graphs.scores.get(i)));
    }
    double losses = distance(plain.losses, graphs.losses);
    long unlike = unlikeCpu(architecture);
    System.out.printf(
        Locale.ROOT, "| %s | %d | %.1e | %.1e | %d |%n", name, rows, scores, losses, unlike);
    return rows == 0 && scores < 1e-9 && losses < 1e-2 && unlike == 0;
  }

  /** How many rows of the same seed differ between the devices. */
  private static long unlikeCpu(Architecture architecture) {
    try (FlowModel here = counted(architecture, Device.CPU);
        FlowModel there = counted(architecture, Device.CUDA)) {
      int[][] expected = here.sample(ROWS, 1);
      long unlike = 0;
      for (int i = 0; i < 3; i++) {
        unlike += unlike(there.sample(ROWS, 1), expected);
        unlike += unlike(tempered(there, i), tempered(here, i));
      }
      return unlike;
    }
  }

  private static FlowModel counted(Architecture architecture, Device device) {
    FlowModel model = FlowModel.create(architecture, device, 1);
    if (!EngineAccess.of(model).weights().statistics().isEmpty()) {
      WarmStart.fitBase(model, Models.rows(architecture.space(), 500));
    }
    return model;
  }

  private static long unlike(int[][] rows, int[][] expected) {
    return IntStream.range(0, ROWS).filter(i -> !Arrays.equals(rows[i], expected[i])).count();
  }

  /** At another temperature each time: what is captured must serve them all. */
  private static int[][] tempered(FlowModel model, int time) {
    SamplingOptions options = SamplingOptions.DEFAULTS.withTemperature(0.5 + 0.3 * time);
    return model.sample(ROWS, 1, options, ProgressListener.IGNORED);
  }

  private static double distance(double[] one, double[] other) {
    double far = 0;
    for (int i = 0; i < one.length; i++) {
      far = Math.max(far, Math.abs(one[i] - other[i]));
    }
    return far;
  }

  private static Said said(Architecture architecture, boolean graphs) throws IOException {
    System.setProperty("ringflow.graphs", Boolean.toString(graphs));
    List<int[][]> rows = new ArrayList<>();
    List<double[]> scores = new ArrayList<>();
    try (FlowModel model = counted(architecture, Device.CUDA)) {
      double[] losses = losses(model, architecture.space());
      for (int i = 0; i < 3; i++) {
        int[][] data = Models.rows(architecture.space(), ROWS + i);
        scores.add(model.logProb(data));
        int[][] encoded = model.encode(data);
        rows.add(encoded);
        rows.add(model.decode(encoded));
        rows.add(model.sample(ROWS, i));
        rows.add(tempered(model, i));
        rows.add(
            new Conditionals(EngineAccess.of(model))
                .choose(ROWS, (row, turn, logProbs, from) -> (row + turn) % 5));
        model.sample(ROWS, i, Precision.BFLOAT16);
      }
      return new Said(rows, scores, losses);
    }
  }

  private static double[] losses(FlowModel model, Space space) throws IOException {
    List<Double> losses = new ArrayList<>();
    TrainingOptions options =
        TrainingOptions.builder(20)
            .logEvery(1)
            .objective(model.architecture().defaultObjective())
            .dropout(0.1)
            .build();
    new Trainer(model, options)
        .listener(
            new TrainingListener() {
              @Override
              public void progressed(Progress progress) {
                losses.add(progress.loss());
              }
            })
        .train(Batches.shuffled(Models.rows(space, 500), 64, 1));
    return losses.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
