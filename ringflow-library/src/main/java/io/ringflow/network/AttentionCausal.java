package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/** Attention over groups of positions, behind the condition; each position is a token. */
final class AttentionCausal implements CausalConditioner {
  private final int[] starts;
  private final AttentionTrunk trunk;
  private final Head head;

  AttentionCausal(Transformer sizes, Space space, Groups groups, Space condition, int outputs) {
    Space inOrder = space.select(groups.order().positions());
    this.starts = groups.starts();
    this.trunk =
        new AttentionTrunk(
            sizes,
            groups,
            new Embedding(inOrder, sizes.width()),
            NeighbourGrams.of(sizes, inOrder, groups),
            condition);
    this.head = new Head(inOrder, sizes.width(), outputs);
  }

  @Override
  public void register(ParameterRegistry registry) {
    trunk.register(registry);
    head.register(registry.within("head"));
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    return head.apply(trunk.apply(symbols, context), context);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    AttentionTrunk.Steps steps = trunk.steps(batch, context);
    return new IncrementalDecoder() {
      private int group;

      @Override
      public Tensor logits() {
        return head.at(starts[group], steps.next(null), context);
      }

      @Override
      public void append(Tensor ids) {
        steps.append(ids);
        group++;
      }
    };
  }
}
