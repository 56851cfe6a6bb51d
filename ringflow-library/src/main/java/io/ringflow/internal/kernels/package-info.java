/**
 * Operators of a training step that compute at once what libtorch computes one after the other:
 * memory traffic is what limits them, and each value is read and written once. The kernels are our
 * own, compiled when they are first needed.
 */
package io.ringflow.internal.kernels;
