/**
 * Training by maximum likelihood.
 *
 * <pre>
 *   batch(step) → ids → layers' inverse → base → mean negative log-probability
 *               → backward → clip → AdamW or Muon on one flat buffer → listeners
 * </pre>
 *
 * <p>{@link io.ringflow.train.Trainer} trains a model by {@link io.ringflow.train.TrainingOptions};
 * {@link io.ringflow.train.WarmStart} sets weights without gradient steps; {@link
 * io.ringflow.train.FitOptions} are those of own tables and texts.
 *
 * <p>Batches are a function of the step alone, and there is no other randomness. So a checkpoint
 * needs no generator state, and a resumed run ends in the same bits as an undisturbed one.
 */
package io.ringflow.train;
