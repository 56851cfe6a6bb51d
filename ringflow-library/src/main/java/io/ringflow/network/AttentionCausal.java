package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.CausalConditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.IncrementalDecoder;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Attention over groups of positions, each of which sees its own and those before it, with what is
 * given in front of them all.
 *
 * <p>The positions of a group may see each other because of symbols they hold only what the {@link
 * StateHandoff} gave them: those of the group before. So training takes one pass over D vectors
 * whatever the groups, and drawing all groups one pass's work in all.
 */
final class AttentionCausal implements CausalConditioner {
  private final int prefix;
  private final int size;
  private final int[] starts;
  private final Embedding condition; // null where nothing is given
  private final Parameter conditionPositions; // [C, width]
  private final StateHandoff handover;
  private final Parameter positions; // [D, width], as in the data
  private final Buffer order; // [D]
  private final Buffer visible; // [C + D, C + D]: who may see whom; null for left to right
  private final AttentionStack stack;
  private final Head head;

  AttentionCausal(Transformer sizes, Space space, Groups groups, Space condition, int outputs) {
    int width = sizes.width();
    double spread = 1 / Math.sqrt(width);
    Space inOrder = space.select(groups.order().positions());
    this.prefix = condition.size();
    this.size = space.size();
    this.starts = groups.starts();
    this.condition = prefix == 0 ? null : new Embedding(condition, width);
    this.conditionPositions = prefix == 0 ? null : Parameter.normal(spread, prefix, width);
    this.handover = new StateHandoff(inOrder, groups, width);
    this.positions = Parameter.normal(spread, size, width);
    this.order = Buffer.longs(groups.order().positions());
    this.visible = prefix == 0 && groups.areSingles() ? null : visible(groups.inOrder(), prefix);
    this.stack = new AttentionStack(sizes);
    this.head = new Head(inOrder, width, outputs);
  }

  private static Buffer visible(int[] groups, int prefix) {
    int length = prefix + groups.length;
    boolean[] flags = new boolean[length * length];
    for (int reader = 0; reader < length; reader++) {
      for (int read = 0; read < length; read++) {
        flags[reader * length + read] =
            read < prefix || (reader >= prefix && groups[read - prefix] <= groups[reader - prefix]);
      }
    }
    return Buffer.flags(flags, length, length);
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (prefix > 0) {
      condition.register(registry.within("given"));
      registry.parameter("given.positions", conditionPositions);
    }
    handover.register(registry);
    registry.parameter("positions", positions);
    registry.constant(order);
    if (visible != null) {
      registry.constant(visible);
    }
    stack.register(registry);
    head.register(registry.within("head"));
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    Tensor places = context.get(positions).index_select(0, context.get(order));
    Tensor own = handover.apply(symbols, context).add(places); // [B, D, width]
    Tensor sequence = prefix == 0 ? own : Tensors.cat(1, conditionVectors(context), own);
    AttentionMask seen =
        visible == null ? AttentionMask.CAUSAL : AttentionMask.of(context.get(visible));
    Tensor read = stack.apply(sequence, seen, context);
    return head.apply(read.narrow(1, prefix, size), context);
  }

  private Tensor conditionVectors(EvaluationContext context) {
    return condition
        .apply(Symbols.of(context.condition().ids()), context)
        .add(context.get(conditionPositions)); // [B, C, width]
  }

  @Override
  public IncrementalDecoder decoder(long batch, EvaluationContext context) {
    Tensor like = context.get(positions);
    List<AttentionBlock.Cache> caches = stack.caches(batch, (long) prefix + size, like);
    if (prefix > 0) {
      stack.extend(conditionVectors(context), caches, 0, context);
    }
    Tensor places = like.index_select(0, context.get(order));
    Tensor handed = Tensors.zeros(like, batch, size, like.size(1)); // filled as symbols come
    return new IncrementalDecoder() {
      private int group;

      @Override
      public Tensor logits() {
        int from = starts[group];
        long count = starts[group + 1] - (long) from;
        Tensor vectors = handed.narrow(1, from, count).add(places.narrow(0, from, count));
        Tensor read = stack.extend(vectors, caches, (long) prefix + from, context);
        return head.at(from, read, context);
      }

      @Override
      public void append(Tensor ids) {
        if (group + 2 < starts.length) {
          int from = starts[group + 1];
          handed
              .narrow(1, from, starts[group + 2] - (long) from)
              .copy_(handover.next(group, ids, context));
        }
        group++;
      }
    };
  }
}
