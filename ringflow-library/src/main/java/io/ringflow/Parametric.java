package io.ringflow;

/**
 * Something that computes with weights it does not own.
 *
 * <p>Layers, networks and bases are plain immutable objects. They name the {@link Parameter}s and
 * {@link Constant}s they need, and find the tensors in the {@link Pass} of each call. So one object
 * serves every precision, device and thread, and all native memory has a single owner: {@link
 * Weights}.
 */
public interface Parametric {
  /** Names every parameter and constant, always in the same order. */
  void declare(Declarations declarations);
}
