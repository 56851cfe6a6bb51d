/**
 * What models of own tables and own texts share: a training with its metrics ({@link
 * io.ringflow.internal.fit.FitRun}), and samples some of whose symbols are given ({@link
 * io.ringflow.internal.fit.ConditionalSampler}).
 */
package io.ringflow.internal.fit;
