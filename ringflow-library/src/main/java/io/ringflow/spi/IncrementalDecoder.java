package io.ringflow.spi;

import org.bytedeco.pytorch.Tensor;

/**
 * A causal network at work, one group of positions after the other: ask for {@link #logits},
 * decide, {@link #append}, as often as there are groups.
 *
 * <p>It keeps its state (a key/value cache, a recurrent state) in buffers made at the start and
 * written in place. So a group costs its own work alone, and each step may run in a scope of its
 * own.
 */
public interface IncrementalDecoder {
  /** Logits of the n positions that come next, {@code [B, n, width]}. */
  Tensor logits();

  /** Tells which symbols were chosen there, int64 {@code [B, n]}. */
  void append(Tensor ids);
}
