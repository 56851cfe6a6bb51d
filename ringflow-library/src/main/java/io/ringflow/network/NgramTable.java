package io.ringflow.network;

import io.ringflow.core.Groups;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Statistic;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * How often each symbol stood beside each context on one side of it, and what that says of a
 * position.
 *
 * <p>A context of n neighbours, the nearest first, is the number {@code key = 1 + sum of (symbol +
 * 1) * (K + 1)^(n - i)}: no two contexts have the same, of whatever lengths. All keys lie in one
 * ascending list, so that one search finds the contexts of all lengths; unused places hold 0,
 * before them. Where there are separators, the {@linkplain WordContexts last two words} are one
 * context more, taken for the longest; their keys are negative and stand in front. The row of a
 * context has its counts and, as its last number, by how many bits they were shifted to fit.
 */
final class NgramTable implements Module {
  /** What is taken from every count and given to shorter contexts. */
  private static final double DISCOUNT = 0.75;

  /** Sets of weights for each length: how often a context was seen, and by one symbol or more. */
  private static final int SETS = 8;

  /** From how many occurrences on a context has other weights. */
  private static final long[] MANY = {2, 4, 16};

  /** Weights of n-grams learn faster than those of networks: they act on logits directly. */
  private static final double OWN_RATE = 10;

  /** How much the network changes them at first. */
  private static final double NETWORK_RATE = 0.1;

  private static final double TINY = 1e-30;

  private final int symbols;
  private final int order;
  private final int direction;
  private final WordContexts words; // null for none
  private final int[] covered; // places in order of which it says something
  private final Statistic keys; // [contexts]
  private final Statistic counts; // [contexts, K + 1]
  private final Parameter weights; // [sets, lengths]
  private final Buffer start; // [lengths]
  private final Buffer neighbours; // [reach, D]: 1 + place in order, 0 where not known
  private final Buffer coveredPlaces; // the places of which it says something

  /**
   * A table.
   *
   * @param direction -1 for contexts that precede a symbol, 1 for those that follow it
   */
  NgramTable(NgramMixture sizes, int symbols, int direction, Groups groups) {
    if (sizes.order() > maxOrder(symbols)) {
      throw new IllegalArgumentException(
          String.format(
              "contexts of %d symbols can have %d of them at most, but order is %d",
              symbols, maxOrder(symbols), sizes.order()));
    }
    this.symbols = symbols;
    this.order = sizes.order();
    this.direction = direction;
    this.words =
        sizes.separators().isEmpty() ? null : new WordContexts(symbols, sizes.separators());
    this.keys = Statistic.longs(sizes.contexts());
    this.counts = Statistic.shorts(sizes.contexts(), symbols + 1L);
    this.weights = Parameter.zeros((long) SETS * lengths() + 1, lengths());
    double[] first = new double[lengths()];
    first[lengths() - 1] = direction < 0 ? 1 : 0; // what follows is learned
    this.start = Buffer.reals(first, lengths());
    int reach = words == null ? order : Math.max(order, WordContexts.REACH);
    this.neighbours = Buffer.longs(places(reach, direction, groups), reach, groups.positions());
    this.covered = covered(direction, groups);
    this.coveredPlaces =
        Buffer.longs(Arrays.stream(covered).asLongStream().toArray(), covered.length);
  }

  /** The longest contexts of an alphabet whose keys, with a symbol beside them, fit in 63 bits. */
  static int maxOrder(int symbols) {
    int order = 0;
    long largest = symbols;
    while (largest <= Long.MAX_VALUE / (symbols + 1L)) {
      largest *= symbols + 1L;
      order++;
    }
    return order;
  }

  /** Whether any position knows its neighbour in a direction. */
  static boolean isOfUse(int direction, Groups groups) {
    return Arrays.stream(places(1, direction, groups)).anyMatch(place -> place > 0);
  }

  /**
   * The places in order that it says something of: without neighbours it is the symbols'
   * frequencies, which one side alone has to tell.
   */
  private static int[] covered(int direction, Groups groups) {
    long[] nearest = places(1, direction, groups);
    return IntStream.range(0, nearest.length)
        .filter(place -> direction < 0 || nearest[place] > 0)
        .toArray();
  }

  /** Where in order the neighbours of each position are, up to the first that is not known. */
  private static long[] places(int reach, int direction, Groups groups) {
    List<Integer> positions = groups.order().positions();
    int size = positions.size();
    int[] group = groups.inOrder();
    int[] place = new int[size];
    for (int i = 0; i < size; i++) {
      place[positions.get(i)] = i;
    }
    long[] places = new long[reach * size];
    for (int i = 0; i < size; i++) {
      for (int far = 1; far <= reach; far++) {
        int neighbour = positions.get(i) + direction * far;
        if (neighbour < 0 || neighbour >= size || group[place[neighbour]] >= group[i]) {
          break;
        }
        places[(far - 1) * size + i] = 1L + place[neighbour];
      }
    }
    return places;
  }

  @Override
  public void register(ParameterRegistry registry) {
    registry.statistic("keys", keys);
    registry.statistic("counts", counts);
    registry.parameter("weights", weights);
    registry.buffer(start);
    registry.buffer(neighbours);
    registry.buffer(coveredPlaces);
    if (words != null) {
      words.register(registry);
    }
  }

  /** How many lengths of contexts there are, and so weights in a set. */
  int lengths() {
    return order + (words == null ? 1 : 2);
  }

  /** Contexts of words; null where there are none. */
  WordContexts words() {
    return words;
  }

  int order() {
    return order;
  }

  int symbols() {
    return symbols;
  }

  int direction() {
    return direction;
  }

  /** How many of its contexts may be words: the first. */
  long wordContexts() {
    return words == null ? 0 : keys.elements() / 3;
  }

  Tensor neighbours(EvaluationContext context) {
    return context.get(neighbours);
  }

  /** The keys of a model's table, to be written. */
  Tensor keys(ParameterValues values) {
    return values.get(keys);
  }

  /** The rows of a model's table, to be written. */
  Tensor counts(ParameterValues values) {
    return values.get(counts);
  }

  /**
   * What a position's contexts say of it.
   *
   * @param logProbs by length of context, {@code [B, n, lengths, K]}
   * @param sets of weights, int64 {@code [B, n]}
   */
  private record Prediction(Tensor logProbs, Tensor sets) {}

  /**
   * Adds the weighted logarithms of what all lengths predict for positions.
   *
   * @param logits of these positions, {@code [B, n, K]}
   * @param known symbols plus one, {@code [B, 1 + D]} in order; 0 where not known
   * @param from the first of the positions, in order
   * @param leftOut the symbols there, which are left out of the counts; null for none
   * @param added to the weights, {@code [B, n, lengths]}
   */
  Tensor addTo(
      Tensor logits,
      Tensor known,
      int from,
      Tensor leftOut,
      Tensor added,
      EvaluationContext context) {
    int count = Math.toIntExact(added.size(1));
    int first = firstCovered(from);
    int some = firstCovered(from + count) - first;
    if (some == 0) {
      return logits;
    }
    Tensor places = context.get(neighbours).narrow(1, from, count); // [reach, n]
    if (some == count) {
      return logits.add(weighted(known, places, leftOut, added, context));
    }
    Tensor index = context.get(coveredPlaces).narrow(0, first, some).sub(new Scalar((long) from));
    Tensor partly =
        weighted(
            known,
            places.index_select(1, index),
            leftOut == null ? null : leftOut.index_select(1, index),
            added.index_select(1, index),
            context);
    return logits.index_add(1, index, partly);
  }

  private int firstCovered(int place) {
    int at = Arrays.binarySearch(covered, place);
    return at < 0 ? -1 - at : at;
  }

  /**
   * The weighted logarithms of what all lengths predict.
   *
   * @param places of the neighbours, {@code [reach, n]}
   */
  private Tensor weighted(
      Tensor known, Tensor places, Tensor leftOut, Tensor added, EvaluationContext context) {
    Prediction prediction =
        Scope.handUp(
            () -> prediction(known, places, added, leftOut, context),
            one -> List.of(one.logProbs, one.sets));
    Tensor own = Tensors.widened(torch.embedding(context.get(weights), prediction.sets));
    Tensor all =
        own.mul(new Scalar(OWN_RATE))
            .add(Tensors.widened(context.get(start)))
            .add(added.mul(new Scalar(NETWORK_RATE)));
    return prediction.logProbs.mul(all.unsqueeze(-1)).sum(2);
  }

  private Prediction prediction(
      Tensor known, Tensor places, Tensor like, Tensor leftOut, EvaluationContext context) {
    ScalarType type = like.scalar_type();
    Tensor found = found(known, places, type, context); // ours: overwritten below
    if (leftOut != null) {
      Tensor own = Tensors.oneHot(leftOut, symbols, type).unsqueeze(2);
      found.sub_(own).clamp_min_(new Scalar(0.0));
    }
    Tensor totals = found.sum(new long[] {-1}, true, noType()); // [B, n, lengths, 1]
    Tensor different = found.gt(new Scalar(0.0)).sum(new long[] {-1}, true, noType());
    Tensor seen = different.gt(new Scalar(0L));
    Tensor divisor = totals.clamp_min(new Scalar(1.0));
    Tensor shares = found.sub_(new Scalar(DISCOUNT)).clamp_min_(new Scalar(0.0)).div_(divisor);
    // All of it is left to shorter contexts where a context was not seen.
    Tensor rest =
        different
            .to(type)
            .mul(new Scalar(DISCOUNT))
            .div(divisor)
            .masked_fill(seen.logical_not(), new Scalar(1.0));
    Tensor shorter = rest.select(2, 0).div(new Scalar((double) symbols));
    for (int length = 0; length < lengths(); length++) {
      Tensor here = shares.select(2, length); // a view
      here.add_(length == 0 ? shorter : rest.select(2, length).mul(shorter));
      shorter = here;
    }
    Tensor logProbs = shares.clamp_min_(new Scalar(TINY)).log_();
    return new Prediction(logProbs, sets(seen, totals, different));
  }

  private static org.bytedeco.pytorch.ScalarTypeOptional noType() {
    return new org.bytedeco.pytorch.ScalarTypeOptional();
  }

  /** The counts of all contexts of positions, zeros where there are none: {@code [B, n, …, K]}. */
  private Tensor found(Tensor known, Tensor places, ScalarType type, EvaluationContext context) {
    long count = places.size(1);
    Scalar base = new Scalar(symbols + 1L);
    Tensor code = Tensors.zeros(known, known.size(0), count);
    List<Tensor> wanted = new ArrayList<>();
    wanted.add(code.add(new Scalar(1L)));
    for (int i = 0; i < order; i++) {
      Tensor digit = known.index_select(1, places.select(0, i));
      code = code.mul(base).add(digit);
      wanted.add(code.add(new Scalar(1L)).mul(digit.ne(new Scalar(0L)))); // 0: not known
    }
    if (words != null) {
      wanted.add(words.keys(known, places.narrow(0, 0, WordContexts.REACH), context));
    }
    Tensor key = torch.stack(new TensorVector(wanted.toArray(Tensor[]::new)), 2).flatten();
    Tensor all = context.get(keys);
    Tensor at = torch.searchsorted(all, key).clamp_max(new Scalar(all.size(0) - 1));
    Tensor rows = context.get(counts).index_select(0, at).to(type); // [B * n * lengths, K + 1]
    Tensor isThere = all.index_select(0, at).eq(key).to(type).unsqueeze(1);
    Tensor scale = rows.narrow(1, symbols, 1).exp2().mul(isThere);
    return rows.narrow(1, 0, symbols).mul(scale).view(known.size(0), count, lengths(), symbols);
  }

  /** Which weights a position gets: by its longest context that was seen. */
  private Tensor sets(Tensor seen, Tensor totals, Tensor different) {
    Tensor longest =
        seen.squeeze(-1)
            .mul(Tensors.range(lengths(), seen).add(new Scalar(1L)))
            .amax(new long[] {-1}, false); // [B, n]: 0 where none was
    Tensor index = longest.sub(new Scalar(1L)).clamp_min(new Scalar(0L)).unsqueeze(-1);
    Tensor total = totals.squeeze(-1).gather(2, index).squeeze(-1);
    Tensor single = different.squeeze(-1).gather(2, index).squeeze(-1).eq(new Scalar(1L));
    Tensor set = longest.sub(new Scalar(1L)).mul(new Scalar((long) SETS));
    for (long many : MANY) {
      set = set.add(total.ge(new Scalar((double) many)).to(ScalarType.Long).mul(new Scalar(2L)));
    }
    set = set.add(single.to(ScalarType.Long)).add(new Scalar(1L));
    return set.clamp_min(new Scalar(0L)).mul(longest.gt(new Scalar(0L)));
  }
}
