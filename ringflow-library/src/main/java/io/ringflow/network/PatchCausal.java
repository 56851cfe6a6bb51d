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
 * Attention over groups of patches, and a shallower one over the symbols: each begins with what the
 * former made of its patch, and attends to all symbols that come before it.
 *
 * <p>The groups it is given are finer than those of patches: n of them for each, the i-th of which
 * holds the i-th symbol of every patch. So the attention over patches sees the symbols in another
 * order than theirs: patch after patch.
 */
final class PatchCausal implements CausalConditioner {
  private final int patch;
  private final int width; // of the decoder
  private final int[] starts; // of the groups of patches
  private final AttentionTrunk trunk;
  private final Linear places; // of a patch's vector: [patch * width of the decoder, width]
  private final AttentionTrunk decoder;
  private final Head head;
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
            new PatchEmbedding(symbols, sizes.ngrams(), sizes.gram(), sizes.trunk().width()),
            null,
            condition);
    this.width = sizes.decoder().width();
    this.places = new Linear(sizes.trunk().width(), (long) patch * width, 1, patch);
    // As large as what it is added to, so that both are seen from the start.
    Embedding embedding = new Embedding(space, width, 0.5);
    NeighbourGrams grams = NeighbourGrams.of(sizes.decoder(), space, groups);
    this.decoder = new AttentionTrunk(sizes.decoder(), groups, embedding, grams, Space.NONE);
    this.head = new Head(space, width, outputs);
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
    places.register(registry.within("places"));
    decoder.register(registry.within("decoder"));
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
    Tensor patches = trunk.apply(data.select(context.get(byPatch)), context); // [B, T, width]
    Tensor each = places.apply(patches, context).view(patches.size(0), -1, width); // [B, D, width]
    Tensor ordered = each.index_select(1, context.get(inOrder));
    return head.apply(decoder.apply(data, ordered, context), context);
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    AttentionTrunk.Steps patchSteps = trunk.steps(batch, context);
    AttentionTrunk.Steps symbolSteps = decoder.steps(batch, context);
    int tokens = starts[starts.length - 1];
    // Made once and written in place: each step has a scope of its own.
    Tensor vectors = places.zeros(batch, tokens, context);
    Tensor known = Tensors.zeros(context.get(byPatch), batch, tokens, patch); // ids
    return new IncrementalDecoder() {
      private int group; // of patches
      private int place; // within them

      @Override
      public Tensor logits() {
        Tensor own = current(vectors);
        if (place == 0) {
          own.copy_(places.apply(patchSteps.next(null), context));
        }
        Tensor added = own.narrow(2, (long) place * width, width);
        return head.at(0, symbolSteps.next(added), context);
      }

      @Override
      public void append(Tensor ids) {
        symbolSteps.append(ids);
        current(known).select(2, place).copy_(ids);
        place++;
        if (place == patch) {
          patchSteps.append(current(known).flatten(1, 2));
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
