/**
 * The networks: from the symbols an output may see to its logits.
 *
 * <p>{@link io.ringflow.network.LookupTable}, {@link io.ringflow.network.Made}, {@link
 * io.ringflow.network.Lstm} and {@link io.ringflow.network.Transformer} are plain values that
 * describe a {@link io.ringflow.network.Network} by its sizes. Each is bound to a space, a mask or
 * an order, and a condition, which gives a {@link io.ringflow.spi.Conditioner}; those are
 * package-private. {@link io.ringflow.network.NgramMixture} adds counted n-grams to any of them.
 */
package io.ringflow.network;
