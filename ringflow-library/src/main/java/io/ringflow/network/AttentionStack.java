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
  public void declare(ParameterRegistry declarations) {
    for (int i = 0; i < blocks.size(); i++) {
      blocks.get(i).declare(declarations.within("blocks." + i));
    }
  }

  /** Each position sees some: {@code [B, T, width]}. */
  Tensor apply(Tensor vectors, AttentionMask visible, EvaluationContext pass) {
    return Tensors.normalized(through(blocks, vectors, visible, pass));
  }

  /**
   * All see all, and the last few are asked: {@code [B, T, width]} to {@code [B, count, width]}.
   * The last block answers nobody else, which saves a third of a short network's work.
   */
  Tensor ask(long count, Tensor vectors, EvaluationContext pass) {
    int last = blocks.size() - 1;
    Tensor x = through(blocks.subList(0, last), vectors, AttentionMask.ALL, pass);
    return Tensors.normalized(Scope.handUp(() -> blocks.get(last).ask(count, x, pass)));
  }

  private static Tensor through(
      List<AttentionBlock> some, Tensor vectors, AttentionMask visible, EvaluationContext pass) {
    Tensor x = vectors;
    for (AttentionBlock block : some) {
      Tensor before = x;
      x = Scope.handUp(() -> block.apply(before, visible, pass));
    }
    return x;
  }

  /** One for each block, for {@link #extend}. */
  List<AttentionBlock.Cache> caches(long batch, long length, Tensor like) {
    return blocks.stream().map(block -> block.cache(batch, length, like)).toList();
  }

  /** The positions {@code from …} of a sequence, see {@link AttentionBlock#extend}. */
  Tensor extend(
      Tensor vectors, List<AttentionBlock.Cache> caches, long from, EvaluationContext pass) {
    Tensor x = vectors;
    for (int i = 0; i < blocks.size(); i++) {
      x = blocks.get(i).extend(x, caches.get(i), from, pass);
    }
    return Tensors.normalized(x);
  }
}
