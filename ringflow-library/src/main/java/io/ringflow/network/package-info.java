/**
 * Networks: {@link io.ringflow.network.Table}, {@link io.ringflow.network.Made}, {@link
 * io.ringflow.network.Lstm} and {@link io.ringflow.network.Transformer}.
 *
 * <p>The public types are descriptions by size. What computes is bound to a space by {@link
 * io.ringflow.Network#bipartite} or {@link io.ringflow.Network#causal}, and hidden.
 */
package io.ringflow.network;
