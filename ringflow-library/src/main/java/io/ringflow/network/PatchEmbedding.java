package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A vector for each patch: the sum of one for each symbol at its place in the patch, and one for
 * the patch as a whole, an n-gram, which it may share with others of the same remainder.
 *
 * <p>Straight-through gradients pass through the former alone.
 */
final class PatchEmbedding implements TokenEmbedding {
  private final PatchSymbols symbols;
  private final int buckets;
  private final Parameter table; // [patch * K, H]
  private final Parameter ngrams; // [buckets, H]; null where there are none

  /**
   * Vectors of patches.
   *
   * @param buckets of n-grams; 0 for none
   */
  PatchEmbedding(PatchSymbols symbols, int buckets, int width) {
    this.symbols = symbols;
    this.buckets = buckets;
    // Of the sum, not of each term, the deviation is that of an Embedding.
    double deviation = 1 / Math.sqrt((double) width * symbols.patch());
    this.table = Parameter.normal(deviation, symbols.rows(), width);
    this.ngrams = buckets == 0 ? null : Parameter.normal(deviation, buckets, width);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("table", table);
    if (ngrams != null) {
      registry.parameter("ngrams", ngrams);
    }
  }

  @Override
  public Tensor apply(Symbols data, EvaluationContext context) {
    Tensor sum = symbols.sum(data, context.get(table), context);
    return ngrams == null ? sum : sum.add(wholes(patches(data.ids()), context));
  }

  @Override
  public Tensor at(int from, Tensor ids, EvaluationContext context) {
    Tensor patches = patches(ids);
    Tensor sum = symbols.sum(patches, context.get(table));
    return ngrams == null ? sum : sum.add(wholes(patches, context));
  }

  /** {@code [B, T * patch]} to {@code [B, T, patch]}. */
  private Tensor patches(Tensor ids) {
    return ids.reshape(ids.size(0), -1, symbols.patch());
  }

  /** The vectors of n-grams: of a number whose digits are the symbols, its remainder. */
  private Tensor wholes(Tensor patches, EvaluationContext context) {
    Tensor bucket = patches.select(2, 0).remainder(new Scalar((long) buckets));
    for (int place = 1; place < symbols.patch(); place++) {
      bucket =
          bucket
              .mul(new Scalar((long) symbols.cardinality()))
              .add(patches.select(2, place))
              .remainder(new Scalar((long) buckets));
    }
    return torch.embedding(context.get(ngrams), bucket);
  }
}
