/**
 * Bytes predicted by counting: contexts of many lengths, mixed in the logistic domain, bit by bit.
 *
 * <pre>
 *   bytes so far → {@link io.ringflow.internal.mixing.ByteContexts} (what came before, hashed)
 *                → {@link io.ringflow.internal.mixing.HistoryTable} (bits seen there)
 *                → {@link io.ringflow.internal.mixing.AdaptiveProbabilities} (what followed such)
 *                → {@link io.ringflow.internal.mixing.Mixer} (one probability of all)
 *                → {@link io.ringflow.internal.mixing.Refinement} (corrected by experience)
 *                → {@link io.ringflow.internal.mixing.BinaryEncoder} (bits)
 * </pre>
 *
 * <p>All arithmetic is of integers, so that both ends compute the same probabilities on every
 * machine. {@link io.ringflow.internal.mixing.BytePredictor} tells the whole story.
 */
package io.ringflow.internal.mixing;
