/**
 * Training: maximum likelihood by the straight-through gradient (section 3.3 of the paper).
 *
 * <pre>
 *   batch(step) -> ids -> layers' inverse -> base -> mean negative log-probability
 *               -> backward -> clip -> AdamW on one flat buffer -> listeners
 * </pre>
 *
 * <p>Batches are a function of the step alone, and there is no other randomness. So a checkpoint
 * needs no generator state, and a resumed run ends in the same bits as an undisturbed one.
 */
package io.ringflow.train;
