package io.ringflow.network;

import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * The symbols of patches as vectors of zeros and ones: a one-hot for each place of the patch, side
 * by side. A product with a matrix sums a row for each symbol.
 *
 * @param patch symbols of a patch
 * @param symbols of the alphabet, K
 */
record PatchFeatures(int patch, int symbols) {
  /** The width of a vector. */
  int width() {
    return patch * symbols;
  }

  /**
   * The vectors of patches, {@code [B, T, width]}.
   *
   * @param data patch after patch, {@code [B, T * patch]}
   * @param like of the type they shall have
   */
  Tensor of(Symbols data, Tensor like) {
    if (data.carriesGradient()) {
      Tensor hot = data.oneHotLike(like).narrow(-1, 0, symbols); // [B, D, K]
      return hot.reshape(hot.size(0), -1, width());
    }
    return of(data.ids(), like);
  }

  /** The same of ids, {@code [B, T * patch]}. */
  Tensor of(Tensor ids, Tensor like) {
    long rows = ids.size(0);
    Tensor places = ids.reshape(rows, -1, patch).add(offsets(ids)); // [B, T, patch]
    return Tensors.zeros(like, rows, places.size(1), width())
        .scatter_(-1, places, new Scalar(1.0));
  }

  private Tensor offsets(Tensor like) {
    return Tensors.range(patch, like).mul(new Scalar((long) symbols));
  }
}
