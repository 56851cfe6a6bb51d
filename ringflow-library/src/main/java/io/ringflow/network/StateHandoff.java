package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import org.bytedeco.pytorch.Tensor;

/**
 * Hands every symbol of a group to the nearest position of the next one, where the network reads
 * it; of two that are as near, to the later.
 *
 * <p>So one sequence of D vectors is enough: the vector at a position brings in symbols of the
 * group before, and what leaves the network there predicts its own. From left to right this is the
 * usual shift by one. Symbols of the last group go nowhere.
 *
 * <p>Where a position is handed several, each passes through a gate of its own, so that their sum
 * still tells which was which.
 */
final class StateHandoff implements Module {
  private final int[] starts;
  private final Embedding embedding;
  private final Buffer takers; // [D, D] in order: 1 where a position takes a symbol
  private final Buffer gate; // [D], which gate each symbol goes through
  private final Parameter gates; // [most a position takes, E]; null where that is one

  /**
   * A handover between groups.
   *
   * @param space in order
   */
  StateHandoff(Space space, Groups groups, int width) {
    int size = space.size();
    this.starts = groups.starts();
    this.embedding = new Embedding(space, width);
    double[] taker = new double[size * size];
    long[] which = new long[size];
    int[] taken = new int[size];
    int most = 0;
    for (int from = 0; from < starts[groups.count() - 1]; from++) {
      int to = nearest(from, groups);
      taker[to * size + from] = 1;
      which[from] = taken[to]++;
      most = Math.max(most, taken[to]);
    }
    this.takers = Buffer.reals(taker, size, size);
    this.gate = Buffer.longs(which, size);
    this.gates = most > 1 ? Parameter.normal(1, most, width) : null;
  }

  /** The place in order, within the next group, that is nearest in space. */
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
    registry.constant(takers);
    if (gates != null) {
      registry.constant(gate);
      registry.parameter("gates", gates);
    }
  }

  /** What every position is handed, in order: {@code [B, D, E]}. */
  Tensor apply(Symbols symbols, EvaluationContext context) {
    Tensor vectors = gated(embedding.apply(symbols, context), 0, context);
    return context.get(takers).matmul(vectors);
  }

  /**
   * What the positions of the next group are handed.
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
        context.get(takers).narrow(0, to, starts[group + 2] - (long) to).narrow(1, from, to - from);
    return block.matmul(vectors);
  }

  private Tensor gated(Tensor vectors, int from, EvaluationContext context) {
    if (gates == null) {
      return vectors;
    }
    Tensor each = context.get(gate).narrow(0, from, vectors.size(1));
    return vectors.mul(context.get(gates).index_select(0, each));
  }
}
