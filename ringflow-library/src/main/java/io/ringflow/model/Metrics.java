package io.ringflow.model;

/**
 * What a model has learned, measured on held-out data. The same data chose when to stop, so the
 * values are a little better than on data never looked at.
 *
 * @param unit of the values, such as {@code nats per row}
 * @param heldOut how much was held out, such as {@code 5000 rows}
 * @param model of the trained model
 * @param factorised if every symbol were independent of all others
 * @param raw if all symbols were equally likely
 * @param deflated of the data as it is written, by {@code gzip}'s method at its best
 */
public record Metrics(
    String unit, String heldOut, double model, double factorised, double raw, double deflated) {}
