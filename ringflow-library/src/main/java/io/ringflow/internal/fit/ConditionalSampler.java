package io.ringflow.internal.fit;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.core.Space;
import io.ringflow.internal.engine.Constraint;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Tempering;
import io.ringflow.internal.engine.Way;
import io.ringflow.internal.graph.Computation;
import io.ringflow.internal.logits.Categorical;
import io.ringflow.model.Architecture;
import io.ringflow.model.FlowModel;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Symbols;
import io.ringflow.spi.Tensors;
import io.ringflow.train.Batches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Samples rows some of whose symbols are given.
 *
 * <p>Group after group, each restricted to the symbols that agree with what is given. If nothing is
 * free before the last given symbol, that is exact. Otherwise a row was sampled without regard to
 * what came later, and its weight is how likely that was, given the row: many rows are sampled, and
 * of these some are picked in proportion to their weights (importance resampling), which becomes
 * exact as they become many.
 *
 * <p>Where layers move symbols, nothing can be restricted: rows are sampled until enough of them
 * agree with what is given, which is exact, and slow for what is rare.
 *
 * <p>This is what texts are sampled by, which begin as given: all on the device, with no symbol
 * seen by the host before rows are done, and each row's random numbers its own, so that a seed's
 * rows do not depend on how many there are. A {@link ConstrainedSampler} does more (weights between
 * 0 and 1, parts of positions, lookahead, enumeration), for which the host must see the
 * probabilities of every group: neither can stand for the other without a loss, of speed or of what
 * can be asked.
 *
 * <p>At a temperature other than 1 all of this is done to the product of tempered conditionals:
 * rows are those that it would give, given what is given.
 */
public final class ConditionalSampler {
  /** How many rows are sampled for one that is picked by weight. */
  private static final int CANDIDATES = 64;

  /** Rows to sample at most before giving up on finding those that agree. */
  private static final int MAX_REJECTED = 1 << 20;

  private static final int REJECTED_AT_A_TIME = 4096;

  private final Architecture architecture;
  private final Engine engine;

  /** The sampler of an unconditional model. */
  public ConditionalSampler(FlowModel model) {
    this(model.architecture(), EngineAccess.of(model));
  }

  ConditionalSampler(Architecture architecture, Engine engine) {
    this.architecture = architecture;
    this.engine = engine;
  }

  /**
   * Rows of symbols.
   *
   * @param exact whether each is an independent sample; otherwise they were picked by weight
   * @param effective how many independent samples they are worth
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Sampled(int[][] rows, boolean exact, double effective) {}

  /**
   * Samples rows.
   *
   * @param given the symbols of some positions of the data
   * @param options precision and temperature
   * @param progress in rows of {@code count}
   * @throws IllegalArgumentException if the device can't compute in that precision
   * @throws IllegalStateException if too few rows agree with what is given
   */
  public Sampled sample(
      int count,
      Map<Integer, Integer> given,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    if (given.isEmpty()) {
      int[][] rows = engine.sample(count, Engine.UNCONDITIONAL, seed, options, progress);
      return new Sampled(rows, true, count);
    }
    if (architecture.movesSymbols()) {
      Predicate<int[]> agrees =
          row ->
              given.entrySet().stream().allMatch(entry -> row[entry.getKey()] == entry.getValue());
      return new Sampled(rejecting(count, agrees, seed, options, progress), true, count);
    }
    Constraint constraint = Constraint.of(architecture.positions(), given);
    if (givenComesFirst(constraint)) {
      Weighted all = weighted(count, constraint, seed, options, progress);
      return new Sampled(all.rows, true, count);
    }
    int candidates = Math.multiplyExact(count, CANDIDATES);
    ProgressListener inRows = (done, total) -> progress.done(done / CANDIDATES, count);
    return weighted(candidates, constraint, seed, options, inRows).pick(count, seed);
  }

  /**
   * Samples rows until enough of them are accepted: exact, and slow for what is rare.
   *
   * @param acceptance the probability to accept a row
   * @param options precision and temperature
   * @param progress in rows of {@code count}
   * @throws IllegalStateException if too few rows are accepted
   */
  public Sampled sampleAccepted(
      int count,
      ToDoubleFunction<int[]> acceptance,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    RandomGenerator random = new SplittableRandom(seed);
    Predicate<int[]> accepts = row -> random.nextDouble() < acceptance.applyAsDouble(row);
    return new Sampled(rejecting(count, accepts, seed, options, progress), true, count);
  }

  /** Whether all rows would weigh the same: nothing is free before what is given. */
  private boolean givenComesFirst(Constraint constraint) {
    Space space = engine.layers().baseSpace();
    boolean free = false;
    for (List<Integer> group : engine.base().groups().groups()) {
      if (free && group.stream().anyMatch(constraint::restricts)) {
        return false;
      }
      free |=
          group.stream()
              .anyMatch(position -> constraint.only(position, space.cardinality(position)) < 0);
    }
    return true;
  }

  private int[][] rejecting(
      int count,
      Predicate<int[]> accepts,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    List<int[]> found = new ArrayList<>();
    ProgressListener alive = (done, total) -> progress.done(found.size(), count); // none more yet
    int sampled = 0;
    for (int part = 0; found.size() < count && sampled < MAX_REJECTED; part++) {
      long partSeed = Batches.random(seed, part).nextLong();
      for (int[] row :
          engine.sample(REJECTED_AT_A_TIME, Engine.UNCONDITIONAL, partSeed, options, alive)) {
        if (accepts.test(row)) {
          found.add(row);
        }
      }
      sampled += REJECTED_AT_A_TIME;
      progress.done(Math.min(found.size(), count), count);
    }
    if (found.size() < count) {
      throw new IllegalStateException(
          String.format(
              "of %d rows sampled, only %d agree with what is given; an autoregressive model"
                  + " samples them directly",
              sampled, found.size()));
    }
    return found.subList(0, count).toArray(int[][]::new);
  }

  /** Rows, and the natural logarithms of their weights. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Weighted(int[][] rows, double[] weights) {
    /** By systematic resampling: one uniform number decides where all picks fall. */
    Sampled pick(int count, long seed) {
      double largest = Arrays.stream(weights).max().orElse(0);
      if (largest == Double.NEGATIVE_INFINITY) {
        throw new IllegalStateException("what is given has probability zero");
      }
      double[] shares = Arrays.stream(weights).map(weight -> Math.exp(weight - largest)).toArray();
      double sum = Arrays.stream(shares).sum();
      double squares = Arrays.stream(shares).map(share -> share * share).sum();
      RandomGenerator random = new SplittableRandom(seed);
      double offset = random.nextDouble();
      int[][] picked = new int[count][];
      double passed = 0;
      int next = 0;
      for (int i = 0; i < rows.length && next < count; i++) {
        passed += shares[i] / sum * count;
        while (next < count && offset + next < passed) {
          picked[next++] = rows[i].clone();
        }
      }
      while (next < count) { // rounding may leave the last one out
        picked[next++] = rows[rows.length - 1].clone();
      }
      int[] order = Shuffle.order(count, random); // those of one row were picked side by side
      int[][] mixed = Arrays.stream(order).mapToObj(i -> picked[i]).toArray(int[][]::new);
      return new Sampled(mixed, false, Math.min(count, sum * sum / squares));
    }
  }

  private Weighted weighted(
      int count,
      Constraint constraint,
      long seed,
      SamplingOptions options,
      ProgressListener progress) {
    Tempering tempering = Tempering.of(options);
    int[][] rows = new int[count][];
    double[] weights = new double[count];
    engine.inChunks(
        Way.STEPWISE,
        count,
        Engine.UNCONDITIONAL,
        options.precision(),
        chunk -> {
          chunk.evaluate(
              tempering.named("weighted"),
              tempering.with(inputs(constraint, chunk.from(), chunk.padded(), seed)),
              (inputs, context, stops) -> restricted(inputs, tempering, context, stops),
              results -> {
                int[][] part = Tensors.toRows(results.get(0));
                System.arraycopy(part, 0, rows, chunk.from(), chunk.length());
                double[] logWeights = Tensors.toDoubles(results.get(1));
                System.arraycopy(logWeights, 0, weights, chunk.from(), chunk.length());
                return null;
              });
          progress.done(chunk.to(), count);
        });
    return new Weighted(rows, weights);
  }

  /**
   * What a constrained sample is made from: uniform numbers {@code [B, D]}; where a symbol is
   * barred {@code [D, K]}, and whether a position is restricted {@code [D]}, both in the order of
   * sampling.
   */
  private List<Tensor> inputs(Constraint constraint, int first, int rows, long seed) {
    List<Integer> order = engine.base().groups().order().positions();
    int width = engine.layers().baseSpace().maxCardinality();
    long[] flags = new long[order.size() * width];
    long[] limited = new long[order.size()];
    for (int turn = 0; turn < limited.length; turn++) {
      int position = order.get(turn);
      limited[turn] = constraint.restricts(position) ? 1 : 0;
      int symbols = engine.layers().baseSpace().cardinality(position);
      for (int k = 0; k < symbols; k++) {
        flags[turn * width + k] = constraint.allows(position, k) ? 0 : 1;
      }
    }
    double[] numbers = new double[rows * limited.length];
    for (int row = 0; row < rows; row++) {
      RandomGenerator random = Batches.random(seed, (long) first + row);
      for (int turn = 0; turn < limited.length; turn++) {
        numbers[row * limited.length + turn] = random.nextDouble();
      }
    }
    return List.of(
        Tensors.reals(numbers, Precision.FLOAT64, Device.CPU, rows, limited.length),
        Tensors.longs(flags, Device.CPU, limited.length, width).to(ScalarType.Bool),
        Tensors.longs(limited, Device.CPU, limited.length).to(ScalarType.Double));
  }

  /** Samples under a constraint, and adds up the logarithms of the mass it leaves. */
  private List<Tensor> restricted(
      List<Tensor> inputs,
      Tempering tempering,
      EvaluationContext context,
      Computation.Stops stops) {
    Tensor uniforms = inputs.get(0);
    Tensor logWeights = Tensors.zeros(uniforms, uniforms.size(0));
    Tensor base =
        engine
            .base()
            .choose(
                uniforms.size(0),
                (logProbs, from) -> {
                  stops.at(null); // a graph for each pass
                  long count = logProbs.size(1);
                  Tensor possible =
                      tempering
                          .conditionals(logProbs, inputs, 3)
                          .masked_fill(
                              inputs.get(1).narrow(0, from, count),
                              new Scalar(Double.NEGATIVE_INFINITY)); // [B or 1, n, K]
                  Tensor limited = inputs.get(2).narrow(0, from, count);
                  Tensor mass = possible.logsumexp(-1).mul(limited); // [B or 1, n]
                  logWeights.add_(mass.sum(1));
                  return Categorical.sample(possible, uniforms.narrow(1, from, count));
                },
                context);
    return List.of(engine.layers().forward(Symbols.of(base), context).ids(), logWeights);
  }
}
