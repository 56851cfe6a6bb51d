package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/** Attention blocks one after the other, with a normalisation behind them. */
final class AttentionStack implements Module {
  private final List<AttentionBlock> blocks;

  AttentionStack(Transformer sizes) {
    this.blocks = Stream.generate(() -> new AttentionBlock(sizes)).limit(sizes.layers()).toList();
  }

  @Override
  public void register(ParameterRegistry registry) {
    for (int i = 0; i < blocks.size(); i++) {
      blocks.get(i).register(registry.within("blocks." + i));
    }
  }

  /** The outputs of all positions under a mask, {@code [B, T, width]}. */
  Tensor apply(Tensor vectors, AttentionMask mask, EvaluationContext context) {
    return Tensors.normalized(through(blocks, vectors, mask, context));
  }

  /**
   * The outputs of the last positions alone, where all attend to all: {@code [B, T, width]} to
   * {@code [B, count, width]}. The last block computes no others, which saves a third of the work
   * of a short network.
   */
  Tensor query(long count, Tensor vectors, EvaluationContext context) {
    int last = blocks.size() - 1;
    Tensor x = through(blocks.subList(0, last), vectors, AttentionMask.ALL, context);
    return Tensors.normalized(Scope.handUp(() -> blocks.get(last).query(count, x, context)));
  }

  private static Tensor through(
      List<AttentionBlock> some, Tensor vectors, AttentionMask mask, EvaluationContext context) {
    Tensor x = vectors;
    for (AttentionBlock block : some) {
      Tensor before = x;
      x = Scope.handUp(() -> block.apply(before, mask, context));
    }
    return x;
  }

  /** A cache for each block, for {@link #extend}. */
  List<AttentionBlock.Cache> caches(long batch, long length, Tensor like) {
    return blocks.stream().map(block -> block.cache(batch, length, like)).toList();
  }

  /** The outputs of the positions {@code from …}, see {@link AttentionBlock#extend}. */
  Tensor extend(
      Tensor vectors, List<AttentionBlock.Cache> caches, long from, EvaluationContext context) {
    Tensor x = vectors;
    for (int i = 0; i < blocks.size(); i++) {
      x = blocks.get(i).extend(x, caches.get(i), from, context);
    }
    return Tensors.normalized(x);
  }
}
