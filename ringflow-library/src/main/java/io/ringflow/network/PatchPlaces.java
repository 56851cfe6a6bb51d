package io.ringflow.network;

import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/**
 * A vector for every place of every patch, from the patch's own vector and the symbols that come
 * before the place in its patch: those on its left where the patch is taken forward, backward those
 * on its right. They use two halves of one table of weights.
 */
final class PatchPlaces implements Module {
  private final int input;
  private final int width;
  private final int patch;
  private final PatchSymbols symbols;
  private final Linear map; // of the patch's vector, [patch * width, input]
  private final Parameter earlier; // [patch * K, patch * width]
  private final PatchOrder order;
  private final List<Direction> directions; // that occur
  private final Buffer backward; // [T, 1]: whether a patch is taken backward
  private final Buffer turns; // [patch, T, 1]: the place that comes at a turn
  private final Buffer inOrder; // [D]: where the vector of each position is, by direction

  PatchPlaces(int input, int width, PatchSymbols symbols, PatchOrder order) {
    this.input = input;
    this.width = width;
    this.patch = symbols.patch();
    this.symbols = symbols;
    this.order = order;
    this.map = new Linear(input, (long) patch * width, 1, patch);
    this.earlier = Parameter.normal(1 / Math.sqrt(patch), symbols.rows(), (long) patch * width);
    this.directions =
        Stream.of(false, true)
            .filter(backwards -> order.taken(backwards).length > 0)
            .map(Direction::new)
            .toList();
    int size = order.patches().positions();
    boolean[] flags = new boolean[size];
    long[] places = new long[patch * size];
    for (int token = 0; token < size; token++) {
      flags[token] = order.isBackward(token);
      for (int turn = 0; turn < patch; turn++) {
        places[turn * size + token] = order.place(token, turn);
      }
    }
    this.backward = Buffer.flags(flags, size, 1);
    this.turns = Buffer.longs(places, patch, size, 1);
    this.inOrder = inverse(directions.stream().flatMap(d -> stream(d.positions)).toList());
  }

  private static Stream<Long> stream(long[] values) {
    return IntStream.range(0, values.length).mapToObj(i -> values[i]);
  }

  private static Buffer inverse(List<Long> permutation) {
    long[] inverse = new long[permutation.size()];
    for (int i = 0; i < inverse.length; i++) {
      inverse[permutation.get(i).intValue()] = i;
    }
    return Buffer.longs(inverse, inverse.length);
  }

  @Override
  public void register(ParameterRegistry registry) {
    map.register(registry.within("places"));
    registry.parameter("earlier", earlier);
    directions.forEach(direction -> direction.register(registry));
    registry.buffer(backward);
    registry.buffer(turns);
    registry.buffer(inOrder);
  }

  /**
   * The vectors of all positions, in the order of their groups: {@code [B, D, width]}.
   *
   * @param patches their vectors, {@code [B, T, input]}
   * @param data all symbols in the order of their groups, {@code [B, D]}
   */
  Tensor apply(Tensor patches, Symbols data, EvaluationContext context) {
    Tensor[] parts =
        directions.stream().map(d -> d.apply(patches, data, context)).toArray(Tensor[]::new);
    Tensor places = parts.length == 1 ? parts[0] : Tensors.cat(1, parts);
    return places.view(places.size(0), -1, width).index_select(1, context.get(inOrder));
  }

  /**
   * The vectors of one place of each patch of a group, {@code [B, n, width]}.
   *
   * @param first of these patches
   * @param turn which of their places it is
   * @param patches their vectors, {@code [B, n, input]}
   * @param known their symbols, {@code [B, n, patch]}; only those before that place are looked at
   */
  Tensor at(int first, int turn, Tensor patches, Tensor known, EvaluationContext context) {
    int count = (int) patches.size(1);
    Tensor[] each =
        directions.stream()
            .filter(direction -> direction.occursIn(first, count))
            .map(direction -> direction.at(turn, patches, known, context))
            .toArray(Tensor[]::new);
    return each.length == 1
        ? each[0]
        : each[1].where(context.get(backward).narrow(0, first, count), each[0]);
  }

  /** Puts the symbols of a turn, {@code [B, n]}, among those known, as in {@link #at}. */
  void put(int first, int turn, Tensor ids, Tensor known, EvaluationContext context) {
    Tensor places = context.get(turns).select(0, turn).narrow(0, first, ids.size(1)); // [n, 1]
    known.scatter_(2, places.expand(ids.size(0), ids.size(1), 1), ids.unsqueeze(2));
  }

  /** Room for the vectors of patches, {@code [B, tokens, input]}. */
  Tensor zeros(long batch, long tokens, EvaluationContext context) {
    return Tensors.zeros(context.get(earlier), batch, tokens, input);
  }

  /** The patches that are taken one way. */
  private final class Direction {
    private final boolean backwards;
    private final int[] taken;
    private final long[] positions;
    private final Buffer tokens; // [n]
    private final Buffer data; // [n * patch]: where their symbols are in the order of groups
    private final Buffer mask; // [patch * K, patch * width]: 1 where a symbol is seen by a place

    Direction(boolean backwards) {
      this.backwards = backwards;
      this.taken = order.taken(backwards);
      this.positions = order.positions(taken);
      this.tokens = Buffer.longs(IntStream.of(taken).boxed().toList());
      this.data = Buffer.longs(positions, positions.length);
      int columns = patch * width;
      double[] seen = new double[symbols.rows() * columns];
      for (int row = 0; row < symbols.rows(); row++) {
        int place = row / symbols.cardinality();
        for (int column = 0; column < columns; column++) {
          boolean before = backwards ? place > column / width : place < column / width;
          seen[row * columns + column] = before ? 1 : 0;
        }
      }
      this.mask = Buffer.reals(seen, symbols.rows(), columns);
    }

    void register(ParameterRegistry registry) {
      registry.buffer(tokens);
      registry.buffer(data);
      registry.buffer(mask);
    }

    boolean occursIn(int first, int count) {
      return IntStream.range(first, first + count)
          .anyMatch(token -> order.isBackward(token) == backwards);
    }

    /** The vectors of all places of these patches, {@code [B, n, patch * width]}. */
    Tensor apply(Tensor patches, Symbols all, EvaluationContext context) {
      Tensor own = directions.size() == 1 ? patches : patches.index_select(1, context.get(tokens));
      Tensor seen = context.get(earlier).mul(context.get(mask));
      return map.apply(own, context).add(symbols.sum(all.select(context.get(data)), seen, context));
    }

    Tensor at(int turn, Tensor patches, Tensor known, EvaluationContext context) {
      int place = backwards ? patch - 1 - turn : turn;
      long from = (long) place * width;
      Tensor own = map.apply(patches, from, width, context);
      if (turn == 0) {
        return own;
      }
      int before = backwards ? place + 1 : 0;
      Tensor table =
          context
              .get(earlier)
              .narrow(1, from, width)
              .narrow(
                  0, (long) before * symbols.cardinality(), (long) turn * symbols.cardinality());
      return own.add(symbols.sum(known.narrow(2, before, turn), table));
    }
  }
}
