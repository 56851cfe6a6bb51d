package io.ringflow.cli.report;

import io.ringflow.paper.harness.Result;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One metric of one model in one setting, over the seeds of a run.
 *
 * @param runs one for each seed, at least one
 */
record ModelRuns(List<Result> runs) {
  /** Floors that differ by less are one floor. */
  private static final double SAME = 1e-9;

  ModelRuns {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("a model must have at least one result");
    }
  }

  Result first() {
    return runs.get(0);
  }

  boolean hasSeveralSeeds() {
    return runs.size() > 1;
  }

  /** Whether it says how likely the data is, so that the highest value is the worst. */
  boolean isLikelihood() {
    String metric = first().metric();
    return metric.equals("bpc") || metric.equals("nll") || metric.endsWith(" nll");
  }

  double mean() {
    return runs.stream().mapToDouble(Result::value).average().orElseThrow();
  }

  double highest() {
    return runs.stream().mapToDouble(Result::value).max().orElseThrow();
  }

  double lowest() {
    return runs.stream().mapToDouble(Result::value).min().orElseThrow();
  }

  /** Seeds may come with data of their own, and then with floors of their own. */
  OptionalDouble floor() {
    return mean(Result::floor);
  }

  boolean hasFloorsOfItsSeeds() {
    return floor().isPresent()
        && runs.stream().anyMatch(run -> Math.abs(run.floor() - first().floor()) > SAME);
  }

  OptionalDouble aboveFloor() {
    return mean(run -> run.floor() == null ? null : run.value() - run.floor());
  }

  /** How far the seed that is farthest above its floor is above it. */
  OptionalDouble worstAboveFloor() {
    return floor().isEmpty()
        ? OptionalDouble.empty()
        : runs.stream().mapToDouble(run -> run.value() - run.floor()).max();
  }

  private OptionalDouble mean(Function<Result, Double> part) {
    return runs.stream().map(part).anyMatch(Objects::isNull)
        ? OptionalDouble.empty()
        : runs.stream().mapToDouble(part::apply).average();
  }

  /** The largest of one run's; empty where every value is exact. */
  OptionalDouble standardError() {
    return runs.stream()
        .map(Result::standardError)
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .max();
  }

  /** Of training, the mean. */
  double seconds() {
    return runs.stream().mapToDouble(Result::seconds).average().orElseThrow();
  }

  /** A number with the decimals that this metric's numbers have. */
  String shown(double value) {
    return Numbers.fixed(value, Numbers.decimals(value, first().unit()));
  }

  /** As {@link #shown(double)}; empty where there is none. */
  String shown(OptionalDouble value) {
    return value.isPresent() ? shown(value.getAsDouble()) : "";
  }

  /** Such as {@code 201-203}, or {@code 1, 5} where seeds are missing between. */
  String seeds() {
    long[] seeds = runs.stream().mapToLong(Result::seed).sorted().distinct().toArray();
    long lowest = seeds[0];
    long highest = seeds[seeds.length - 1];
    if (seeds.length > 1 && highest - lowest == seeds.length - 1) {
      return String.format(Locale.ROOT, "%d-%d", lowest, highest);
    }
    return runs.stream()
        .map(run -> Long.toString(run.seed()))
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
