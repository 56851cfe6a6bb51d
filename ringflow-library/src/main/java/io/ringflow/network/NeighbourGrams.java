package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.core.Space;
import io.ringflow.internal.checks.Primes;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Tensors;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What stands next to each position, as far as earlier groups tell: a vector for each n-gram of
 * neighbours, which others of the same remainder share.
 *
 * <p>An attention network would need layers to put neighbours together; here they are looked up as
 * one, and what often stands between or behind them can be learned at once. Each kind of n-gram has
 * a part of the vector to itself. A neighbour that is not known yet counts as a symbol of its own.
 * Straight-through gradients do not pass.
 */
final class NeighbourGrams implements Module {
  /** Kinds of n-grams that share a vector. */
  private static final int KINDS = 4;

  /** Where the neighbours of each kind are, the most useful first. */
  private static final List<List<Integer>> CANDIDATES =
      List.of(
          List.of(-2, -1),
          List.of(-3, -2, -1),
          List.of(-1, 1),
          List.of(1, 2),
          List.of(-4, -3, -2, -1),
          List.of(-5, -4, -3, -2, -1));

  private final int buckets;
  private final int cardinality;
  private final int kinds;
  private final int longest;
  private final int size;
  private final int width;
  private final Parameter table; // [buckets, width of a part]
  private final Buffer neighbours; // [longest, D * kinds]: 1 + place in order, 0 where not known

  private NeighbourGrams(
      int buckets,
      int cardinality,
      List<List<Integer>> grams,
      int[] place,
      int[] group,
      int width) {
    this.buckets = buckets;
    this.cardinality = cardinality;
    this.kinds = grams.size();
    this.longest = grams.stream().mapToInt(List::size).max().orElseThrow();
    this.size = place.length;
    this.width = width;
    this.table = Parameter.zeros(buckets, (width + kinds - 1) / kinds);
    long[] places = new long[longest * size * kinds];
    for (int position = 0; position < size; position++) {
      for (int kind = 0; kind < kinds; kind++) {
        List<Integer> gram = grams.get(kind);
        for (int i = 0; i < gram.size(); i++) {
          int neighbour = position + gram.get(i);
          if (known(neighbour, position, place, group)) {
            int index = (i * size + place[position]) * kinds + kind;
            places[index] = 1L + place[neighbour];
          }
        }
      }
    }
    this.neighbours = Buffer.longs(places, longest, (long) size * kinds);
  }

  /** A prime number of rows whose vectors have about so many weights, and not more. */
  static int rows(long weights, int width) {
    return Primes.atMost(weights * KINDS / width);
  }

  /**
   * Those that a network asks for; null where it asks for none, or no position knows two
   * neighbours.
   *
   * @param inOrder the space in the order of the groups
   */
  static NeighbourGrams of(Transformer sizes, Space inOrder, Groups groups) {
    if (sizes.ngrams() == 0) {
      return null;
    }
    if (!inOrder.isUniform()) {
      throw new IllegalArgumentException(
          "n-grams need one alphabet for all positions, but the space is " + inOrder);
    }
    List<Integer> order = groups.order().positions();
    int[] place = new int[order.size()]; // in order, of each position
    for (int i = 0; i < place.length; i++) {
      place[order.get(i)] = i;
    }
    int[] group = groups.inOrder();
    List<List<Integer>> grams =
        CANDIDATES.stream().filter(gram -> occurs(gram, place, group)).limit(KINDS).toList();
    return grams.isEmpty()
        ? null
        : new NeighbourGrams(
            sizes.ngrams(), inOrder.maxCardinality(), grams, place, group, sizes.width());
  }

  private static boolean known(int neighbour, int position, int[] place, int[] group) {
    return neighbour >= 0
        && neighbour < place.length
        && group[place[neighbour]] < group[place[position]];
  }

  /** Whether any position knows all of its neighbours. */
  private static boolean occurs(List<Integer> gram, int[] place, int[] group) {
    return IntStream.range(0, place.length)
        .anyMatch(
            position ->
                gram.stream().allMatch(far -> known(position + far, position, place, group)));
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.parameter("ngrams", table);
    registry.buffer(neighbours);
  }

  /** Room for the symbols of a batch, none of which is known: {@code [B, 1 + D]}. */
  Tensor unknown(long batch, EvaluationContext context) {
    return Tensors.zeros(context.get(neighbours), batch, 1L + size);
  }

  /** Makes symbols known, int64 {@code [B, n]}, at the places {@code from …} in order. */
  static void tell(Tensor known, int from, Tensor ids) {
    known.narrow(1, 1L + from, ids.size(1)).copy_(ids.add(new Scalar(1L)));
  }

  /**
   * The vectors of the n positions {@code from …} in order, {@code [B, n, width]}.
   *
   * @param known see {@link #unknown}
   */
  Tensor at(Tensor known, int from, long count, EvaluationContext context) {
    Tensor places = context.get(neighbours).narrow(1, (long) from * kinds, count * kinds);
    Scalar base = new Scalar(cardinality + 1L);
    Scalar modulus = new Scalar((long) buckets);
    Tensor bucket = Tensors.range(kinds, known); // [kinds]
    for (int i = 0; i < longest; i++) {
      Tensor digit = known.index_select(1, places.select(0, i)).view(known.size(0), count, kinds);
      bucket = bucket.mul(base).add(digit).remainder(modulus); // [B, n, kinds]
    }
    Tensor parts = torch.embedding(context.get(table), bucket); // [B, n, kinds, part]
    return parts.flatten(2, 3).narrow(2, 0, width);
  }
}
