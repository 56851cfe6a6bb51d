package io.ringflow.infer;

/**
 * A row that no other outweighs.
 *
 * @param row the first such one where several weigh alike; any row where none is possible
 * @param logWeight natural logarithm of its weight; minus infinity where no row is possible
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MostLikely(int[] row, double logWeight) {}
