package io.ringflow;

import org.bytedeco.pytorch.Tensor;

/**
 * A causal network at work, one position after the other: ask for {@link #logits}, decide, {@link
 * #append}, D times.
 *
 * <p>It keeps its state (a key/value cache, a recurrent state) in buffers made at the start and
 * written in place. So one position costs one position's work, and each step may run in a scope of
 * its own.
 */
public interface Decoder {
  /** Logits of the position that comes next, {@code [B, width]}. */
  Tensor logits();

  /** Tells which symbols were chosen there, int64 {@code [B]}. */
  void append(Tensor ids);
}
