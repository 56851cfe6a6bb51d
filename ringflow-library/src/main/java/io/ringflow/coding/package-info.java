/**
 * Files made small with a trained model, and back again exactly.
 *
 * <pre>
 *   bytes -> ByteText: symbols and escapes -> rows -> layers' inverse -> base symbols
 *         -> shares of 2^20 by the base's probabilities -> rANS -> blocks -> container
 * </pre>
 *
 * <p>{@link io.ringflow.coding.FlowCompressor} is the way in. Shares must be the same for whoever
 * compresses and whoever decompresses, though their floating-point numbers differ in the last bits:
 * {@code Guard} says how that is made sure of.
 */
package io.ringflow.coding;
