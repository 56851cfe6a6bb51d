/**
 * How libtorch is set up for a training: threads, denormal numbers; and {@link
 * io.ringflow.internal.torch.TensorOwner}, which keeps tensors that outlive a scope.
 *
 * <p>The rules of native memory are those of {@link io.ringflow.spi}.
 */
package io.ringflow.internal.torch;
