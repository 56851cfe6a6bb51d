/**
 * Entropy coding of symbols by the exact probabilities of a model.
 *
 * <pre>
 *   log-probabilities → {@link io.ringflow.internal.coding.Cumulative} (integer frequencies)
 *                     → {@link io.ringflow.internal.coding.Guard} (boundaries safe from rounding)
 *                     → {@link io.ringflow.internal.coding.RansEncoder} (bits, block by block)
 *                     → {@link io.ringflow.internal.coding.Container} (checksums around all blocks)
 * </pre>
 *
 * <p>Bytes that no symbol stands for are kept beside the blocks as {@link
 * io.ringflow.internal.coding.Escapes}.
 */
package io.ringflow.internal.coding;
