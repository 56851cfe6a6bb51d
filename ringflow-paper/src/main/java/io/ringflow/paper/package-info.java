/**
 * The experiments of the paper, the exact figures to hold them against, and what they found as
 * plain values.
 *
 * <p>An {@link io.ringflow.paper.Experiment} trains models and returns an {@link
 * io.ringflow.paper.Outcome}; it prints and draws nothing. {@link io.ringflow.paper.Experiments}
 * lists them all.
 */
package io.ringflow.paper;
