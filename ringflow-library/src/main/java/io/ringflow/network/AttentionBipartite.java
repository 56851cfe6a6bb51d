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
  private final Embedding given; // null where nothing is given
  private final Embedding embedding; // null where nothing is kept
  private final Parameter hidden; // [width]
  private final Parameter givenPositions; // [C, width]
  private final Parameter positions; // [D, width]
  private final AttentionStack stack;
  private final Head head;
  private final Buffer kept;
  private final Buffer moved;
  private final int asked;

  AttentionBipartite(Transformer sizes, Space space, Mask mask, Space given, int outputs) {
    int width = sizes.width();
    double spread = 1 / Math.sqrt(width);
    this.given = given.size() == 0 ? null : new Embedding(given, width);
    this.givenPositions = given.size() == 0 ? null : Parameter.normal(spread, given.size(), width);
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
  public void declare(ParameterRegistry declarations) {
    if (given != null) {
      given.declare(declarations.within("given"));
      declarations.parameter("given.positions", givenPositions);
    }
    if (embedding != null) {
      embedding.declare(declarations.within("embedding"));
      declarations.constant(kept);
    }
    declarations.parameter("hidden", hidden);
    declarations.parameter("positions", positions);
    stack.declare(declarations);
    head.declare(declarations.within("head"));
    declarations.constant(moved);
  }

  @Override
  public Tensor logits(Symbols symbols, EvaluationContext pass) {
    List<Tensor> sequence = new ArrayList<>();
    if (given != null) {
      Tensor vectors = given.apply(Symbols.of(pass.context().ids()), pass);
      sequence.add(vectors.add(pass.get(givenPositions)));
    }
    if (embedding != null) {
      Tensor vectors = embedding.apply(symbols.select(pass.get(kept)), pass);
      sequence.add(vectors.add(pass.get(positions).index_select(0, pass.get(kept))));
    }
    Tensor queries = pass.get(positions).index_select(0, pass.get(moved)).add(pass.get(hidden));
    sequence.add(queries.expand(symbols.ids().size(0), -1, -1));
    Tensor all = Tensors.cat(1, sequence.toArray(Tensor[]::new));
    return head.apply(stack.ask(asked, all, pass), pass);
  }
}
