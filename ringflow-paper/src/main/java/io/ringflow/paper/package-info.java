/**
 * The experiments of the paper, the exact figures to hold them against, and what they found as
 * plain values.
 *
 * <p>An {@link io.ringflow.paper.Experiment} lists {@link io.ringflow.paper.Trial}s, a {@link
 * io.ringflow.paper.TrialRunner} trains and measures them, and the experiment makes an {@link
 * io.ringflow.paper.Outcome} of what they found; it prints and draws nothing. {@link
 * io.ringflow.paper.Experiments} lists them all.
 */
package io.ringflow.paper;
