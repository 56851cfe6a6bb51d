package io.ringflow.spi;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * The value that runs through the layers: exact ids, and in straight-through training the one-hot
 * that carries gradients.
 *
 * <p>The ids are the truth. They are computed by integer arithmetic alone, and scores and samples
 * come from them. The one-hot's <em>value</em> is always exactly the one-hot of the ids; its
 * <em>gradient</em> is the straight-through estimate of section 3.3 of the paper.
 *
 * @param ids int64 {@code [B, D]}
 * @param oneHot float {@code [B, D, K]}, where K is the largest cardinality of the space; null
 *     except in straight-through training
 */
public record Symbols(Tensor ids, Tensor oneHot) {
  /** Symbols without gradients. */
  public static Symbols of(Tensor ids) {
    return new Symbols(ids, null);
  }

  /** Symbols with a one-hot that has no gradient yet: the data of a training step. */
  public static Symbols withOneHot(Tensor ids, int maxCardinality) {
    return new Symbols(ids, Tensors.oneHot(ids, maxCardinality, ScalarType.Float));
  }

  /** Whether a straight-through gradient is wanted. */
  public boolean hasOneHot() {
    return oneHot != null;
  }

  /** Whether a layer nearer to the data waits for a gradient through these symbols. */
  public boolean carriesGradient() {
    return oneHot != null && oneHot.requires_grad();
  }

  /** The one-hot in the floating-point type of another tensor, to be multiplied with it. */
  public Tensor oneHotLike(Tensor other) {
    return oneHot.to(other.scalar_type());
  }

  /** The symbols at the given positions ({@code index} is int64, one-dimensional). */
  public Symbols select(Tensor index) {
    return new Symbols(
        ids.index_select(1, index), hasOneHot() ? oneHot.index_select(1, index) : null);
  }

  /** These symbols with others at the given positions ({@code index} as in {@link #select}). */
  public Symbols replace(Tensor index, Symbols others) {
    return new Symbols(
        ids.index_copy(1, index, others.ids),
        hasOneHot() ? oneHot.index_copy(1, index, others.oneHot) : null);
  }

  /** The tensors of these symbols. */
  public List<Tensor> tensors() {
    return hasOneHot() ? List.of(ids, oneHot) : List.of(ids);
  }
}
