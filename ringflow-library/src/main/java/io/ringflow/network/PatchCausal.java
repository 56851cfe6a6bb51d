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
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Attention over groups of patches, and a small head for the symbols within them.
 *
 * <p>The groups it is given are finer: n of them for each group of patches, the i-th of which holds
 * the i-th symbol of every patch. It therefore works on symbols in another order than theirs: patch
 * after patch.
 */
final class PatchCausal implements CausalConditioner {
  private final int patch;
  private final int[] starts; // of the groups of patches
  private final AttentionTrunk trunk;
  private final PatchHead head;
  private final Buffer byPatch; // [D]: the place in order of each patch's symbols
  private final Buffer inOrder; // [D]: the inverse

  PatchCausal(PatchTransformer sizes, Space space, Groups groups, Space condition, int outputs) {
    if (!space.isUniform()) {
      throw new IllegalArgumentException(
          "a patch transformer needs one alphabet for all positions, but the space is " + space);
    }
    this.patch = sizes.patch();
    PatchSymbols symbols = new PatchSymbols(patch, space.maxCardinality());
    Groups patches = patches(groups, patch);
    this.starts = patches.starts();
    this.trunk =
        new AttentionTrunk(
            sizes.trunk(),
            patches,
            new PatchEmbedding(symbols, sizes.ngrams(), sizes.trunk().width()),
            condition);
    this.head = new PatchHead(sizes, symbols, space, outputs);
    long[] places = places(groups, patch);
    long[] inverse = new long[places.length];
    for (int i = 0; i < places.length; i++) {
      inverse[(int) places[i]] = i;
    }
    this.byPatch = Buffer.longs(places, places.length);
    this.inOrder = Buffer.longs(inverse, inverse.length);
  }

  /** The groups of patches that some groups of positions refine. */
  private static Groups patches(Groups groups, int patch) {
    List<List<Integer>> patches = new ArrayList<>();
    for (int group = 0; group < groups.count(); group++) {
      List<Integer> first = groups.groups().get(group - group % patch);
      int place = group % patch;
      boolean inTurn =
          first.stream().allMatch(position -> position % patch == 0)
              && first.stream()
                  .map(position -> position + place)
                  .toList()
                  .equals(groups.groups().get(group));
      if (!inTurn || groups.count() % patch != 0) {
        throw new IllegalArgumentException(
            "a transformer of patches of "
                + patch
                + " needs groups that take their symbols in turn, see Groups.inPatches");
      }
      if (place == 0) {
        patches.add(first.stream().map(position -> position / patch).toList());
      }
    }
    return new Groups(patches);
  }

  /** Where in the order of the groups the symbols of the first patch are, of the second, … */
  private static long[] places(Groups groups, int patch) {
    long[] places = new long[groups.positions()];
    int[] starts = groups.starts();
    int next = 0;
    for (int group = 0; group < groups.count(); group += patch) {
      int patches = starts[group + 1] - starts[group];
      for (int i = 0; i < patches; i++) {
        for (int place = 0; place < patch; place++) {
          places[next++] = starts[group + place] + (long) i;
        }
      }
    }
    return places;
  }

  @Override
  public void register(ParameterRegistry registry) {
    trunk.register(registry);
    head.register(registry.within("head"));
    registry.buffer(byPatch);
    registry.buffer(inOrder);
  }

  @Override
  public int calls(int groups) {
    return groups / patch;
  }

  @Override
  public Tensor logits(Symbols data, EvaluationContext context) {
    Symbols ordered = data.select(context.get(byPatch));
    Tensor vectors = trunk.apply(ordered, context); // [B, T, width]
    return head.apply(vectors, ordered, context).index_select(1, context.get(inOrder));
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    AttentionTrunk.Steps steps = trunk.steps(batch, context);
    int tokens = starts[starts.length - 1];
    // Made once and written in place: each step has a scope of its own.
    Tensor vectors = head.zeros(batch, tokens, context);
    Tensor known = Tensors.zeros(context.get(byPatch), batch, tokens, patch); // ids
    return new IncrementalDecoder() {
      private int group; // of patches
      private int place; // within them

      @Override
      public Tensor logits() {
        Tensor own = current(vectors);
        if (place == 0) {
          own.copy_(steps.next());
        }
        return head.at(place, own, current(known), context);
      }

      @Override
      public void append(Tensor ids) {
        current(known).select(2, place).copy_(ids);
        place++;
        if (place == patch) {
          steps.append(current(known).flatten(1, 2));
          place = 0;
          group++;
        }
      }

      private Tensor current(Tensor ofAll) {
        return ofAll.narrow(1, starts[group], starts[group + 1] - (long) starts[group]);
      }
    };
  }
}
