package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What the symbols of some positions share with their neighbours on a scale: further inputs of a
 * perceptron and further logits, which are the same for all that lies close together.
 *
 * <p>The scale from 0 to 1 is cut into {@link #RAMPS} stretches. A symbol's ramps are 0 for those
 * above it, 1 for those below, and how far it is along its own (piecewise linear encoding,
 * Gorishniy et al. 2022), less a half. An input for each ramp lets hidden units depend on the
 * scale; an output for each adds a piecewise linear function of the scale to the logits.
 */
final class OrderedSymbols implements Module {
  private static final int RAMPS = 16;

  private final int[] before; // how many ordered positions come before each, and their number
  private final Buffer positions; // [m]
  private final Buffer rows; // [m]: where the table of each begins
  private final Buffer ramps; // [m, K, RAMPS]

  /**
   * The ramps of some positions.
   *
   * @param scales of each position: where its symbols are, negative for nowhere; empty if not
   *     ordered
   * @param width at least the largest cardinality
   */
  OrderedSymbols(Space space, List<List<Double>> scales, int width) {
    int[] ordered =
        IntStream.range(0, space.size()).filter(d -> !scales.get(d).isEmpty()).toArray();
    before = new int[space.size() + 1];
    for (int d = 0; d < space.size(); d++) {
      before[d + 1] = before[d] + (scales.get(d).isEmpty() ? 0 : 1);
    }
    double[] values = new double[Math.multiplyExact(ordered.length, width * RAMPS)];
    for (int i = 0; i < ordered.length; i++) {
      List<Double> scale = scales.get(ordered[i]);
      for (int k = 0; k < scale.size(); k++) {
        for (int ramp = 0; ramp < RAMPS && scale.get(k) >= 0; ramp++) {
          double along = Math.max(0, Math.min(1, scale.get(k) * RAMPS - ramp));
          values[(i * width + k) * RAMPS + ramp] = along - 0.5;
        }
      }
    }
    int count = ordered.length;
    positions = Buffer.longs(IntStream.of(ordered).boxed().toList());
    rows =
        Buffer.longs(IntStream.range(0, count).mapToLong(i -> (long) i * width).toArray(), count);
    ramps = Buffer.reals(values, count, width, RAMPS);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.buffer(positions);
    registry.buffer(rows);
    registry.buffer(ramps);
  }

  /** Whether no position is ordered. */
  boolean isEmpty() {
    return count(before.length - 1) == 0;
  }

  /** Whether a position is ordered. */
  boolean isOrdered(int position) {
    return before[position + 1] > before[position];
  }

  /** The ramps of an ordered position's first symbols, {@code [count, RAMPS]}. */
  Tensor ramps(int position, long count, EvaluationContext context) {
    return context.get(ramps).select(0, before[position]).narrow(0, 0, count);
  }

  /** How many ramps the positions before one have. */
  int count(int position) {
    return before[position] * RAMPS;
  }

  /** Repeats the value of each ordered position for each of its ramps. */
  int[] each(int[] ofPositions) {
    return IntStream.range(0, ofPositions.length)
        .filter(d -> before[d + 1] > before[d])
        .flatMap(d -> IntStream.range(0, RAMPS).map(ramp -> ofPositions[d]))
        .toArray();
  }

  /** The ramps of symbols, {@code [B, m * RAMPS]}, with their gradient if they carry one. */
  Tensor of(Symbols symbols, EvaluationContext context) {
    if (!symbols.carriesGradient()) {
      return of(symbols.ids(), context);
    }
    Tensor hot =
        symbols
            .oneHot()
            .to(Tensors.type(context.precision()))
            .index_select(1, context.get(positions)); // [B, m, K]
    return hot.transpose(0, 1).bmm(context.get(ramps)).transpose(0, 1).flatten(1, 2);
  }

  /** The ramps of symbols {@code [B, D]}. */
  Tensor of(Tensor ids, EvaluationContext context) {
    Tensor own = ids.index_select(1, context.get(positions)).add(context.get(rows)); // [B, m]
    return torch.embedding(context.get(ramps).flatten(0, 1), own).flatten(1, 2);
  }

  /**
   * Adds to the logits {@code [B, n, K]} of the positions {@code from … from + n - 1} what their
   * ramps say.
   *
   * @param values of the ramps of those positions, {@code [B, n' * RAMPS]}
   */
  Tensor addTo(Tensor logits, int from, Tensor values, EvaluationContext context) {
    int first = before[from];
    long count = before[from + (int) logits.size(1)] - (long) first;
    if (count == 0) {
      return logits;
    }
    Tensor byPosition = values.view(values.size(0), count, RAMPS).transpose(0, 1); // [n', B, RAMPS]
    Tensor own = context.get(ramps).narrow(0, first, count).transpose(1, 2); // [n', RAMPS, K]
    Tensor more = byPosition.bmm(own).transpose(0, 1); // [B, n', K]
    Tensor at = context.get(positions).narrow(0, first, count).sub(new Scalar(from));
    return logits.index_add(1, at, more);
  }
}
