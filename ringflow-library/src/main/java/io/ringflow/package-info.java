/**
 * Discrete flows: exact-likelihood generative models of discrete data.
 *
 * <p>{@link io.ringflow.RingFlow} is the way in for those who have a table or a text. Those who
 * choose architecture and training themselves begin at {@link io.ringflow.model.Architecture},
 * {@link io.ringflow.model.FlowModel} and {@link io.ringflow.train.Trainer}. Those who write
 * layers, networks or bases of their own implement {@link io.ringflow.spi}; tensors appear to them
 * alone.
 *
 * <p>{@code docs/architecture.md} has the map of the packages. What is under {@code internal} may
 * change at any time.
 */
package io.ringflow;
