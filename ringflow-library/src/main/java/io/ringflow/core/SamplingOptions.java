package io.ringflow.core;

import java.util.Objects;

/**
 * How rows are sampled.
 *
 * <pre>{@code
 * SamplingOptions options = SamplingOptions.DEFAULTS.withTemperature(0.8);
 * }</pre>
 *
 * <p>A temperature T tempers the conditionals of the base: each symbol is sampled from {@code
 * p(symbol | symbols of earlier groups)^(1/T)}, divided by its sum over all symbols of its
 * position. Below 1 likely symbols become likelier, above 1 all become more alike. Samples follow
 * the product of the tempered conditionals exactly. That is not {@code p(row)^(1/T)} divided by its
 * sum over all rows, which would take sums over all rows that begin alike; and it depends on the
 * order in which a model samples, on what it samples together, and on what is one symbol to it,
 * such as a pair of letters. Layers move symbols as at any other temperature: of a flow, the base
 * alone is tempered.
 *
 * @param precision in which the networks compute
 * @param temperature above 0 and finite; 1 samples from the model itself
 */
public record SamplingOptions(Precision precision, double temperature) {
  /** From the model itself, in float64: the same seed gives the same rows on any device. */
  public static final SamplingOptions DEFAULTS = new SamplingOptions(Precision.FLOAT64, 1);

  /** Checks the temperature. */
  public SamplingOptions {
    Objects.requireNonNull(precision, "precision");
    if (!(temperature > 0 && Double.isFinite(temperature))) {
      throw new IllegalArgumentException(
          "temperature must be above 0 and finite, but is " + temperature);
    }
  }

  /** In another precision. */
  public SamplingOptions withPrecision(Precision precision) {
    return new SamplingOptions(precision, temperature);
  }

  /** At another temperature. */
  public SamplingOptions withTemperature(double temperature) {
    return new SamplingOptions(precision, temperature);
  }

  /** Whether samples follow another distribution than the model's own. */
  public boolean isTempered() {
    return temperature != 1;
  }
}
