package io.ringflow.paper.experiment;

import io.ringflow.infer.WeightedSamples;
import io.ringflow.paper.harness.Finished;
import io.ringflow.paper.harness.Outcome.LineChart;
import io.ringflow.paper.harness.Outcome.Series;
import io.ringflow.paper.harness.Result;
import io.ringflow.paper.harness.Trial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Pictures of what lattices of Ising spins do: how magnetic they are, and their free energy. */
final class IsingCharts {
  private static final int MAX_BINS = 33;

  private final String experiment;
  private final Map<String, WeightedSamples> samples = new LinkedHashMap<>();
  private final Map<String, Map<SpinLattice, double[]>> logPartitions = new LinkedHashMap<>();

  IsingCharts(String experiment) {
    this.experiment = experiment;
  }

  /** Adds samples of a model of the lattice that the next chart is of. */
  void add(String model, WeightedSamples drawn) {
    samples.put(model, drawn);
  }

  /**
   * How often which magnetisation occurs, by the samples' weights: under the lattice itself, not
   * under the model.
   */
  LineChart magnetisation(SpinLattice lattice) {
    int sites = lattice.side() * lattice.side();
    int bins = Math.min(sites + 1, MAX_BINS);
    List<Series> series = new ArrayList<>();
    samples.forEach(
        (model, drawn) -> {
          double[] logRatios = drawn.logRatios();
          double largest = Arrays.stream(logRatios).max().orElseThrow();
          double[] x = new double[bins];
          double[] y = new double[bins];
          Arrays.setAll(x, bin -> -1 + 2.0 * bin / (bins - 1));
          double sum = 0;
          for (int i = 0; i < logRatios.length; i++) {
            double weight = Math.exp(logRatios[i] - largest);
            double up = (double) Arrays.stream(drawn.rows()[i]).sum() / sites;
            y[(int) Math.round(up * (bins - 1))] += weight;
            sum += weight;
          }
          double total = sum;
          series.add(
              new Series(model, x, Arrays.stream(y).map(weight -> weight / total).toArray()));
        });
    samples.clear();
    return new LineChart(
        experiment + "-magnetisation-" + Trial.slug(lattice.setting()),
        lattice.setting() + ": magnetisation, samples by their weights",
        "magnetisation per spin",
        "probability",
        series);
  }

  /** Adds what a finished model says of a lattice's log Z, beside the exact value. */
  void add(SpinLattice lattice, Finished one, double exact) {
    double found =
        one.results().stream()
            .filter(result -> result.metric().equals(InferenceTask.LOG_Z))
            .mapToDouble(Result::value)
            .findFirst()
            .orElse(Double.NaN);
    logPartitions
        .computeIfAbsent(one.trial().model(), key -> new LinkedHashMap<>())
        .put(lattice, new double[] {found, exact});
  }

  /** The free energy of a spin against the side, and against beta, where there are several. */
  List<LineChart> freeEnergies() {
    Map<SpinLattice, double[]> all = new LinkedHashMap<>();
    logPartitions.values().forEach(all::putAll);
    List<LineChart> charts = new ArrayList<>();
    charts.addAll(
        freeEnergies(
            all, lattice -> "beta " + lattice.beta(), lattice -> (double) lattice.side(), "side"));
    charts.addAll(
        freeEnergies(
            all,
            lattice -> lattice.side() + "x" + lattice.side(),
            SpinLattice::beta,
            "inverse temperature beta"));
    return charts;
  }

  private List<LineChart> freeEnergies(
      Map<SpinLattice, double[]> all,
      Function<SpinLattice, String> group,
      Function<SpinLattice, Double> abscissa,
      String label) {
    Map<String, List<SpinLattice>> groups = new TreeMap<>();
    for (SpinLattice lattice : all.keySet()) {
      groups.computeIfAbsent(group.apply(lattice), key -> new ArrayList<>()).add(lattice);
    }
    List<LineChart> charts = new ArrayList<>();
    groups.forEach(
        (name, lattices) -> {
          if (lattices.size() < 2) {
            return;
          }
          lattices.sort(Comparator.comparing(abscissa));
          List<Series> series =
              Stream.concat(
                      Stream.of(line("exact", lattices, all, abscissa, 1)),
                      logPartitions.entrySet().stream()
                          .map(
                              model ->
                                  line(
                                      model.getKey(),
                                      lattices.stream()
                                          .filter(model.getValue()::containsKey)
                                          .toList(),
                                      model.getValue(),
                                      abscissa,
                                      0))
                          .filter(line -> line.x().length > 0))
                  .toList();
          charts.add(
              new LineChart(
                  experiment + "-free-energy-" + Trial.slug(name),
                  "Ising, " + name + ": free energy per spin",
                  label,
                  "- log Z / (beta N)",
                  series));
        });
    return charts;
  }

  private static Series line(
      String name,
      List<SpinLattice> lattices,
      Map<SpinLattice, double[]> values,
      Function<SpinLattice, Double> abscissa,
      int which) {
    return new Series(
        name,
        lattices.stream().mapToDouble(abscissa::apply).toArray(),
        lattices.stream()
            .mapToDouble(
                lattice ->
                    -values.get(lattice)[which]
                        / (lattice.beta() * lattice.side() * lattice.side()))
            .toArray());
  }
}
