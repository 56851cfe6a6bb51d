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
 * Converts between the padded form {@code [B, D, K]} of values for each symbol and the ragged form
 * {@code [B, sum of K_d]}, in which position d has K_d values.
 *
 * <p>Where a column of two symbols stands beside one of hundreds, most of the padded form is
 * padding.
 */
final class RaggedSymbols implements Module {
  private final int width;
  private final boolean ragged;
  private final int[] cardinalities;
  private final int[] starts; // where the symbols of each position begin, and their number
  private final Buffer offsets; // [D]: the same, but for the last
  private final Buffer sources; // [D * K]: the ragged entry of each padded one
  private final Buffer real; // [sum of K_d]: the padded entry of each ragged one

  /**
   * The forms of some positions.
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
    // Padding is never read, so that it may come from any entry.
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
    registry.buffer(offsets);
    registry.buffer(sources);
    registry.buffer(real);
  }

  /** How many positions there are. */
  int positions() {
    return cardinalities.length;
  }

  /** The number of symbols of all positions, {@code sum of K_d}. */
  int count() {
    return starts[cardinalities.length];
  }

  /** Where the symbols of a position begin; {@link #count} for the position behind the last. */
  int start(int position) {
    return starts[position];
  }

  /** Repeats the value of each position for each of its symbols. */
  IntStream each(int[] ofPositions) {
    return IntStream.range(0, cardinalities.length)
        .flatMap(d -> IntStream.range(0, cardinalities[d]).map(k -> ofPositions[d]));
  }

  /** The one-hots of symbols, with their gradient if they carry one: {@code [B, sum of K_d]}. */
  Tensor oneHot(Symbols symbols, EvaluationContext context) {
    if (symbols.carriesGradient()) {
      Tensor padded =
          symbols.oneHot().to(Tensors.type(context.precision())).flatten(1, 2); // [B, D * K]
      return ragged ? padded.index_select(1, context.get(real)) : padded;
    }
    Tensor oneHot = zeros(symbols.ids().size(0), context);
    mark(oneHot, 0, symbols.ids(), context);
    return oneHot;
  }

  /** One-hots of no symbol yet, {@code [B, sum of K_d]}. */
  Tensor zeros(long batch, EvaluationContext context) {
    return Tensors.zeros(context.precision(), context.device(), batch, count());
  }

  /** Symbols 0 at all positions, int64 {@code [B, D]}. */
  Tensor zeroIds(long batch, EvaluationContext context) {
    return Tensors.zeros(context.get(offsets), batch, cardinalities.length);
  }

  /** Sets ones for the symbols {@code [B, n]} of the positions {@code from …}. */
  void mark(Tensor oneHot, int from, Tensor ids, EvaluationContext context) {
    Tensor places = ids.add(context.get(offsets).narrow(0, from, ids.size(1)));
    oneHot.scatter_(1, places, new Scalar(1.0));
  }

  /**
   * Ragged values of the positions {@code from … to - 1} in padded form, {@code [B, n, K]}. The
   * padding behind a position's symbols is arbitrary.
   */
  Tensor padded(Tensor values, int from, int to, EvaluationContext context) {
    if (!ragged) {
      return values.view(values.size(0), -1, width);
    }
    Tensor own = context.get(sources).narrow(0, (long) from * width, (long) (to - from) * width);
    // Not index_select, whose backward pass goes entry by entry on the CPU.
    Tensor index = own.sub(new Scalar(starts[from])).expand(values.size(0), -1);
    return values.gather(1, index).view(values.size(0), -1, width);
  }
}
