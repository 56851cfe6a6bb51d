package io.ringflow.infer;

/**
 * A number that was estimated from samples.
 *
 * @param value the estimate
 * @param standardError how far off it is expected to be
 */
public record Estimate(double value, double standardError) {}
