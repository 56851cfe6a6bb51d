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
 * Attention over what is given, the kept symbols, and behind them a query at each moved position,
 * which knows its place alone.
 *
 * <p>Attention does not mind the order of what it sees. With the queries last, all that is asked
 * lies in one piece, and no scattered copies are needed on the way back.
 */
final class AttentionBipartite implements Conditioner {
  private final Embedding condition; // null where nothing is given
  private final Embedding embedding; // null where nothing is kept
  private final Parameter hidden; // [width]
  private final Parameter conditionPositions; // [C, width]
  private final Parameter positions; // [D, width]
  private final AttentionStack stack;
  private final Head head;
  private final Buffer kept;
  private final Buffer moved;
  private final int asked;

  AttentionBipartite(Transformer sizes, Space space, Mask mask, Space condition, int outputs) {
    int width = sizes.width();
    double spread = 1 / Math.sqrt(width);
    this.condition = condition.size() == 0 ? null : new Embedding(condition, width);
    this.conditionPositions =
        condition.size() == 0 ? null : Parameter.normal(spread, condition.size(), width);
    this.embedding = mask.kept().isEmpty() ? null : new Embedding(space.select(mask.kept()), width);
    this.hidden = Parameter.normal(spread, width);
    this.positions = Parameter.normal(spread, space.size(), width);
    this.stack = new AttentionStack(sizes);
    this.head = new Head(space.select(mask.moved()), width, outputs);
    this.kept = Buffer.longs(mask.kept());
    this.moved = Buffer.longs(mask.moved());
    this.asked = mask.moved().size();
  }

  @Override
  public void register(ParameterRegistry registry) {
    if (condition != null) {
      condition.register(registry.within("given"));
      registry.parameter("given.positions", conditionPositions);
    }
    if (embedding != null) {
      embedding.register(registry.within("embedding"));
      registry.constant(kept);
    }
    registry.parameter("hidden", hidden);
    registry.parameter("positions", positions);
    stack.register(registry);
    head.register(registry.within("head"));
    registry.constant(moved);
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext context) {
    List<Tensor> sequence = new ArrayList<>();
    if (condition != null) {
      Tensor vectors = condition.apply(Symbols.of(context.condition().ids()), context);
      sequence.add(vectors.add(context.get(conditionPositions)));
    }
    if (embedding != null) {
      Tensor vectors = embedding.apply(symbols.select(context.get(kept)), context);
      sequence.add(vectors.add(context.get(positions).index_select(0, context.get(kept))));
    }
    Tensor queries =
        context.get(positions).index_select(0, context.get(moved)).add(context.get(hidden));
    sequence.add(queries.expand(symbols.ids().size(0), -1, -1));
    Tensor all = Tensors.cat(1, sequence.toArray(Tensor[]::new));
    return head.apply(stack.ask(asked, all, context), context);
  }
}
