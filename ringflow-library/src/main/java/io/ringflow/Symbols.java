package io.ringflow;

import io.ringflow.torch.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * The value that runs through the layers: exact ids, and while training a shadow that carries
 * gradients.
 *
 * <p>The ids are the truth. They are computed by integer arithmetic alone, and scores and samples
 * come from them. The shadow's <em>value</em> is always exactly the one-hot of the ids; its
 * <em>gradient</em> is the straight-through estimate of section 3.3 of the paper.
 *
 * @param ids int64 {@code [B, D]}
 * @param shadow float {@code [B, D, K]}, where K is the largest cardinality of the space; null
 *     unless training
 */
public record Symbols(Tensor ids, Tensor shadow) {
  /** Symbols without gradients. */
  public static Symbols of(Tensor ids) {
    return new Symbols(ids, null);
  }

  /** Symbols with a shadow that nothing has touched yet: the data of a training step. */
  public static Symbols withShadow(Tensor ids, int maxCardinality) {
    return new Symbols(ids, Tensors.oneHot(ids, maxCardinality, ScalarType.Float));
  }

  /** Whether gradients are wanted. */
  public boolean hasShadow() {
    return shadow != null;
  }

  /** Whether some earlier layer waits for a gradient through these symbols. */
  public boolean carriesGradient() {
    return shadow != null && shadow.requires_grad();
  }

  /** The symbols at the given positions ({@code index} is int64, one-dimensional). */
  public Symbols select(Tensor index) {
    return new Symbols(
        ids.index_select(1, index), hasShadow() ? shadow.index_select(1, index) : null);
  }

  /** These symbols with others at the given positions ({@code index} as in {@link #select}). */
  public Symbols replace(Tensor index, Symbols others) {
    return new Symbols(
        ids.index_copy(1, index, others.ids),
        hasShadow() ? shadow.index_copy(1, index, others.shadow) : null);
  }

  /** Both tensors, or the one there is. */
  List<Tensor> tensors() {
    return hasShadow() ? List.of(ids, shadow) : List.of(ids);
  }
}
