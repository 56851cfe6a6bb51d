package io.ringflow.network;

import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/**
 * The logits of the symbols of patches, each from its patch's vector and the symbols before it in
 * the patch: a vector of its own for every place, which the same perceptrons then work on.
 */
final class PatchHead implements Module {
  private final int width;
  private final int filter;
  private final PatchFeatures features;
  private final Linear spread; // of the patch's vector to its places, [patch * width, width]
  private final Parameter earlier; // [patch * K, patch * width]
  private final Buffer mask; // [patch * K, patch * width]: 1 where a symbol comes before a place
  private final List<Perceptron> perceptrons;
  private final Head head;

  PatchHead(PatchTransformer sizes, PatchFeatures features, Space positions, int outputs) {
    this.width = sizes.trunk().width();
    this.filter = sizes.headFilter();
    this.features = features;
    long places = (long) features.patch() * width;
    this.spread = new Linear(width, places, 1);
    this.earlier =
        Parameter.normal(1 / Math.sqrt(features.patch()), features.width(), places);
    this.mask = mask(features, width);
    double branch = 1 / Math.sqrt(2.0 * sizes.headLayers());
    this.perceptrons =
        Stream.generate(() -> new Perceptron(width, filter, branch))
            .limit(sizes.headLayers())
            .toList();
    this.head = new Head(positions, width, outputs);
  }

  private static Buffer mask(PatchFeatures features, int width) {
    int columns = features.patch() * width;
    double[] seen = new double[features.width() * columns];
    for (int row = 0; row < features.width(); row++) {
      for (int column = 0; column < columns; column++) {
        seen[row * columns + column] = row / features.symbols() < column / width ? 1 : 0;
      }
    }
    return Buffer.reals(seen, features.width(), columns);
  }

  /** {@code x + contract(gelu(expand(norm(x))))}. */
  private record Perceptron(Linear expand, Linear contract) {
    Perceptron(int width, int filter, double branch) {
      this(new Linear(width, filter, 1), new Linear(filter, width, branch));
    }
  }

  @Override
  public void register(ParameterRegistry registry) {
    spread.register(registry.within("spread"));
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
   * @param patches their vectors, {@code [B, T, width]}
   * @param hot their symbols, {@code [B, T, patch * K]}
   */
  Tensor apply(Tensor patches, Tensor hot, EvaluationContext context) {
    Tensor seen = context.get(earlier).mul(context.get(mask));
    Tensor before =
        Tensors.paddedForMatrixUnits(hot, 0).matmul(Tensors.paddedForMatrixUnits(seen, 1));
    Tensor places = spread.apply(patches, context).add(before); // [B, T, patch * width]
    Tensor each = places.view(places.size(0), -1, width); // [B, T * patch, width]
    return head.apply(through(each, context), context);
  }

  /**
   * Logits of one place of each patch, {@code [B, T, outputs]}.
   *
   * @param hot the symbols before that place; those behind it may be missing
   */
  Tensor at(int place, Tensor patches, Tensor hot, EvaluationContext context) {
    long from = (long) place * width;
    Tensor own = spread.apply(patches, from, width, context);
    long known = (long) place * features.symbols();
    if (known > 0) {
      Tensor seen = context.get(earlier).narrow(0, 0, known).narrow(1, from, width);
      own = own.add(hot.narrow(-1, 0, known).matmul(seen));
    }
    return head.at(0, through(own, context), context);
  }

  /** Room for the vectors of patches, {@code [B, tokens, width]}. */
  Tensor zeros(long batch, long tokens, EvaluationContext context) {
    return Tensors.zeros(context.get(earlier), batch, tokens, width);
  }

  private Tensor through(Tensor vectors, EvaluationContext context) {
    ResidualStream x = ResidualStream.of(vectors, filter, context);
    for (Perceptron one : perceptrons) {
      x = x.plus(one.contract, x.activated(one.expand));
    }
    return x.normalized();
  }
}
