package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/**
 * The logits of the symbols of patches, each from its patch's vector and the symbols before it in
 * the patch: a vector of its own for every place, which the same perceptrons then work on.
 */
final class PatchHead implements Module {
  private final int input;
  private final int width;
  private final int filter;
  private final PatchSymbols symbols;
  private final Linear toPlaces; // of the patch's vector, [patch * width, input]
  private final Parameter earlier; // [patch * K, patch * width]
  private final Buffer mask; // [patch * K, patch * width]: 1 where a symbol comes before a place
  private final List<Perceptron> perceptrons;
  private final Head head;

  PatchHead(PatchTransformer sizes, PatchSymbols symbols, Space positions, int outputs) {
    this.input = sizes.trunk().width();
    this.width = sizes.headWidth();
    this.filter = sizes.headFilter();
    this.symbols = symbols;
    long places = (long) symbols.patch() * width;
    this.toPlaces = new Linear(input, places, 1, symbols.patch());
    this.earlier = Parameter.normal(1 / Math.sqrt(symbols.patch()), symbols.rows(), places);
    this.mask = mask(symbols, width);
    double branch = 1 / Math.sqrt(2.0 * sizes.headLayers());
    this.perceptrons =
        Stream.generate(() -> new Perceptron(width, filter, branch))
            .limit(sizes.headLayers())
            .toList();
    this.head = new Head(positions, width, outputs);
  }

  private static Buffer mask(PatchSymbols symbols, int width) {
    int columns = symbols.patch() * width;
    double[] seen = new double[symbols.rows() * columns];
    for (int row = 0; row < symbols.rows(); row++) {
      for (int column = 0; column < columns; column++) {
        seen[row * columns + column] = row / symbols.cardinality() < column / width ? 1 : 0;
      }
    }
    return Buffer.reals(seen, symbols.rows(), columns);
  }

  /** {@code x + contract(gelu(expand(norm(x))))}. */
  private record Perceptron(Linear expand, Linear contract) {
    Perceptron(int width, int filter, double branch) {
      this(new Linear(width, filter, 1), new Linear(filter, width, branch));
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    toPlaces.register(registry.within("places"));
    registry.parameter("earlier", earlier);
    registry.buffer(mask);
    for (int i = 0; i < perceptrons.size(); i++) {
      perceptrons.get(i).expand.register(registry.within("perceptrons." + i + ".expand"));
      perceptrons.get(i).contract.register(registry.within("perceptrons." + i + ".contract"));
    }
    head.register(registry);
  }

  /**
   * Logits of all places, patch after patch: {@code [B, T * patch, outputs]}.
   *
   * @param patches their vectors, {@code [B, T, input]}
   * @param data their symbols, {@code [B, T * patch]}
   */
  Tensor apply(Tensor patches, Symbols data, EvaluationContext context) {
    Tensor seen = context.get(earlier).mul(context.get(mask));
    Tensor places = toPlaces.apply(patches, context).add(symbols.sum(data, seen, context));
    Tensor each = places.view(places.size(0), -1, width); // [B, T * patch, width]
    return head.apply(through(each, context), context);
  }

  /**
   * Logits of one place of each patch, {@code [B, T, outputs]}.
   *
   * @param known the symbols of the patches, {@code [B, T, patch]}; only those before that place
   *     are looked at
   */
  Tensor at(int place, Tensor patches, Tensor known, EvaluationContext context) {
    long from = (long) place * width;
    Tensor own = toPlaces.apply(patches, from, width, context);
    if (place > 0) {
      Tensor seen = context.get(earlier).narrow(1, from, width);
      own = own.add(symbols.sum(known.narrow(2, 0, place), seen));
    }
    return head.at(0, through(own, context), context);
  }

  /** Room for the vectors of patches, {@code [B, tokens, input]}. */
  Tensor zeros(long batch, long tokens, EvaluationContext context) {
    return Tensors.zeros(context.get(earlier), batch, tokens, input);
  }

  private Tensor through(Tensor vectors, EvaluationContext context) {
    ResidualStream x = ResidualStream.of(vectors, filter, context);
    for (Perceptron one : perceptrons) {
      x = x.plus(one.contract, x.activated(one.expand));
    }
    return x.normalized();
  }
}
