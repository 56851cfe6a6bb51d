package io.ringflow.network;

import io.ringflow.internal.kernels.AttentionKernels;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * One block of a transformer: {@code x + attention(norm(x))}, then {@code x + perceptron(norm(x))}.
 *
 * <p>The normalisation has no scale and offset: a linear map follows it everywhere and can learn
 * both. Their gradients would cost as much time as half a matrix product.
 */
final class AttentionBlock implements Module {
  /**
   * Keys and values of the positions read so far, with room for all T: both {@code [B, heads, T,
   * width / heads]}.
   */
  record Cache(Tensor keys, Tensor values) {}

  private final int width;
  private final int heads;
  private final Linear queriesKeysValues;
  private final Linear project;
  private final Linear expand;
  private final Linear contract;

  AttentionBlock(Transformer sizes) {
    this.width = sizes.width();
    this.heads = sizes.heads();
    // The residual stream sums two branches of each block: they start small enough that the sum
    // stays of order one.
    double branch = 1 / Math.sqrt(2.0 * sizes.layers());
    this.queriesKeysValues = new Linear(width, 3L * width, 1, 3);
    this.project = new Linear(width, width, branch);
    this.expand = new Linear(width, sizes.filter(), 1);
    this.contract = new Linear(sizes.filter(), width, branch);
  }

  @Override
  public void register(ParameterRegistry registry) {
    queriesKeysValues.register(registry.within("attention.qkv"));
    project.register(registry.within("attention.project"));
    expand.register(registry.within("perceptron.expand"));
    contract.register(registry.within("perceptron.contract"));
  }

  Cache cache(long batch, long positions, Tensor like) {
    long[] shape = {batch, heads, positions, width / heads};
    return new Cache(Tensors.zeros(like, shape), Tensors.zeros(like, shape));
  }

  /** A whole sequence at once, {@code [B, T, width]}. */
  ResidualStream apply(ResidualStream x, AttentionMask mask) {
    Tensor[] parts = split(x.mapped(queriesKeysValues), 3);
    return finish(x, attend(parts[0], parts[1], parts[2], mask));
  }

  /**
   * The outputs of the last positions alone, which attend to the whole sequence: {@code [B, T,
   * width]} to {@code [B, count, width]}.
   */
  ResidualStream query(long count, ResidualStream x, EvaluationContext context) {
    Tensor normed = x.normalized();
    Tensor last = normed.narrow(1, normed.size(1) - count, count);
    Tensor queries = queriesKeysValues.apply(last, 0, width, context);
    Tensor[] parts = split(queriesKeysValues.apply(normed, width, 2L * width, context), 2);
    return finish(x, attend(split(queries, 1)[0], parts[0], parts[1], AttentionMask.ALL));
  }

  /**
   * The outputs of positions {@code from … from + n - 1}, {@code [B, n, width]}. They attend to
   * each other and to the earlier positions, whose keys and values are in the cache.
   */
  ResidualStream extend(ResidualStream x, Cache cache, long from) {
    Tensor mapped = x.mapped(queriesKeysValues);
    Optional<Tensor> last = x.attendLast(mapped, cache, from);
    if (last.isPresent()) {
      return finish(x, last.get());
    }
    Tensor[] parts = split(mapped, 3);
    long count = parts[0].size(2);
    cache.keys.narrow(2, from, count).copy_(parts[1]);
    cache.values.narrow(2, from, count).copy_(parts[2]);
    Tensor keys = cache.keys.narrow(2, 0, from + count);
    Tensor values = cache.values.narrow(2, 0, from + count);
    return finish(x, attend(parts[0], keys, values, AttentionMask.ALL));
  }

  /** {@code [B, T, n * width]} to n of {@code [B, heads, T, width / heads]}. */
  private Tensor[] split(Tensor x, int count) {
    // Cut before anything else: the gradients are then put together by one copy, into their place.
    Tensor[] parts = x.split(width, -1).get();
    Tensor[] byHead = new Tensor[count];
    for (int i = 0; i < count; i++) {
      byHead[i] = parts[i].view(x.size(0), x.size(1), heads, width / heads).transpose(1, 2);
    }
    return byHead;
  }

  /** Attention by heads, {@code [B, heads, T, width / heads]}, to {@code [B, T, width]}. */
  private Tensor attend(Tensor queries, Tensor keys, Tensor values, AttentionMask mask) {
    Tensor byHead = AttentionKernels.attend(queries, keys, values, mask.allowed(), mask.causal());
    return byHead.transpose(1, 2).reshape(byHead.size(0), byHead.size(2), width);
  }

  private ResidualStream finish(ResidualStream x, Tensor attended) {
    ResidualStream sum = x.plus(project, attended);
    return sum.plus(contract, sum.activated(expand));
  }
}
