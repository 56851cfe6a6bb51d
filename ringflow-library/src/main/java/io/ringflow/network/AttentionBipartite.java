package io.ringflow.network;

import io.ringflow.core.Mask;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Conditioner;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Attention over the condition, the symbols it sees, and behind them a query for each moved
 * position, which holds its position and no symbol.
 *
 * <p>The order of a sequence does not matter to attention. With the queries last, all outputs lie
 * in one piece, and a backward pass needs no scattered copies.
 */
final class AttentionBipartite implements Conditioner {
  private final ConditionPrefix condition; // null for an unconditional model
  private final Embedding embedding; // null where nothing is seen
  private final Parameter hidden; // [width]
  private final Parameter positions; // [D, width]
  private final AttentionStack stack;
  private final Head head;
  private final Buffer seen;
  private final Buffer moved;
  private final int queries;

  AttentionBipartite(Transformer sizes, Space space, Mask mask, Space condition, int outputs) {
    int width = sizes.width();
    double spread = 1 / Math.sqrt(width);
    this.condition = condition.size() == 0 ? null : new ConditionPrefix(condition, width);
    this.embedding = mask.seen().isEmpty() ? null : new Embedding(space.select(mask.seen()), width);
    this.hidden = Parameter.normal(spread, width);
    this.positions = Parameter.normal(spread, space.size(), width);
    this.stack = new AttentionStack(sizes);
    this.head = new Head(space.select(mask.moved()), width, outputs);
    this.seen = Buffer.longs(mask.seen());
    this.moved = Buffer.longs(mask.moved());
    this.queries = mask.moved().size();
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (condition != null) {
      condition.register(registry.within("given"));
    }
    if (embedding != null) {
      embedding.register(registry.within("embedding"));
      registry.buffer(seen);
    }
    registry.parameter("hidden", hidden);
    registry.parameter("positions", positions);
    stack.register(registry);
    head.register(registry.within("head"));
    registry.buffer(moved);
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    List<Tensor> sequence = new ArrayList<>();
    if (condition != null) {
      sequence.add(condition.vectors(context)); // [B, C, width]
    }
    if (embedding != null) {
      Tensor vectors = embedding.apply(symbols.select(context.get(seen)), context);
      Tensor shown = context.dropout().onSymbols(vectors);
      sequence.add(shown.add(context.get(positions).index_select(0, context.get(seen))));
    }
    Tensor places = context.get(positions).index_select(0, context.get(moved)); // [M, width]
    sequence.add(places.add(context.get(hidden)).expand(symbols.ids().size(0), -1, -1));
    Tensor all = Tensors.cat(1, sequence.toArray(Tensor[]::new));
    return head.apply(stack.query(queries, all, context), context);
  }
}
