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
  private final PatchFeatures features;
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
    this.features = new PatchFeatures(patch, space.maxCardinality());
    Groups patches = patches(groups, patch);
    this.starts = patches.starts();
    this.trunk =
        new AttentionTrunk(
            sizes.trunk(),
            patches,
            new PatchEmbedding(features, sizes.trunk().width()),
            condition);
    this.head = new PatchHead(sizes, features, space, outputs);
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
    if (groups.count() % patch == 0) {
      List<List<Integer>> patches = new ArrayList<>();
      for (int group = 0; group < groups.count(); group += patch) {
        patches.add(
            groups.groups().get(group).stream().map(position -> position / patch).toList());
      }
      if (patches.stream().mapToInt(List::size).sum() * patch == groups.positions()) {
        Groups coarse = new Groups(patches);
        if (coarse.inPatches(patch).equals(groups)) {
          return coarse;
        }
      }
    }
    throw new IllegalArgumentException(
        "a transformer of patches of %d needs groups that take their symbols in turn, see"
            .formatted(patch)
            + " Groups.inPatches");
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
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Symbols ordered = symbols.select(context.get(byPatch));
    Tensor vectors = trunk.apply(ordered, context); // [B, T, width]
    Tensor logits = head.apply(vectors, features.of(ordered, vectors), context);
    return logits.index_select(1, context.get(inOrder));
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
        return head.at(place, own, features.of(current(known).flatten(1, 2), own), context);
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
