package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Tensor;

/** A vector for each patch: the sum of one for each symbol at its place in the patch. */
final class PatchEmbedding implements TokenEmbedding {
  private final PatchFeatures features;
  private final Parameter table; // [patch * K, H]

  PatchEmbedding(PatchFeatures features, int width) {
    this.features = features;
    // Of the sum, not of each term, the deviation is that of an Embedding.
    double deviation = 1 / Math.sqrt((double) width * features.patch());
    this.table = Parameter.normal(deviation, features.width(), width);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("table", table);
  }

  @Override
  public Tensor apply(Symbols symbols, EvaluationContext context) {
    return product(features.of(symbols, context.get(table)), context);
  }

  @Override
  public Tensor at(int from, Tensor ids, EvaluationContext context) {
    return product(features.of(ids, context.get(table)), context);
  }

  private Tensor product(Tensor hot, EvaluationContext context) {
    return Tensors.paddedForMatrixUnits(hot, 0)
        .matmul(Tensors.paddedForMatrixUnits(context.get(table), 1));
  }
}
