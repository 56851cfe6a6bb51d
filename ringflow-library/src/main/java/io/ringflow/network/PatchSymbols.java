package io.ringflow.network;

import io.ringflow.core.Device;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Symbols by their place in a patch: a table has a row for each symbol at each place, and a patch
 * is the sum of the rows of its symbols.
 *
 * @param patch symbols of a patch
 * @param cardinality of the alphabet, K
 */
record PatchSymbols(int patch, int cardinality) {
  /** One-hots that are wider take more time than they save. */
  private static final int MAX_MULTIPLIED = 4096;

  /** The rows of a table. */
  int rows() {
    return patch * cardinality;
  }

  /**
   * The sums of patches, {@code [B, T, H]}.
   *
   * @param symbols patch after patch, {@code [B, T * patch]}
   * @param table {@code [patch * K, H]}
   */
  Tensor sum(Symbols symbols, Tensor table, EvaluationContext context) {
    if (symbols.carriesGradient()) {
      Tensor hot = symbols.oneHotLike(table).narrow(-1, 0, cardinality); // [B, D, K]
      return product(hot.reshape(hot.size(0), -1, rows()), table);
    }
    Tensor ids = symbols.ids();
    Tensor each = ids.view(ids.size(0), -1, patch);
    // On a GPU the gradient of the table is a product then too: see Embedding.
    boolean multiplies =
        context.device() == Device.CUDA
            && Tensors.recordsGradients()
            && rows() <= MAX_MULTIPLIED
            && table.requires_grad();
    return multiplies ? product(hot(each, table), table) : sum(each, table);
  }

  /**
   * The sums of the first symbols of patches, {@code [B, T, H]}.
   *
   * @param ids {@code [B, T, n]}, n at least 1 and at most a patch
   */
  Tensor sum(Tensor ids, Tensor table) {
    return torch.embedding(table, rowsOf(ids)).sum(2);
  }

  private Tensor rowsOf(Tensor ids) {
    Tensor offsets = Tensors.range(ids.size(2), ids).mul(new Scalar((long) cardinality));
    return ids.add(offsets);
  }

  /** One-hots side by side, {@code [B, T, patch * K]}. */
  private Tensor hot(Tensor ids, Tensor like) {
    return Tensors.zeros(like, ids.size(0), ids.size(1), rows())
        .scatter_(-1, rowsOf(ids), new Scalar(1.0));
  }

  private static Tensor product(Tensor hot, Tensor table) {
    return Tensors.paddedForMatrixUnits(hot, 0).matmul(Tensors.paddedForMatrixUnits(table, 1));
  }
}
