package io.ringflow.spi;

/**
 * Something that computes with weights it does not own.
 *
 * <p>Layers, networks and bases are plain immutable objects. They name the {@link Parameter}s,
 * {@link Buffer}s and {@link Statistic}s they need, and find the tensors in the {@link
 * EvaluationContext} of each call. So one object serves every precision, device and thread, and all
 * native memory has a single owner, the model.
 */
public interface Module {
  /** Registers every parameter, buffer and statistic, always in the same order. */
  void register(ParameterRegistry registry);
}
