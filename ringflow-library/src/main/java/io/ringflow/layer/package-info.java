/**
 * The bijections that a flow consists of.
 *
 * <p>A {@link io.ringflow.layer.Layer} is a plain value: which positions it moves, which network
 * looks at the others, and which {@link io.ringflow.layer.SymbolMap} moves a symbol. {@link
 * io.ringflow.layer.Bipartite} and {@link io.ringflow.layer.Autoregressive} move symbols; {@link
 * io.ringflow.layer.Reorder} and {@link io.ringflow.layer.Pack} only rearrange positions; {@link
 * io.ringflow.layer.Chain} is several layers in one; {@link io.ringflow.layer.Inverse} is another
 * layer with its directions swapped.
 */
package io.ringflow.layer;
