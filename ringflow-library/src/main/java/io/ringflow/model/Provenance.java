package io.ringflow.model;

import java.util.Map;

/**
 * Where a model comes from: the content of {@code training.json}.
 *
 * @param ringflow version of this library
 * @param libtorch version
 * @param java version
 * @param device it was trained on
 * @param finishedAt when the training ended, in ISO 8601
 * @param data it was trained on, with a digest
 * @param steps done
 * @param seconds spent
 * @param loss mean nats per row at the end
 * @param bestValidation lowest mean nats per validation row; null without validation
 * @param stopReason why the training ended
 * @param options of the training, by name
 * @param fit what a model of one's own data adds to these; null for other models
 */
public record Provenance(
    String ringflow,
    String libtorch,
    String java,
    String device,
    String finishedAt,
    String data,
    long steps,
    double seconds,
    double loss,
    Double bestValidation,
    String stopReason,
    Map<String, Object> options,
    Fit fit) {
  /** The same, of a model of one's own data. */
  public Provenance with(Fit details) {
    return new Provenance(
        ringflow,
        libtorch,
        java,
        device,
        finishedAt,
        data,
        steps,
        seconds,
        loss,
        bestValidation,
        stopReason,
        options,
        details);
  }

  /**
   * How a model of one's own data was made.
   *
   * @param source name of the data; null if nobody named it
   * @param seed of initial weights, batches and the choice of validation rows
   * @param family of models, such as {@code autoregressive}
   * @param metrics on held-out data
   */
  public record Fit(String source, long seed, String family, Metrics metrics) {}
}
