/**
 * What models of own tables and own texts share: a training with its metrics ({@link
 * io.ringflow.internal.fit.FitRun}), and samples some of whose symbols are given ({@link
 * io.ringflow.internal.fit.ConditionalSampler}).
 *
 * <p>Of tables alone: the exact probability of what some symbols' weights leave ({@link
 * io.ringflow.internal.fit.PrefixSum}), and where that sum is long, samples with weights ({@link
 * io.ringflow.internal.fit.ProgressiveSampler}) that look ahead by what the model says of children
 * given their parents ({@link io.ringflow.internal.fit.ParentLookahead}).
 */
package io.ringflow.internal.fit;
