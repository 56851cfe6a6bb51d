package io.ringflow.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a model has learned, measured on data that was held out: which chose when to stop, and the
 * figures are a little better for it.
 *
 * @param unit of the figures, such as {@code nats per row}
 * @param heldOut how much was held out, such as {@code 5000 rows}
 * @param model of the fitted model
 * @param factorised if every symbol were independent of all others
 * @param raw if every symbol were as likely as any
 * @param deflated of the data as it is written, by {@code gzip}'s method at its best
 */
public record Metrics(
    String unit, String heldOut, double model, double factorised, double raw, double deflated) {
  private static final String KEY = "figures";

  /** Keeps them with a model, in {@code training.json}. */
  public void addTo(FlowModel flow) {
    Map<String, Object> provenance = new LinkedHashMap<>(flow.provenance());
    provenance.put(KEY, this);
    flow.provenance(provenance);
  }

  /** What {@code training.json} says; null if it says nothing that can be read. */
  public static Metrics of(FlowModel flow) {
    if (!(flow.provenance().get(KEY) instanceof Map<?, ?> map)) {
      return null;
    }
    return new Metrics(
        String.valueOf(map.get("unit")),
        String.valueOf(map.get("heldOut")),
        number(map.get("model")),
        number(map.get("factorised")),
        number(map.get("raw")),
        number(map.get("deflated")));
  }

  private static double number(Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }
}
