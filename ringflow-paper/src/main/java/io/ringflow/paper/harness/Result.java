package io.ringflow.paper.harness;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * One measured value, as it stands in {@code results.json}.
 *
 * @param experiment such as {@code ring}
 * @param setting what distinguishes rows of one experiment, such as {@code K=90}
 * @param model such as {@code "1 bipartite layer, tau 0.1"}
 * @param metric what was measured, such as {@code nll}
 * @param unit such as {@code nats}
 * @param value what was measured
 * @param standardError of the value, where it is estimated from a sample; null where it is exact
 * @param floor no model can be below this; null where unknown
 * @param paper the paper's result; null where it gives none
 * @param seed of this run
 * @param seconds of training
 * @param device where it ran
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Result(
    String experiment,
    String setting,
    String model,
    String metric,
    String unit,
    double value,
    Double standardError,
    Double floor,
    Double paper,
    long seed,
    double seconds,
    String device) {}
