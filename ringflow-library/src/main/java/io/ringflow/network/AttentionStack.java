package io.ringflow.network;

import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Scope;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/** Attention blocks one after the other, with a normalisation behind them. */
final class AttentionStack implements Module {
  private final int filter;
  private final List<AttentionBlock> blocks;

  AttentionStack(Transformer sizes) {
    this.filter = sizes.filter();
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
    ResidualStream start = ResidualStream.of(vectors, filter, context);
    return through(blocks, start, mask).normalized();
  }

  /**
   * The outputs of the last positions alone, where all attend to all: {@code [B, T, width]} to
   * {@code [B, count, width]}. The last block computes no others, which saves a third of the work
   * of a short network.
   */
  Tensor query(long count, Tensor vectors, EvaluationContext context) {
    int last = blocks.size() - 1;
    ResidualStream start = ResidualStream.of(vectors, filter, context);
    ResidualStream x = through(blocks.subList(0, last), start, AttentionMask.ALL);
    return handUp(() -> blocks.get(last).query(count, x, context)).normalized();
  }

  private static ResidualStream through(
      List<AttentionBlock> some, ResidualStream start, AttentionMask mask) {
    ResidualStream x = start;
    for (AttentionBlock block : some) {
      ResidualStream before = x;
      x = handUp(() -> block.apply(before, mask));
    }
    return x;
  }

  private static ResidualStream handUp(Supplier<ResidualStream> block) {
    return Scope.handUp(block, ResidualStream::tensors);
  }

  /** A cache for each block, for {@link #extend}. */
  List<AttentionBlock.Cache> caches(long batch, long length, Tensor like) {
    return blocks.stream().map(block -> block.cache(batch, length, like)).toList();
  }

  /** The outputs of the positions {@code from …}, see {@link AttentionBlock#extend}. */
  Tensor extend(
      Tensor vectors, List<AttentionBlock.Cache> caches, long from, EvaluationContext context) {
    ResidualStream x = ResidualStream.of(vectors, filter, context);
    for (int i = 0; i < blocks.size(); i++) {
      x = blocks.get(i).extend(x, caches.get(i), from);
    }
    return x.normalized();
  }
}
