package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * The symbols of all positions side by side, as many for each as it has: {@code [B, sum of K_d]}
 * instead of {@code [B, D, K]}, most of which would be padding where a column of two symbols stands
 * beside one of hundreds.
 */
final class RaggedSymbols implements Module {
  private final int width;
  private final boolean ragged;
  private final int[] cardinalities;
  private final int[] starts; // and the count of all at the end
  private final Buffer offsets; // [D]: where each position's symbols begin
  private final Buffer sources; // [D * K]: where each padded entry comes from
  private final Buffer real; // [sum of K_d]: which padded entries are symbols

  /**
   * The symbols of some positions.
   *
   * @param width of the padded form, {@code K}; at least the largest cardinality
   */
  RaggedSymbols(Space space, int width) {
    this.width = width;
    this.cardinalities = space.cardinalities().stream().mapToInt(Integer::intValue).toArray();
    this.ragged = Arrays.stream(cardinalities).anyMatch(k -> k < width);
    this.starts = new int[cardinalities.length + 1];
    for (int d = 0; d < cardinalities.length; d++) {
      starts[d + 1] = Math.addExact(starts[d], cardinalities[d]);
    }
    int size = cardinalities.length;
    this.offsets = Buffer.longs(Arrays.stream(starts, 0, size).asLongStream().toArray(), size);
    // Nobody looks at padding, so that any entry will do.
    LongStream from =
        IntStream.range(0, ragged ? size * width : 0)
            .mapToLong(i -> starts[i / width] + Math.min(i % width, cardinalities[i / width] - 1));
    this.sources = Buffer.longs(from.toArray(), ragged ? (long) size * width : 0);
    LongStream symbols =
        IntStream.range(0, ragged ? size * width : 0)
            .filter(i -> i % width < cardinalities[i / width])
            .asLongStream();
    this.real = Buffer.longs(symbols.toArray(), ragged ? count() : 0);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.constant(offsets);
    registry.constant(sources);
    registry.constant(real);
  }

  /** The number of all positions' symbols. */
  int count() {
    return starts[cardinalities.length];
  }

  /** Where a position's symbols begin; the number of positions is the end of them all. */
  int start(int position) {
    return starts[position];
  }

  /** A number for each symbol: that of its position. */
  IntStream each(int[] ofPositions) {
    return IntStream.range(0, cardinalities.length)
        .flatMap(d -> IntStream.range(0, cardinalities[d]).map(k -> ofPositions[d]));
  }

  /** One at the symbols that there are, zero elsewhere: {@code [B, sum of K_d]}. */
  Tensor hot(Symbols symbols, EvaluationContext context) {
    if (symbols.carriesGradient()) {
      Tensor padded =
          symbols.oneHot().to(Tensors.type(context.precision())).flatten(1, 2); // [B, D * K]
      return ragged ? padded.index_select(1, context.get(real)) : padded;
    }
    Tensor hot = Tensors.zeros(context.precision(), context.device(), symbols.ids().size(0), count());
    mark(hot, 0, symbols.ids(), context);
    return hot;
  }

  /** As many rows of symbol 0, int64 {@code [B, D]}. */
  Tensor rows(long count, EvaluationContext context) {
    return Tensors.zeros(context.get(offsets), count, cardinalities.length);
  }

  /** Sets ones for the symbols {@code [B, n]} of the positions {@code from …}. */
  void mark(Tensor hot, int from, Tensor ids, EvaluationContext context) {
    Tensor places = ids.add(context.get(offsets).narrow(0, from, ids.size(1)));
    hot.scatter_(1, places, new Scalar(1.0));
  }

  /**
   * The values of positions {@code from … to - 1}, which alone are there: {@code [B, n, K]}. What
   * lies beyond a position's symbols is anything.
   */
  Tensor padded(Tensor values, int from, int to, EvaluationContext context) {
    if (!ragged) {
      return values.view(values.size(0), -1, width);
    }
    Tensor own = context.get(sources).narrow(0, (long) from * width, (long) (to - from) * width);
    // Not index_select, whose way back goes entry by entry on the processor.
    Tensor index = own.sub(new Scalar(starts[from])).expand(values.size(0), -1);
    return values.gather(1, index).view(values.size(0), -1, width);
  }
}
