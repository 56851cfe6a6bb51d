package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/**
 * Attention over groups of patches, and a small head for the symbols within them.
 *
 * <p>The groups it is given are finer, see {@link PatchOrder}. The trunk therefore works on symbols
 * in another order than theirs: patch after patch, each from left to right.
 */
final class PatchCausal implements CausalConditioner {
  private final int patch;
  private final int[] starts; // of the groups of patches
  private final AttentionTrunk trunk;
  private final PatchHead head;
  private final Buffer byPatch; // [D]: the place in order of each patch's symbols

  PatchCausal(PatchTransformer sizes, Space space, Groups groups, Space condition, int outputs) {
    if (!space.isUniform()) {
      throw new IllegalArgumentException(
          "a patch transformer needs one alphabet for all positions, but the space is " + space);
    }
    this.patch = sizes.patch();
    PatchSymbols symbols = new PatchSymbols(patch, space.maxCardinality());
    PatchOrder order = new PatchOrder(groups, patch);
    this.starts = order.patches().starts();
    this.trunk =
        new AttentionTrunk(
            sizes.trunk(),
            order.patches(),
            new PatchEmbedding(symbols, sizes.ngrams(), sizes.gram(), sizes.trunk().width()),
            condition);
    this.head = new PatchHead(sizes, symbols, order, space, outputs);
    long[] places = order.positions(IntStream.range(0, order.patches().positions()).toArray());
    this.byPatch = Buffer.longs(places, places.length);
  }

  @Override
  public void register(ParameterRegistry registry) {
    trunk.register(registry);
    head.register(registry.within("head"));
    registry.buffer(byPatch);
  }

  @Override
  public int calls(int groups) {
    return groups / patch;
  }

  @Override
  public Tensor logits(Symbols data, EvaluationContext context) {
    Tensor vectors = trunk.apply(data.select(context.get(byPatch)), context); // [B, T, width]
    return head.apply(vectors, data, context);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    AttentionTrunk.Steps steps = trunk.steps(batch, context);
    int tokens = starts[starts.length - 1];
    // Made once and written in place: each step has a scope of its own.
    Tensor vectors = head.places().zeros(batch, tokens, context);
    Tensor known = Tensors.zeros(context.get(byPatch), batch, tokens, patch); // ids, by place
    return new IncrementalDecoder() {
      private int group; // of patches
      private int turn; // within them

      @Override
      public Tensor logits() {
        Tensor own = current(vectors);
        if (turn == 0) {
          own.copy_(steps.next());
        }
        return head.at(starts[group], turn, own, current(known), context);
      }

      @Override
      public void append(Tensor ids) {
        head.places().put(starts[group], turn, ids, current(known), context);
        turn++;
        if (turn == patch) {
          steps.append(current(known).flatten(1, 2));
          turn = 0;
          group++;
        }
      }

      private Tensor current(Tensor ofAll) {
        return ofAll.narrow(1, starts[group], starts[group + 1] - (long) starts[group]);
      }
    };
  }
}
