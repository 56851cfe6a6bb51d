package io.ringflow.paper.experiment;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.network.LookupTable;
import io.ringflow.paper.harness.Effort;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Heatmap;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Reference;
import io.ringflow.paper.harness.Trial;
import io.ringflow.paper.oracle.Entropy;
import io.ringflow.train.Batch;
import io.ringflow.train.Batches;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The example of section 3.2: a correlated pair of bits that one XOR layer makes independent.
 *
 * <p>A batch is a hundred rows in the exact proportions of the table, so that training sees the
 * distribution itself.
 */
final class XorExperiment extends PaperExperiment {
  /** p(x1, x2) of the paper, in percent. */
  private static final int[][] PERCENT = {{63, 7}, {3, 27}};

  private static final int STEPS = 1000;
  private static final int QUICK_STEPS = 300;
  private static final String SETTING = "D=2, K=2";
  private static final String FACTORISED = "factorised base";
  private static final String FLOW = "1 bipartite layer";

  XorExperiment() {
    super("xor", "Two correlated bits and one XOR layer (the example of section 3.2)", 3);
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    Architecture base = Architecture.of(Space.uniform(2, 2), new FactorizedBase());
    Architecture flow = base.with(new Bipartite(Mask.even(2), new LookupTable(), new Shift()));
    TrainingOptions options =
        TrainingOptions.builder(settings.effort() == Effort.QUICK ? QUICK_STEPS : STEPS)
            .learningRate(0.05)
            .build();
    Batches batches = Batches.shuffled(rows(), rows().length, seed);
    Trial.Training training = new Trial.Training(options, batches);
    return List.of(
        new Trial(
            SETTING, FACTORISED, seed, base, null, () -> Batch.of(rows()), XorExperiment::measure),
        new Trial(SETTING, FLOW, seed, flow, training, null, XorExperiment::measure));
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    List<Heatmap> heatmaps = new ArrayList<>();
    List<Outcome.Series> curves = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Map<String, double[][]> tables = new LinkedHashMap<>();
    tables.put("data", data());
    heatmaps.add(heatmap("data", "Data", data()));
    for (Finished one : finished) {
      Trial trial = one.trial();
      boolean flow = trial.model().equals(FLOW);
      boolean first = trial.seed() == settings.seed();
      try (FlowModel model = one.load(settings)) {
        if (flow) {
          notes.add("Seed " + trial.seed() + ": " + describe(model));
        }
        if (first) {
          tables.put(trial.model(), table(model));
          heatmaps.add(
              flow
                  ? heatmap("flow", "One layer", table(model))
                  : heatmap("factorised", "Factorised base", table(model)));
        }
      }
      if (first && one.curve() != null) {
        curves.add(one.curve());
      }
    }
    notes.add(
        "Every NLL is the exact cross entropy over the four cells. The family optimum is the floor: with p(x1) = [0.7, 0.3],"
            + " p(x2) = [0.9, 0.1] and XOR the model is exact.");
    LineChart learning =
        new LineChart("xor-learning", "Training loss, first seed", "step", "nats", curves);
    return new Outcome(
        Finished.results(finished),
        references(),
        heatmaps,
        List.of(learning),
        List.of(listing(tables)),
        notes);
  }

  /** The paper's table of probabilities, and what models make of it. */
  private Listing listing(Map<String, double[][]> tables) {
    List<String> lines = new ArrayList<>();
    var headings = new StringBuilder("x1 x2");
    tables.keySet().forEach(name -> headings.append(String.format("  %6s", name)));
    lines.add(headings.toString());
    for (int x1 = 0; x1 < 2; x1++) {
      for (int x2 = 0; x2 < 2; x2++) {
        var line = new StringBuilder(" " + x1 + "  " + x2);
        for (Map.Entry<String, double[][]> table : tables.entrySet()) {
          String value = String.format(Locale.ROOT, "%.4f", table.getValue()[x1][x2]);
          int blank = Math.max(0, table.getKey().length() - value.length());
          line.append("  ").append(" ".repeat(blank)).append(value);
        }
        lines.add(line.toString());
      }
    }
    return new Listing(name() + "-table", "p(x1, x2), first seed", lines);
  }

  /** What the layer learned, in the paper's terms. */
  static String describe(FlowModel model) {
    int[][] all = model.architecture().space().enumerate();
    int[][] base = model.encode(all);
    int atZero = base[0][1]; // where (0, 0) goes: the shift when x1 is 0
    int atOne = base[2][1]; // where (1, 0) goes: the shift when x1 is 1
    double[] p = table(model, all);
    String layer =
        atZero == atOne ? "does not look at x1" : atZero == 0 ? "is XOR" : "is XOR with a flip";
    return String.format(
        Locale.ROOT,
        "the learned layer %s; the model's table is %.4f %.4f / %.4f %.4f (the paper's: 0.63 0.07 / 0.03 0.27).",
        layer,
        p[0],
        p[1],
        p[2],
        p[3]);
  }

  private static double[] table(FlowModel model, int[][] all) {
    double[] p = model.logProb(all);
    for (int i = 0; i < p.length; i++) {
      p[i] = Math.exp(p[i]);
    }
    return p;
  }

  private static double[][] table(FlowModel model) {
    double[] p = table(model, model.architecture().space().enumerate());
    return new double[][] {{p[0], p[1]}, {p[2], p[3]}};
  }

  static double[][] data() {
    double[][] p = new double[2][2];
    for (int x1 = 0; x1 < 2; x1++) {
      for (int x2 = 0; x2 < 2; x2++) {
        p[x1][x2] = PERCENT[x1][x2] / 100.0;
      }
    }
    return p;
  }

  static int[][] rows() {
    List<int[]> rows = new ArrayList<>();
    for (int x1 = 0; x1 < 2; x1++) {
      for (int x2 = 0; x2 < 2; x2++) {
        for (int i = 0; i < PERCENT[x1][x2]; i++) {
          rows.add(new int[] {x1, x2});
        }
      }
    }
    return rows.toArray(new int[0][]);
  }

  private static List<Trial.Measure> measure(FlowModel model) {
    double[][] q = table(model);
    double[][] p = data();
    double nll = 0;
    double entropy = 0;
    for (int x1 = 0; x1 < 2; x1++) {
      for (int x2 = 0; x2 < 2; x2++) {
        nll -= p[x1][x2] * Math.log(q[x1][x2]);
        entropy -= p[x1][x2] * Math.log(p[x1][x2]);
      }
    }
    return List.of(Trial.Measure.exact("nll", "nats", nll, entropy, null));
  }

  private static List<Reference> references() {
    double[][] p = data();
    double factorised = binaryEntropy(p[0][0] + p[0][1]) + binaryEntropy(p[0][0] + p[1][0]);
    double exact = binaryEntropy(0.7) + binaryEntropy(0.9);
    return List.of(
        new Reference(SETTING, FACTORISED, factorised, factorised, ""),
        new Reference(SETTING, FLOW, factorised, exact, ""));
  }

  private static double binaryEntropy(double p) {
    return Entropy.of(new double[] {p, 1 - p});
  }

  private Heatmap heatmap(String name, String title, double[][] values) {
    return new Heatmap(name() + "-" + name, title, "x1", "x2", values);
  }
}
