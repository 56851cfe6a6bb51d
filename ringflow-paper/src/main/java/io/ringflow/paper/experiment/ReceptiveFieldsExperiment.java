package io.ringflow.paper.experiment;

import io.ringflow.base.FactorizedBase;
import io.ringflow.core.Mask;
import io.ringflow.core.Order;
import io.ringflow.core.Space;
import io.ringflow.layer.Autoregressive;
import io.ringflow.layer.Bipartite;
import io.ringflow.layer.Layer;
import io.ringflow.layer.Shift;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.model.ReceptiveField;
import io.ringflow.network.LookupTable;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome;
import io.ringflow.paper.harness.Outcome.Heatmap;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Listing;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Figure 1: which symbols of the data each output unit of one and two layers depends on.
 *
 * <p>Nothing is trained. Models with random weights are tried out: one symbol of a row is changed
 * at a time, and a unit that changes with it depends on it.
 */
final class ReceptiveFieldsExperiment extends PaperExperiment {
  static final String UNIT_TWO = "receptive field of unit 2";
  static final String AUTOREGRESSIVE_2 = "2 autoregressive layers";
  static final String NEIGHBOURS_2 = "2 bipartite layers that see neighbours";

  private static final String LARGEST = "largest receptive field";
  private static final String UNIT = "symbols";
  private static final int D = 8;
  private static final int K = 3;
  static final String SETTING = "D=" + D + ", K=" + K;

  /** "With 2 flows, the receptive field of output unit 2 is x_1:3." */
  private static final double PAPER = 3;

  /** Rows to try changes on; few sources of so many symbols are missed by as many. */
  private static final int ROWS = 40;

  private static final int NEIGHBOURS = 2;

  private final Map<String, List<Layer>> models = models();

  ReceptiveFieldsExperiment() {
    super("receptive-fields", "What the outputs of one and two layers depend on (Figure 1)", 1);
  }

  /** Layers by the model's name, the one next to the base first. */
  private static Map<String, List<Layer>> models() {
    Layer rightwards = new Autoregressive(Order.natural(D), new LookupTable(), new Shift());
    Layer leftwards = new Autoregressive(Order.reversed(D), new LookupTable(), new Shift());
    Map<String, List<Layer>> models = new LinkedHashMap<>();
    models.put("1 autoregressive layer", List.of(rightwards));
    models.put(AUTOREGRESSIVE_2, List.of(rightwards, leftwards));
    models.put("1 bipartite layer that sees neighbours", bipartite(NEIGHBOURS).subList(1, 2));
    models.put(NEIGHBOURS_2, bipartite(NEIGHBOURS));
    models.put("1 bipartite layer", bipartite(null).subList(1, 2));
    models.put("2 bipartite layers", bipartite(null));
    return models;
  }

  /**
   * Two layers.
   *
   * @param nearest how many of the kept symbols one that is moved sees; null for all
   */
  private static List<Layer> bipartite(Integer nearest) {
    return List.of(
        new Bipartite(Mask.odd(D), new LookupTable(nearest), new Shift()),
        new Bipartite(Mask.even(D), new LookupTable(nearest), new Shift()));
  }

  @Override
  public List<Trial> trials(Settings settings, long seed) {
    return models.entrySet().stream()
        .map(
            model ->
                new Trial(
                    SETTING,
                    model.getKey(),
                    seed,
                    new Architecture(
                        Space.uniform(D, K), Space.NONE, new FactorizedBase(), model.getValue()),
                    null,
                    null,
                    made -> measure(model.getKey(), field(made, seed))))
        .toList();
  }

  private static ReceptiveField field(FlowModel model, long seed) {
    return ReceptiveField.of(model, model.sample(ROWS, seed));
  }

  private static List<Trial.Measure> measure(String model, ReceptiveField field) {
    int largest = field.sources().stream().mapToInt(List::size).max().orElseThrow();
    return List.of(
        Trial.Measure.exact(
            UNIT_TWO,
            UNIT,
            field.sources().get(1).size(),
            null,
            model.equals(NEIGHBOURS_2) ? PAPER : null),
        Trial.Measure.exact(LARGEST, UNIT, largest, null, null));
  }

  @Override
  public Outcome outcome(Settings settings, List<Finished> finished) throws IOException {
    List<Heatmap> heatmaps = new ArrayList<>();
    List<Series> sizes = new ArrayList<>();
    List<Listing> listings = new ArrayList<>();
    for (Finished one : finished) {
      String name = one.trial().model();
      if (one.trial().seed() != settings.seed()) {
        continue;
      }
      try (FlowModel model = one.load(settings)) {
        ReceptiveField field = field(model, one.trial().seed());
        String file = name() + "-" + Trial.slug(name);
        heatmaps.add(
            new Heatmap(
                file, name, "symbol of the data, from 0", "output unit, from 0", picture(field)));
        listings.add(new Listing(file, name, lines(field)));
        sizes.add(
            new Series(
                name,
                IntStream.rangeClosed(1, D).asDoubleStream().toArray(),
                field.sources().stream().mapToDouble(List::size).toArray()));
      }
    }
    LineChart chart =
        new LineChart(
            name() + "-sizes", "How many symbols a unit depends on", "output unit", UNIT, sizes);
    return new Outcome(
        Finished.results(finished), List.of(), heatmaps, List.of(chart), listings, notes());
  }

  private static double[][] picture(ReceptiveField field) {
    double[][] values = new double[D][D];
    for (int unit = 0; unit < D; unit++) {
      for (int source : field.sources().get(unit)) {
        values[source][unit] = 1;
      }
    }
    return values;
  }

  /** A line for each unit, with a mark at every symbol it depends on. */
  private static List<String> lines(ReceptiveField field) {
    return IntStream.range(0, D)
        .mapToObj(
            unit -> {
              var line = new StringBuilder("unit " + (unit + 1) + "  ");
              for (int symbol = 0; symbol < D; symbol++) {
                line.append(field.sources().get(unit).contains(symbol) ? " x" : " .");
              }
              return line.toString();
            })
        .toList();
  }

  private static List<String> notes() {
    return List.of(
        "From data to base, as when likelihoods are computed. Weights are random, nothing is trained: each symbol of "
            + ROWS
            + " rows is changed in turn, and a unit that changes with it depends on it.",
        "The paper says of its figure: two autoregressive flows of opposite order give unit 2 left and right contexts;"
            + " with two bipartite flows, its receptive field is x_1:3. That holds where a unit sees its two nearest"
            + " kept symbols; one that sees all kept symbols depends on more.");
  }
}
