/**
 * What computes behind a model: bound parts and their weights.
 *
 * <p>{@link io.ringflow.internal.engine.Layout} says where each parameter lies in one flat buffer,
 * {@link io.ringflow.internal.engine.Weights} owns that buffer, {@link
 * io.ringflow.internal.engine.SharedWeights} lends it to many threads in either precision, and
 * {@link io.ringflow.internal.engine.Engine} takes rows through layers and base, a chunk at a time.
 * {@link io.ringflow.internal.engine.Conditionals} shows the base's symbols one by one, to coders
 * and explanations.
 */
package io.ringflow.internal.engine;
