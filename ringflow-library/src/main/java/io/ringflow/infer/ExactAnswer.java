package io.ringflow.infer;

/**
 * What is known exactly of a target.
 *
 * @param logZ natural logarithm of the sum of all weights; minus infinity if no row is possible
 * @param marginals the probability of every symbol at each position: {@code [position][symbol]};
 *     not a number if no row is possible
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ExactAnswer(double logZ, double[][] marginals) {}
