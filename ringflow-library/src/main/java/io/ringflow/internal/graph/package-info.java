/**
 * Computations that repeat: {@link io.ringflow.internal.graph.Replays} captures them as CUDA graphs
 * and launches them with one call, or runs them plainly where that can't be done.
 */
package io.ringflow.internal.graph;
