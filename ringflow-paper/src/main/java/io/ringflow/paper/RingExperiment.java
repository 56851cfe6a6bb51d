package io.ringflow.paper;

import io.ringflow.Architecture;
import io.ringflow.Autoregressive;
import io.ringflow.Bipartite;
import io.ringflow.FactorizedBase;
import io.ringflow.FlowModel;
import io.ringflow.Mask;
import io.ringflow.Order;
import io.ringflow.Shift;
import io.ringflow.Space;
import io.ringflow.network.Table;
import io.ringflow.paper.Outcome.Heatmap;
import io.ringflow.paper.Outcome.LineChart;
import io.ringflow.paper.Outcome.Reference;
import io.ringflow.paper.Outcome.Series;
import io.ringflow.torch.Device;
import io.ringflow.train.Batches;
import io.ringflow.train.Temperature;
import io.ringflow.train.Trainer;
import io.ringflow.train.TrainingListener;
import io.ringflow.train.TrainingOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Figure 2: a discretised ring of eight Gaussians, which a factorised base can't capture and one
 * layer can.
 *
 * <p>Every figure is the exact cross entropy over all 8,100 cells. Training data is drawn afresh
 * for every step.
 */
final class RingExperiment implements Experiment {
  private static final String NAME = "ring";
  private static final int BATCH = 512;
  private static final int STEPS = 1500;
  private static final int QUICK_STEPS = 200;
  private static final int REFIT_ROWS = 200_000;
  private static final double RATE = 0.1;
  private static final double PAPER_TEMPERATURE = 0.1;
  private static final double ANNEAL_FROM = 5;

  private static final String PEERS = "others 6.98-7.00";

  private final RingOfGaussians ring = RingOfGaussians.paper();
  private final Space space = Space.uniform(2, ring.k());
  private final Architecture factorised = Architecture.of(space, new FactorizedBase());
  private final Architecture bipartite =
      factorised.with(new Bipartite(Mask.even(2), new Table(), new Shift()));
  private final Architecture autoregressive =
      factorised.with(new Autoregressive(Order.natural(2), new Table(), new Shift()));

  /**
   * One row of the table.
   *
   * @param temperature null where nothing is trained, because the closed form is exact
   */
  private record Row(String name, Architecture architecture, Temperature temperature) {}

  private final List<Row> rows =
      List.of(
          new Row("factorised base", factorised, null),
          new Row("1 bipartite layer, tau 0.1", bipartite, Temperature.constant(PAPER_TEMPERATURE)),
          new Row(
              "1 bipartite layer, tau 5 to 0.1",
              bipartite,
              Temperature.annealed(ANNEAL_FROM, PAPER_TEMPERATURE)),
          new Row(
              "1 autoregressive layer, tau 5 to 0.1",
              autoregressive,
              Temperature.annealed(ANNEAL_FROM, PAPER_TEMPERATURE)));

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Ring of 8 Gaussians, two symbols of 90 states (Figure 2)";
  }

  @Override
  public int defaultSeeds() {
    return 3;
  }

  @Override
  public Outcome run(Settings settings, Monitor monitor) throws IOException {
    List<Result> results = new ArrayList<>();
    List<Heatmap> heatmaps = new ArrayList<>();
    List<Series> curves = new ArrayList<>();
    heatmaps.add(heatmap("data", "Data", ring.pmf()));
    for (long seed = settings.seed(); seed < settings.seed() + settings.seeds(); seed++) {
      for (Row row : rows) {
        boolean first = seed == settings.seed();
        results.add(
            fit(row, seed, settings, monitor, first ? heatmaps : null, first ? curves : null));
      }
    }
    return new Outcome(results, references(), heatmaps, List.of(learning(curves)), notes());
  }

  private Result fit(
      Row row,
      long seed,
      Settings settings,
      Monitor monitor,
      List<Heatmap> heatmaps,
      List<Series> curves)
      throws IOException {
    try (FlowModel model = FlowModel.create(row.architecture, Device.of(settings.device()), seed)) {
      long started = System.nanoTime();
      if (row.temperature == null) {
        model.refitBase(ring.sample(REFIT_ROWS, Batches.random(seed, 0)));
      } else {
        TrainingOptions options =
            TrainingOptions.builder(settings.quick() ? QUICK_STEPS : STEPS)
                .learningRate(RATE)
                .temperature(row.temperature)
                .build();
        Recorder recorder = new Recorder();
        TrainingListener shown = monitor.training(row.name + ", seed " + seed);
        Trainings.complete(
            new Trainer(model, options).listener(shown).listener(recorder),
            Batches.drawn(seed, random -> ring.sample(BATCH, random)));
        if (curves != null) {
          curves.add(recorder.curve(row.name));
        }
      }
      double seconds = (System.nanoTime() - started) * 1e-9;
      double[] logProbs = model.logProb(ring.cells());
      if (heatmaps != null) {
        heatmaps.add(heatmap(slug(row.name), row.name, table(logProbs)));
      }
      model.save(settings.out().resolve("models").resolve(slug(row.name) + "-seed-" + seed));
      return new Result(
          NAME,
          "K=" + ring.k(),
          row.name,
          "nll",
          "nats",
          ring.crossEntropy(logProbs),
          ring.entropy(),
          null,
          seed,
          seconds,
          settings.device());
    }
  }

  private List<Reference> references() {
    double oneShift = new RingOracle(ring.pmf()).bestShifts(20, Batches.random(1, 0));
    String setting = "K=" + ring.k();
    return rows.stream()
        .map(
            row ->
                row.temperature == null
                    ? new Reference(setting, row.name, ring.factorised(), ring.factorised(), "")
                    : new Reference(setting, row.name, ring.factorised(), oneShift, PEERS))
        .toList();
  }

  private LineChart learning(List<Series> curves) {
    List<Series> lines = new ArrayList<>(curves);
    if (!curves.isEmpty()) {
      double[] x = curves.get(0).x();
      double[] ends = {x[0], x[x.length - 1]};
      lines.add(
          new Series("factorised", ends, new double[] {ring.factorised(), ring.factorised()}));
      lines.add(new Series("entropy", ends, new double[] {ring.entropy(), ring.entropy()}));
    }
    return new LineChart("ring-learning", "Training loss, first seed", "step", "nats", lines);
  }

  private static List<String> notes() {
    return List.of(
        "Every NLL is the exact cross entropy over all 8,100 cells, not a sample's.",
        "The floor is the data's own entropy; no model can be below it. The family optimum is the best location-only"
            + " layer that coordinate descent over all 90 shifts finds from 20 starts; it is an upper bound of the true"
            + " optimum.",
        "Steps, batch and learning rate were chosen by looking at seeds 1 to 5; for seeds that were"
            + " not, use --seed 11 or above.",
        "The paper shows this experiment as a picture, without a figure. Others' runs of the method stop at 6.98 (a"
            + " public PyTorch port) and 7.00 (Argmax Flows, appendix).",
        "With two symbols, autoregressive and bipartite layers describe the same family of models: the autoregressive"
            + " one can also shift the first symbol by a constant, which the base undoes.");
  }

  private Heatmap heatmap(String name, String title, double[][] values) {
    return new Heatmap(NAME + "-" + name, title, "x", "y", values);
  }

  private double[][] table(double[] logProbs) {
    double[][] values = new double[ring.k()][ring.k()];
    for (int i = 0; i < logProbs.length; i++) {
      values[i / ring.k()][i % ring.k()] = Math.exp(logProbs[i]);
    }
    return values;
  }

  private static String slug(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }
}
