package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A vector for each patch: the sum of one for each symbol at its place in the patch, and one for
 * each n-gram of neighbours in it, which others of the same remainder share.
 *
 * <p>Straight-through gradients pass through the former alone.
 */
final class PatchEmbedding implements TokenEmbedding {
  private final PatchSymbols symbols;
  private final int buckets;
  private final int gram;
  private final Parameter table; // [patch * K, H]
  private final Parameter ngrams; // [buckets, H]; null where there are none

  /**
   * Vectors of patches.
   *
   * @param buckets of n-grams; 0 for none
   * @param gram symbols of an n-gram
   */
  PatchEmbedding(PatchSymbols symbols, int buckets, int gram, int width) {
    this.symbols = symbols;
    this.buckets = buckets;
    this.gram = gram;
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
    return ngrams == null
        ? sum
        : sum.add(context.dropout().on(ngrams(patches(data.ids()), context)));
  }

  @Override
  public Tensor at(int from, Tensor ids, EvaluationContext context) {
    Tensor patches = patches(ids);
    Tensor sum = symbols.sum(patches, context.get(table));
    return ngrams == null ? sum : sum.add(ngrams(patches, context));
  }

  /** {@code [B, T * patch]} to {@code [B, T, patch]}. */
  private Tensor patches(Tensor ids) {
    return ids.reshape(ids.size(0), -1, symbols.patch());
  }

  /**
   * The sum of the vectors of n-grams: each of the remainder of a number whose digits are its first
   * place in the patch and its symbols.
   */
  private Tensor ngrams(Tensor patches, EvaluationContext context) {
    long count = symbols.patch() - gram + 1L;
    Scalar base = new Scalar((long) symbols.cardinality());
    Scalar modulus = new Scalar((long) buckets);
    Tensor bucket = Tensors.range(count, patches); // [n]
    for (int i = 0; i < gram; i++) {
      bucket = bucket.mul(base).add(patches.narrow(2, i, count)).remainder(modulus); // [B, T, n]
    }
    return torch.embedding(context.get(ngrams), bucket).sum(2);
  }
}
