package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/** Attention blocks one after the other, and a normalisation behind them. */
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

  /** Each position sees some: {@code [B, T, width]}. */
  Tensor apply(Tensor vectors, AttentionMask visible, EvaluationContext context) {
    return Tensors.normalized(through(blocks, vectors, visible, context));
  }

  /**
   * All see all, and the last few are asked: {@code [B, T, width]} to {@code [B, count, width]}.
   * The last block answers nobody else, which saves a third of a short network's work.
   */
  Tensor ask(long count, Tensor vectors, EvaluationContext context) {
    int last = blocks.size() - 1;
    Tensor x = through(blocks.subList(0, last), vectors, AttentionMask.ALL, context);
    return Tensors.normalized(Scope.handUp(() -> blocks.get(last).ask(count, x, context)));
  }

  private static Tensor through(
      List<AttentionBlock> some, Tensor vectors, AttentionMask visible, EvaluationContext context) {
    Tensor x = vectors;
    for (AttentionBlock block : some) {
      Tensor before = x;
      x = Scope.handUp(() -> block.apply(before, visible, context));
    }
    return x;
  }

  /** One for each block, for {@link #extend}. */
  List<AttentionBlock.Cache> caches(long batch, long length, Tensor like) {
    return blocks.stream().map(block -> block.cache(batch, length, like)).toList();
  }

  /** The positions {@code from …} of a sequence, see {@link AttentionBlock#extend}. */
  Tensor extend(
      Tensor vectors, List<AttentionBlock.Cache> caches, long from, EvaluationContext context) {
    Tensor x = vectors;
    for (int i = 0; i < blocks.size(); i++) {
      x = blocks.get(i).extend(x, caches.get(i), from, context);
    }
    return Tensors.normalized(x);
  }
}
