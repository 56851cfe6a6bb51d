package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Attention over groups of tokens, behind the condition: a group attends to itself, the groups
 * before it and the condition.
 *
 * <p>The tokens of a group may attend to each other, because none of them holds a symbol of its own
 * group: the {@link StateHandoff} gives them those of the group before. So all outputs at once take
 * one pass over T vectors, and all steps together cost as much as one pass.
 */
final class AttentionTrunk implements Module {
  private final int prefix;
  private final int size;
  private final int[] starts;
  private final ConditionPrefix condition; // null for an unconditional model
  private final StateHandoff handoff;
  private final NeighbourGrams grams; // null where there are none
  private final Parameter positions; // [T, width], as in the data
  private final Buffer order; // [T]
  private final Buffer mask; // [C + T, C + T]; null where one position follows the other
  private final AttentionStack stack;

  /**
   * Attention over tokens.
   *
   * @param groups of tokens
   * @param embedding of tokens in the order of the groups
   * @param grams of the neighbours of tokens; null for none
   */
  AttentionTrunk(
      Transformer sizes,
      Groups groups,
      TokenEmbedding embedding,
      NeighbourGrams grams,
      Space condition) {
    int width = sizes.width();
    this.prefix = condition.size();
    this.size = groups.positions();
    this.starts = groups.starts();
    this.condition = prefix == 0 ? null : new ConditionPrefix(condition, width);
    this.handoff = new StateHandoff(groups, embedding, width);
    this.grams = grams;
    this.positions = Parameter.normal(1 / Math.sqrt(width), size, width);
    this.order = Buffer.longs(groups.order().positions());
    this.mask = prefix == 0 && groups.areSingles() ? null : mask(groups.inOrder(), prefix);
    this.stack = new AttentionStack(sizes);
  }

  private static Buffer mask(int[] groups, int prefix) {
    int length = prefix + groups.length;
    boolean[] allowed = new boolean[length * length];
    for (int query = 0; query < length; query++) {
      for (int key = 0; key < length; key++) {
        allowed[query * length + key] =
            key < prefix || (query >= prefix && groups[key - prefix] <= groups[query - prefix]);
      }
    }
    return Buffer.flags(allowed, length, length);
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (condition != null) {
      condition.register(registry.within("given"));
    }
    handoff.register(registry);
    if (grams != null) {
      grams.register(registry);
    }
    registry.parameter("positions", positions);
    registry.buffer(order);
    if (mask != null) {
      registry.buffer(mask);
    }
    stack.register(registry);
  }

  /** The outputs of all tokens, in the order of the groups: {@code [B, T, width]}. */
  Tensor apply(Symbols symbols, EvaluationContext context) {
    return outputs(embedded(symbols, context), context);
  }

  /**
   * The outputs of all tokens, about which more is known than their symbols.
   *
   * @param added to the vectors of the tokens, {@code [B, T, width]}
   */
  Tensor apply(Symbols symbols, Tensor added, EvaluationContext context) {
    return outputs(embedded(symbols, context).add(added), context);
  }

  /** What tokens begin with: {@code [B, T, width]}. */
  private Tensor embedded(Symbols symbols, EvaluationContext context) {
    Tensor places = context.get(positions).index_select(0, context.get(order));
    Tensor vectors = handoff.apply(symbols, context).add(places);
    if (grams == null) {
      return vectors;
    }
    Tensor ids = symbols.ids();
    Tensor known = grams.unknown(ids.size(0), context);
    NeighbourGrams.tell(known, 0, ids);
    return vectors.add(context.dropout().on(grams.at(known, 0, size, context)));
  }

  private Tensor outputs(Tensor own, EvaluationContext context) {
    Tensor sequence = condition == null ? own : Tensors.cat(1, condition.vectors(context), own);
    AttentionMask allowed =
        mask == null ? AttentionMask.CAUSAL : AttentionMask.of(context.get(mask));
    return stack.apply(sequence, allowed, context).narrow(1, prefix, size);
  }

  /** The trunk at work, one group after the other. */
  interface Steps {
    /**
     * The outputs of the n tokens that come next, {@code [B, n, width]}.
     *
     * @param added to their vectors, {@code [B, n, width]}; null for nothing
     */
    Tensor next(Tensor added);

    /** Tells the symbols of these tokens, by which they are embedded. */
    void append(Tensor ids);
  }

  /** Begins before the first group of a batch of rows. */
  Steps steps(long batch, EvaluationContext context) {
    Tensor like = context.get(positions);
    List<AttentionBlock.Cache> caches = stack.caches(batch, (long) prefix + size, like);
    if (condition != null) {
      stack.extend(condition.vectors(context), caches, 0, context);
    }
    Tensor places = like.index_select(0, context.get(order));
    Tensor handed = Tensors.zeros(like, batch, size, like.size(1)); // filled as symbols come
    Tensor known = grams == null ? null : grams.unknown(batch, context); // the same
    return new Steps() {
      private int group;

      @Override
      public Tensor next(Tensor added) {
        int from = starts[group];
        long count = starts[group + 1] - (long) from;
        Tensor own = handed.narrow(1, from, count).add(places.narrow(0, from, count));
        Tensor vectors = added == null ? own : own.add(added);
        if (grams != null) {
          vectors = vectors.add(grams.at(known, from, count, context));
        }
        return stack.extend(vectors, caches, (long) prefix + from, context);
      }

      @Override
      public void append(Tensor ids) {
        if (grams != null) {
          NeighbourGrams.tell(known, starts[group], ids);
        }
        if (group + 2 < starts.length) {
          int from = starts[group + 1];
          handed
              .narrow(1, from, starts[group + 2] - (long) from)
              .copy_(handoff.next(group, ids, context));
        }
        group++;
      }
    };
  }
}
