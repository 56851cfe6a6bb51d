/**
 * Operators of attention networks on a GPU that compute at once what libtorch computes one after
 * the other: {@link io.ringflow.internal.kernels.FusedOperators} for training, {@link
 * io.ringflow.internal.kernels.InferenceOperators} without gradients. The kernels are our own,
 * compiled when they are first needed. {@link io.ringflow.internal.kernels.AttentionKernels}
 * chooses among those of others.
 */
package io.ringflow.internal.kernels;
