package io.ringflow.internal.logits;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Logits with one entry for each symbol, where positions may have different numbers of symbols: the
 * tensors are as wide as the largest cardinality, and what lies beyond a position's own symbols is
 * masked out.
 */
public final class SymbolLogits implements Module {
  private final int size;
  private final int[] cardinalities;
  private final boolean ragged;
  private final Buffer surplus; // [D, K], true where k >= K_d

  /**
   * Logits of some positions.
   *
   * @param width of the logits; at least the largest cardinality
   */
  public SymbolLogits(Space positions, int width) {
    this.size = positions.size();
    this.cardinalities = positions.cardinalities().stream().mapToInt(Integer::intValue).toArray();
    this.ragged = positions.cardinalities().stream().anyMatch(k -> k < width);
    boolean[] beyond = new boolean[size * width];
    for (int d = 0; d < size; d++) {
      int start = d * width;
      Arrays.fill(beyond, start + positions.cardinality(d), start + width, true);
    }
    this.surplus = Buffer.flags(beyond, size, width);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.buffer(surplus);
  }

  /** Whether some position has fewer symbols than the logits are wide. */
  public boolean isRagged() {
    return ragged;
  }

  /** True where a position has no such symbol, {@code [D, K]}; borrowed. */
  public Tensor surplus(EvaluationContext context) {
    return context.get(surplus);
  }

  /** The largest cardinality of the positions {@code from … to - 1}. */
  public int width(int from, int to) {
    return Arrays.stream(cardinalities, from, to).max().orElse(1);
  }

  /**
   * Logits {@code [B, n, K]} of the positions {@code from … from + n - 1}, or of their first
   * symbols alone, with minus infinity where there is no such symbol.
   */
  public Tensor masked(Tensor logits, int from, EvaluationContext context) {
    int to = from + (int) logits.size(-2);
    long width = logits.size(-1);
    if (Arrays.stream(cardinalities, from, to).allMatch(k -> k >= width)) {
      return logits;
    }
    Tensor none = context.get(surplus).narrow(0, from, logits.size(-2)).narrow(1, 0, width);
    return logits.masked_fill(none, new Scalar(Double.NEGATIVE_INFINITY));
  }

  /** Rows of symbol 0 at every position, int64 {@code [B, D]}. */
  public Tensor zeroRows(long rows, EvaluationContext context) {
    return Tensors.zeros(context.get(surplus), rows, size).to(ScalarType.Long);
  }
}
