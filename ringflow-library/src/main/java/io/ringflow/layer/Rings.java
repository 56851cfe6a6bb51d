package io.ringflow.layer;

import io.ringflow.core.Space;
import io.ringflow.internal.logits.SymbolLogits;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The residue rings Z/K<sub>d</sub> of some positions: addition and multiplication of symbols
 * modulo each position's own cardinality.
 *
 * <p>Where cardinalities differ, tensors are as wide as the largest; indices beyond a position's
 * symbols map to themselves.
 */
final class Rings implements Module {
  private final SymbolLogits logits;
  private final Buffer cardinalities; // [D, 1]
  private final Buffer symbols; // [K]

  Rings(Space positions, int width) {
    this.logits = new SymbolLogits(positions, width);
    this.cardinalities =
        Buffer.longs(
            positions.cardinalities().stream().mapToLong(Integer::longValue).toArray(),
            positions.size(),
            1);
    this.symbols = Buffer.longs(IntStream.range(0, width).boxed().toList());
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.buffer(cardinalities);
    logits.register(registry);
    registry.buffer(symbols);
  }

  /** See {@link SymbolLogits#masked}. */
  Tensor masked(Tensor values, int from, EvaluationContext context) {
    return logits.masked(values, from, context);
  }

  /** The shift that the logits choose, {@code [B, n]}. */
  Tensor chosenShift(Tensor values, int from, EvaluationContext context) {
    return Tensors.argmax(masked(values, from, context));
  }

  /** {@code a + b mod K_d}, elementwise {@code [B, n]}. */
  Tensor add(Tensor a, Tensor b, int from, EvaluationContext context) {
    return a.add(b).remainder(modulus(from, a.size(1), context));
  }

  /** {@code a * b mod K_d}, elementwise {@code [B, n]}. */
  Tensor multiply(Tensor a, Tensor b, int from, EvaluationContext context) {
    return a.mul(b).remainder(modulus(from, a.size(1), context));
  }

  /** {@code a - b mod K_d} at all positions, {@code [B, D]}. */
  Tensor subtract(Tensor a, Tensor b, EvaluationContext context) {
    return a.sub(b).remainder(modulus(0, a.size(1), context));
  }

  /** How far each symbol lies above a shift {@code [B, n]}, modulo K_d: {@code [B, n, K]}. */
  Tensor distances(Tensor shift, int from, EvaluationContext context) {
    Tensor modulus = context.get(cardinalities).narrow(0, from, shift.size(1)); // [n, 1]
    return symbols(context).sub(shift.unsqueeze(-1)).remainder(modulus);
  }

  /** {@code 0 … K-1}, int64. */
  Tensor symbols(EvaluationContext context) {
    return context.get(symbols);
  }

  private Tensor modulus(int from, long count, EvaluationContext context) {
    return context.get(cardinalities).narrow(0, from, count).squeeze(1); // [n]
  }

  /** Reduces indices modulo K_d, and sends each surplus index to itself. {@code [B, D, K]} */
  Tensor index(Tensor unreduced, EvaluationContext context) {
    Tensor reduced = unreduced.remainder(context.get(cardinalities));
    return logits.isRagged()
        ? torch.where(logits.surplus(context), symbols(context), reduced)
        : reduced;
  }
}
