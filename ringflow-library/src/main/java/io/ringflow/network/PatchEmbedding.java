package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** A vector for each patch: the sum of one for each symbol at its place in the patch. */
final class PatchEmbedding implements TokenEmbedding {
  private final PatchFeatures features;
  private final Parameter table; // [patch * K, H]
  private static final long BUCKETS = Long.getLong("ringflow.buckets", 0);
  private final Parameter grams;

  PatchEmbedding(PatchFeatures features, int width) {
    this.features = features;
    // Of the sum, not of each term, the deviation is that of an Embedding.
    double deviation = 1 / Math.sqrt((double) width * features.patch());
    this.grams = BUCKETS == 0 ? null : Parameter.normal(0.02, BUCKETS, width);
    this.table = Parameter.normal(deviation, features.width(), width);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("table", table);
    if (grams != null) {
      registry.parameter("grams", grams);
    }
  }

  @Override
  public Tensor apply(Symbols symbols, EvaluationContext context) {
    return product(features.of(symbols, context.get(table)), symbols.ids(), context);
  }

  @Override
  public Tensor at(int from, Tensor ids, EvaluationContext context) {
    return product(features.of(ids, context.get(table)), ids, context);
  }

  private Tensor product(Tensor hot, Tensor ids, EvaluationContext context) {
    Tensor sum =
        Tensors.paddedForMatrixUnits(hot, 0)
            .matmul(Tensors.paddedForMatrixUnits(context.get(table), 1));
    if (grams == null) {
      return sum;
    }
    Tensor each = ids.reshape(ids.size(0), -1, features.patch());
    Tensor code = each.select(2, 0);
    for (int i = 1; i < features.patch(); i++) {
      code = code.mul(new Scalar((long) features.symbols())).add(each.select(2, i));
    }
    Tensor bucket = code.remainder(new Scalar(BUCKETS));
    return sum.add(torch.embedding(context.get(grams), bucket));
  }
}
