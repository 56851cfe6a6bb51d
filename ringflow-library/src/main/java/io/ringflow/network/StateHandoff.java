package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/**
 * The hand-off of symbols between groups of a causal attention network: each symbol of a group
 * enters the network at the nearest position of the next group; of two equally near, at the later.
 *
 * <p>So one sequence of D vectors is enough: the vector at a position brings in symbols of the
 * group before, and the output there predicts the symbol of that position. From left to right this
 * is the usual shift by one. The symbols of the last group enter nowhere.
 *
 * <p>Where several symbols enter at one position, each is multiplied by a gate of its own, so that
 * their sum still tells which was which.
 */
final class StateHandoff implements Module {
  private final int[] starts;
  private final TokenEmbedding embedding;
  private final Buffer receivers; // [D, D] in order: 1 where a position (row) receives a symbol
  private final Buffer gateOf; // [D]: the gate of each symbol
  private final Parameter gates; // [most symbols a position receives, E]; null where that is one

  /**
   * The hand-off between groups.
   *
   * @param groups of tokens
   * @param embedding of tokens in the order of the groups
   */
  StateHandoff(Groups groups, TokenEmbedding embedding, int width) {
    int size = groups.positions();
    this.starts = groups.starts();
    this.embedding = embedding;
    double[] receives = new double[size * size];
    long[] gate = new long[size];
    int[] received = new int[size];
    int most = 0;
    for (int from = 0; from < starts[groups.count() - 1]; from++) {
      int to = nearest(from, groups);
      receives[to * size + from] = 1;
      gate[from] = received[to]++;
      most = Math.max(most, received[to]);
    }
    this.receivers = Buffer.reals(receives, size, size);
    this.gateOf = Buffer.longs(gate, size);
    this.gates = most > 1 ? Parameter.normal(1, most, width) : null;
  }

  /** The place in order, within the next group, whose position is nearest. */
  private int nearest(int from, Groups groups) {
    int next = groups.inOrder()[from] + 1;
    int position = groups.order().positions().get(from);
    int best = -1;
    int distance = Integer.MAX_VALUE;
    for (int to = starts[next]; to < starts[next + 1]; to++) {
      int d = Math.abs(groups.order().positions().get(to) - position);
      if (d <= distance) { // positions of a group ascend
        distance = d;
        best = to;
      }
    }
    return best;
  }

  @Override
  public void register(ParameterRegistry registry) {
    embedding.register(registry.within("embedding"));
    registry.buffer(receivers);
    if (gates != null) {
      registry.buffer(gateOf);
      registry.parameter("gates", gates);
    }
  }

  /** The vector each position receives, in order: {@code [B, D, E]}. */
  Tensor apply(Symbols symbols, EvaluationContext context) {
    Tensor shown = context.dropout().onSymbols(embedding.apply(symbols, context));
    Tensor vectors = gated(shown, 0, context);
    return context.get(receivers).matmul(vectors);
  }

  /**
   * The vectors that the positions of the next group receive.
   *
   * @param group the group whose symbols are known; not the last
   * @param ids its symbols, int64 {@code [B, n]}
   * @return {@code [B, positions of the next group, E]}
   */
  Tensor next(int group, Tensor ids, EvaluationContext context) {
    int from = starts[group];
    int to = starts[group + 1];
    Tensor vectors = gated(embedding.at(from, ids, context), from, context);
    Tensor block =
        context
            .get(receivers)
            .narrow(0, to, starts[group + 2] - (long) to)
            .narrow(1, from, to - from);
    return block.matmul(vectors);
  }

  private Tensor gated(Tensor vectors, int from, EvaluationContext context) {
    if (gates == null) {
      return vectors;
    }
    Tensor each = context.get(gateOf).narrow(0, from, vectors.size(1));
    return vectors.mul(context.get(gates).index_select(0, each));
  }
}
