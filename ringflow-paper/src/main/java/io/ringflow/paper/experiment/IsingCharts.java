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
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Pictures of what lattices of Ising spins do: how magnetic they are, and their free energy. */
final class IsingCharts {
  private static final int MAX_BINS = 33;
  private static final int EXACT_STEPS = 64;

  private final String experiment;
  private final Map<String, WeightedSamples> samples = new LinkedHashMap<>();
  private final Map<String, Map<SpinLattice, Double>> logPartitions = new LinkedHashMap<>();

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

  /** Adds what a finished model says of a lattice's log Z. */
  void add(SpinLattice lattice, Finished one) {
    double found =
        one.results().stream()
            .filter(result -> result.metric().equals(InferenceTask.LOG_Z))
            .mapToDouble(Result::value)
            .findFirst()
            .orElse(Double.NaN);
    logPartitions
        .computeIfAbsent(one.trial().model(), key -> new LinkedHashMap<>())
        .put(lattice, found);
  }

  /** The free energy of a spin against the side, and against beta, where there are several. */
  List<LineChart> freeEnergies() {
    List<SpinLattice> all =
        logPartitions.values().stream().flatMap(of -> of.keySet().stream()).distinct().toList();
    List<LineChart> charts = new ArrayList<>();
    for (double beta : all.stream().mapToDouble(SpinLattice::beta).sorted().distinct().toArray()) {
      List<SpinLattice> alike = all.stream().filter(one -> one.beta() == beta).toList();
      IntSummaryStatistics sides = alike.stream().mapToInt(SpinLattice::side).summaryStatistics();
      if (sides.getMin() < sides.getMax()) {
        charts.add(
            freeEnergies(
                "beta " + beta,
                IntStream.rangeClosed(sides.getMin(), sides.getMax())
                    .mapToObj(side -> SpinLattice.ising(side, beta)),
                alike,
                SpinLattice::side,
                "side"));
      }
    }
    for (int side : all.stream().mapToInt(SpinLattice::side).sorted().distinct().toArray()) {
      List<SpinLattice> alike = all.stream().filter(one -> one.side() == side).toList();
      DoubleSummaryStatistics betas =
          alike.stream().mapToDouble(SpinLattice::beta).summaryStatistics();
      if (betas.getMin() < betas.getMax()) {
        double step = (betas.getMax() - betas.getMin()) / EXACT_STEPS;
        charts.add(
            freeEnergies(
                side + "x" + side,
                IntStream.rangeClosed(0, EXACT_STEPS)
                    .mapToObj(i -> SpinLattice.ising(side, betas.getMin() + i * step)),
                alike,
                SpinLattice::beta,
                "inverse temperature beta"));
      }
    }
    return charts;
  }

  private LineChart freeEnergies(
      String name,
      Stream<SpinLattice> exact,
      List<SpinLattice> measured,
      ToDoubleFunction<SpinLattice> abscissa,
      String label) {
    List<Series> series = new ArrayList<>();
    series.add(series("exact", exact.toList(), abscissa, SpinLattice::logPartition, true));
    logPartitions.forEach(
        (model, found) -> {
          List<SpinLattice> own = measured.stream().filter(found::containsKey).toList();
          if (!own.isEmpty()) {
            series.add(series(model, own, abscissa, found::get, false));
          }
        });
    return new LineChart(
        experiment + "-free-energy-" + Trial.slug(name),
        "Ising, " + name + ": free energy per spin",
        label,
        "- log Z / (beta N)",
        series);
  }

  private static Series series(
      String name,
      List<SpinLattice> lattices,
      ToDoubleFunction<SpinLattice> abscissa,
      ToDoubleFunction<SpinLattice> logPartition,
      boolean joined) {
    List<SpinLattice> sorted =
        lattices.stream().sorted(Comparator.comparingDouble(abscissa)).toList();
    return new Series(
        name,
        sorted.stream().mapToDouble(abscissa).toArray(),
        sorted.stream()
            .mapToDouble(
                one -> -logPartition.applyAsDouble(one) / (one.beta() * one.side() * one.side()))
            .toArray(),
        joined);
  }
}
