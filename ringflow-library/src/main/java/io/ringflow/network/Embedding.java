package io.ringflow.network;

import io.ringflow.core.Device;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A vector for each symbol: shared by all positions of a uniform space (letters of a text), and one
 * for each position and symbol otherwise (the columns of a table, where symbol 3 means something
 * else in each).
 */
final class Embedding implements TokenEmbedding {
  /** One-hots of more symbols take more memory than they save time. */
  private static final int MAX_MULTIPLIED = 1024;

  private final boolean shared;
  private final int size;
  private final int symbols;
  private final int width;
  private final Parameter table; // [K, H] or [D * K, H]
  private final Buffer offsets; // [D], where each position's rows begin

  Embedding(Space space, int width) {
    this(space, width, 1 / Math.sqrt(width));
  }

  /**
   * The vectors of the symbols of a space.
   *
   * @param deviation of their components, to begin with
   */
  Embedding(Space space, int width, double deviation) {
    this.shared = space.isUniform();
    this.size = space.size();
    this.symbols = space.maxCardinality();
    this.width = width;
    this.table = Parameter.normal(deviation, (shared ? 1L : size) * symbols, width);
    long[] starts = new long[size];
    Arrays.setAll(starts, d -> (long) d * symbols);
    this.offsets = Buffer.longs(starts, size);
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("table", table);
    registry.buffer(offsets);
  }

  @Override
  public Tensor apply(Symbols input, EvaluationContext context) {
    Tensor vectors = context.get(table);
    if (!input.carriesGradient() && !multiplies(context)) {
      return torch.embedding(vectors, shared ? input.ids() : input.ids().add(context.get(offsets)));
    }
    // A product with the straight-through one-hot picks the same row, bit for bit, and has a
    // gradient. The one-hot may be wider than ours: as wide as another position of the model.
    Tensor hot =
        input.carriesGradient()
            ? input.oneHotLike(vectors).narrow(-1, 0, symbols)
            : Tensors.oneHot(input.ids(), symbols, vectors.scalar_type()); // [B, D, K]
    if (shared) {
      return Tensors.paddedForMatrixUnits(hot, 0).matmul(Tensors.paddedForMatrixUnits(vectors, 1));
    }
    Tensor byPosition = vectors.view(size, symbols, width); // [D, K, H]
    return hot.transpose(0, 1).bmm(byPosition).transpose(0, 1);
  }

  /**
   * Whether a product with one-hots is better than looking rows up: on a GPU the gradient of the
   * table is a product then too, where thousands of symbols would else wait to be added to the same
   * few rows.
   */
  private boolean multiplies(EvaluationContext context) {
    return context.device() == Device.CUDA
        && shared
        && symbols <= MAX_MULTIPLIED
        && Tensors.recordsGradients()
        && context.get(table).requires_grad();
  }

  @Override
  public Tensor at(int from, Tensor ids, EvaluationContext context) {
    Tensor rows = shared ? ids : ids.add(context.get(offsets).narrow(0, from, ids.size(1)));
    return torch.embedding(context.get(table), rows);
  }
}
