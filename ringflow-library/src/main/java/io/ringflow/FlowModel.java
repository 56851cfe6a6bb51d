package io.ringflow;

import io.ringflow.store.Json;
import io.ringflow.torch.Device;
import io.ringflow.torch.Precision;
import io.ringflow.torch.Tensors;
import io.ringflow.torch.TorchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * A discrete flow: a base distribution over D symbols pushed through bijections of the same space.
 *
 * <pre>
 *   sample : uniform numbers -> base -> forward, first layer first -> rows
 *   score  : rows -> inverse, last layer first -> base -> natural log-probabilities
 * </pre>
 *
 * <p>Likelihoods are exact: the ids that run through the layers are integers, and the networks that
 * choose how they move compute in 64 bits, the same in either direction. {@link #decode} undoes
 * {@link #encode} symbol by symbol.
 *
 * <p>Takes and returns plain arrays; all native memory is inside and freed by {@link #close}.
 * Scoring and sampling are safe from several threads at once, but not while a {@link
 * io.ringflow.train.Trainer} trains the same model.
 */
public final class FlowModel implements AutoCloseable {
  /**
   * Elements of one {@code [rows, D, K]} tensor that a call works on at a time: 16 MiB in 64 bits.
   */
  private static final long CHUNK_ELEMENTS = 1L << 21;

  private static final int MOST_ROWS = 8192;
  private static final int[][] NOTHING = {};

  private final Architecture architecture;
  private final Chain.Bound layers;
  private final Distribution base;
  private final SharedWeights weights;
  private volatile Map<String, Object> provenance = Map.of();

  private FlowModel(
      Architecture architecture, Chain.Bound layers, Distribution base, Weights weights) {
    this.architecture = architecture;
    this.layers = layers;
    this.base = base;
    this.weights = new SharedWeights(weights);
  }

  /**
   * A new, untrained model.
   *
   * @param seed of the networks' start values
   */
  public static FlowModel create(Architecture architecture, Device device, long seed) {
    return of(architecture, layout -> Weights.started(layout, device, seed));
  }

  /** Makes the weights of a model, afresh or out of a file. */
  @FunctionalInterface
  interface WeightsSource<E extends Exception> {
    Weights weights(Layout layout) throws E;
  }

  /** A model with the weights that a source makes. */
  static <E extends Exception> FlowModel of(Architecture architecture, WeightsSource<E> source)
      throws E {
    Chain.Bound layers =
        new Chain(architecture.layers()).on(architecture.space(), architecture.given());
    Distribution base = architecture.base().on(layers.baseSpace(), architecture.given());
    try {
      Weights weights = source.weights(Layout.of(layers.bijections(), base));
      return new FlowModel(architecture, layers, base, weights);
    } catch (RuntimeException e) {
      throw TorchException.translate(e);
    }
  }

  /** A new, untrained model on the processor. */
  public static FlowModel create(Architecture architecture, long seed) {
    return create(architecture, Device.CPU, seed);
  }

  /**
   * Reads a model from its folder, on the processor.
   *
   * @throws IOException if it is missing, damaged, foreign, or of a newer version; the message says
   *     which
   */
  public static FlowModel load(Path folder) throws IOException {
    return load(folder, Device.CPU);
  }

  /** Reads a model from its folder. */
  public static FlowModel load(Path folder, Device device) throws IOException {
    return ModelFolder.load(folder, device);
  }

  /**
   * Writes a model to a folder, whole or not at all; a model that is there is replaced, anything
   * else is not.
   *
   * @throws IOException if the folder can't be written, or holds something else
   */
  public void save(Path folder) throws IOException {
    weights.read(Precision.FLOAT32, numbers -> ModelFolder.save(this, folder));
  }

  /**
   * Where this model comes from: options, figures and versions, as stored in {@code training.json}.
   */
  public Map<String, Object> provenance() {
    return provenance;
  }

  /**
   * Says where this model comes from; values must be what JSON knows, or records of it. They are
   * kept as they will come back from {@code training.json}.
   *
   * @throws IllegalArgumentException if something can't be written as JSON
   */
  public void provenance(Map<String, Object> details) {
    provenance = Collections.unmodifiableMap(Json.plain(details));
  }

  /** What this model is, apart from its weights. */
  public Architecture architecture() {
    return architecture;
  }

  /** Where it computes. */
  public Device device() {
    return weights().device();
  }

  /** The number of trainable numbers. */
  public long parameterCount() {
    return weights().count();
  }

  /** Network calls that drawing a sample makes one after the other. */
  public int samplingPasses() {
    return base.passes() + layers.passes();
  }

  /** Natural log-probability of each row. */
  public double[] logProb(int[][] rows) {
    return logProb(rows, NOTHING);
  }

  /** Natural log-probability of each row, given a row of {@link Architecture#given()} for each. */
  public double[] logProb(int[][] rows, int[][] given) {
    return logProb(rows, given, Precision.FLOAT64);
  }

  /**
   * Natural log-probability of each row, in a chosen precision.
   *
   * <p>In 32 bits scoring is faster, and a symbol may now and then be moved to another place than
   * {@link #sample} and {@link #decode} would move it, because two logits lie closer than rounding;
   * {@link Precision#FLOAT64} says how often. It is the measure for validation during training, and
   * not for anything that must come back.
   *
   * @param given a row for each row, or none for an unconditional model
   */
  public double[] logProb(int[][] rows, int[][] given, Precision precision) {
    check(rows, given);
    double[] result = new double[rows.length];
    inChunks(
        rows.length,
        precision,
        (from, to, numbers) -> {
          Pass pass = Pass.of(numbers, context(given, from, to));
          Symbols symbols = symbols(rows, architecture.space(), from, to);
          double[] part = Tensors.toDoubles(logProb(symbols, pass));
          System.arraycopy(part, 0, result, from, part.length);
        });
    return result;
  }

  /** The base's symbols of each row: {@code inverse}. */
  public int[][] encode(int[][] rows) {
    return encode(rows, NOTHING);
  }

  /** The base's symbols of each row, given a row of {@link Architecture#given()} for each. */
  public int[][] encode(int[][] rows, int[][] given) {
    return encode(rows, given, Precision.FLOAT64);
  }

  /**
   * The base's symbols of each row, in a chosen precision.
   *
   * <p>{@link #decode} undoes what 64 bits encoded, and not always what 32 bits did: see {@link
   * #logProb(int[][], int[][], Precision)}.
   *
   * @param given a row for each row, or none for an unconditional model
   */
  public int[][] encode(int[][] rows, int[][] given, Precision precision) {
    check(rows, given);
    int[][] result = new int[rows.length][];
    inChunks(
        rows.length,
        precision,
        (from, to, numbers) -> {
          Pass pass = Pass.of(numbers, context(given, from, to));
          Symbols symbols = symbols(rows, architecture.space(), from, to);
          copy(layers.inverse(symbols, pass).ids(), result, from);
        });
    return result;
  }

  /**
   * Natural log-probability of each base row: what {@link #logProb} says of the row that {@link
   * #encode} made it of, without the way through the layers.
   *
   * @throws IllegalStateException if the model is conditional
   */
  public double[] baseLogProb(int[][] baseRows) {
    if (architecture.given().size() > 0) {
      throw new IllegalStateException("this model is conditional: call logProb(rows, given)");
    }
    layers.baseSpace().check("base row", baseRows);
    double[] result = new double[baseRows.length];
    inChunks(
        baseRows.length,
        Precision.FLOAT64,
        (from, to, numbers) -> {
          Pass pass = Pass.of(numbers, Context.NONE);
          Symbols symbols = symbols(baseRows, layers.baseSpace(), from, to);
          double[] part = Tensors.toDoubles(base.logProb(symbols, pass));
          System.arraycopy(part, 0, result, from, part.length);
        });
    return result;
  }

  /** The row of each base row: {@code forward}. */
  public int[][] decode(int[][] baseRows) {
    return decode(baseRows, NOTHING);
  }

  /** The row of each base row, given a row of {@link Architecture#given()} for each. */
  public int[][] decode(int[][] baseRows, int[][] given) {
    layers.baseSpace().check("base row", baseRows);
    checkGiven(given, baseRows.length);
    int[][] result = new int[baseRows.length][];
    inChunks(
        baseRows.length,
        Precision.FLOAT64,
        (from, to, numbers) -> {
          Pass pass = Pass.of(numbers, context(given, from, to));
          Symbols symbols = symbols(baseRows, layers.baseSpace(), from, to);
          copy(layers.forward(symbols, pass).ids(), result, from);
        });
    return result;
  }

  /**
   * Draws rows. The same seed draws the same rows on any device, and a longer draw begins with the
   * shorter one.
   *
   * @throws IllegalStateException if the model is conditional
   */
  public int[][] sample(int count, long seed) {
    if (architecture.given().size() > 0) {
      throw new IllegalStateException(
          "this model is conditional: call sample(given, seed) with a row of "
              + architecture.given());
    }
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    return draw(count, NOTHING, seed);
  }

  /** Draws one row for each given one. */
  public int[][] sample(int[][] given, long seed) {
    checkGiven(given, given.length);
    return draw(given.length, given, seed);
  }

  /**
   * The row each given one leads to when the base takes its likeliest symbol at every step: an
   * answer rather than a draw. Where the base is certain, as after a task that is learned, it is
   * the likeliest row.
   *
   * @param given a row for each answer
   */
  public int[][] greedy(int[][] given) {
    checkGiven(given, given.length);
    int[][] result = new int[given.length][];
    inChunks(
        given.length,
        Precision.FLOAT64,
        (from, to, numbers) -> {
          Pass pass = Pass.of(numbers, context(given, from, to));
          Symbols likeliest = Symbols.of(base.greedy(to - from, pass));
          copy(layers.forward(likeliest, pass).ids(), result, from);
        });
    return result;
  }

  private int[][] draw(int count, int[][] given, long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int size = layers.baseSpace().size();
    int[][] result = new int[count][];
    inChunks(
        count,
        Precision.FLOAT64,
        (from, to, numbers) -> {
          double[] uniforms = new double[(to - from) * size];
          Arrays.setAll(uniforms, i -> random.nextDouble());
          Tensor numbersPerStep =
              Tensors.reals(uniforms, Precision.FLOAT64, device(), to - from, size);
          Pass pass = Pass.of(numbers, context(given, from, to));
          Symbols drawn = Symbols.of(base.sample(numbersPerStep, pass));
          copy(layers.forward(drawn, pass).ids(), result, from);
        });
    return result;
  }

  /**
   * Sets a factorised base to the marginals of the data as the layers now see it: the best it can
   * be, in closed form. Before training this starts the base at the data's own marginals.
   *
   * @param rows data, at least one row
   * @throws IllegalStateException if the base is not factorised, or has a network
   */
  public void refitBase(int[][] rows) {
    refitBase(rows, NOTHING);
  }

  /** {@link #refitBase(int[][])} of a conditional model. */
  public void refitBase(int[][] rows, int[][] given) {
    FactorizedBase.Marginals marginals = marginals();
    if (rows.length == 0) {
      throw new IllegalArgumentException("refitting needs at least one row");
    }
    Space space = layers.baseSpace();
    long[][] counts = new long[space.size()][space.maxCardinality()];
    for (int[] row : encode(rows, given)) {
      for (int d = 0; d < row.length; d++) {
        counts[d][row[d]]++;
      }
    }
    // Half a count for every symbol (Krichevsky and Trofimov): nothing unseen becomes impossible.
    weights.change(numbers -> marginals.refit(counts, 0.5, numbers));
  }

  /**
   * Moves a factorised base a little towards the marginals of some symbols of its own side: for
   * trainers; must run inside a scope.
   *
   * @param ids int64 {@code [B, D]}
   * @param share of the way, 0 to 1
   */
  public void followBase(Tensor ids, double share) {
    marginals().follow(ids, share, weights());
  }

  /**
   * Sets a factorised base to the same chosen frequencies at every position: a start that gives
   * layers a direction to learn in.
   *
   * @param frequencies of the symbols, positive; as many as the largest cardinality
   * @throws IllegalStateException if the base is not factorised, or has a network
   */
  public void startBase(double[] frequencies) {
    FactorizedBase.Marginals marginals = marginals();
    weights.change(numbers -> marginals.start(frequencies, numbers));
  }

  /**
   * Gives a layer the weights of another one, of this or another model: a start for layers that
   * have much to learn in common.
   *
   * @param source whose layer it is
   * @param from which of its layers, counted from the base
   * @param to which of ours
   * @throws IllegalArgumentException if their networks differ in more than what they look at
   */
  public void copyLayer(FlowModel source, int from, int to) {
    copy(source, source.weights().layer(from), weights().layer(to));
  }

  /**
   * Gives the base the weights of another model's: a start for a base that draws the same positions
   * in other groups.
   *
   * @throws IllegalArgumentException if their networks differ in more than what they look at
   */
  public void copyBase(FlowModel source) {
    copy(source, source.weights().base(), weights().base());
  }

  private void copy(FlowModel source, Map<String, Parameter> theirs, Map<String, Parameter> ours) {
    weights.change(numbers -> numbers.copyFrom(source.weights(), theirs, ours));
  }

  private FactorizedBase.Marginals marginals() {
    if (base instanceof FactorizedBase.Marginals marginals) {
      return marginals;
    }
    throw new IllegalStateException(
        "only a factorised base without a network can be refitted in closed form");
  }

  /** The numbers of this model: for trainers and tests. */
  public Weights weights() {
    return weights.trained();
  }

  /**
   * Log-probabilities {@code [B]} of symbols {@code [B, D]}: for trainers and tests; lives in the
   * caller's scope.
   */
  public Tensor logProb(Symbols data, Pass pass) {
    return base.logProb(layers.inverse(data, pass), pass);
  }

  /** The layers as one bijection: for trainers and tests. */
  public Chain.Bound layers() {
    return layers;
  }

  /** The base: for trainers and tests. */
  public Distribution base() {
    return base;
  }

  /**
   * Checks that rows, and what they are given, are this model's.
   *
   * @throws IllegalArgumentException naming the first row, position and symbol that are not
   */
  public void check(int[][] rows, int[][] given) {
    architecture.space().check("row", rows);
    checkGiven(given, rows.length);
  }

  private void checkGiven(int[][] given, int rows) {
    if (architecture.given().size() == 0) {
      if (given.length > 0) {
        throw new IllegalArgumentException("this model is not conditional, but was given rows");
      }
      return;
    }
    if (given.length != rows) {
      throw new IllegalArgumentException(
          "this model is conditional: it needs a given row for each of "
              + rows
              + " rows, but got "
              + given.length);
    }
    architecture.given().check("given row", given);
  }

  private Symbols symbols(int[][] rows, Space space, int from, int to) {
    return Symbols.of(Tensors.ids(Arrays.copyOfRange(rows, from, to), space.size(), device()));
  }

  private Context context(int[][] given, int from, int to) {
    if (architecture.given().size() == 0) {
      return Context.NONE;
    }
    return new Context(
        Tensors.ids(Arrays.copyOfRange(given, from, to), architecture.given().size(), device()));
  }

  private static void copy(Tensor ids, int[][] result, int from) {
    int[][] part = Tensors.toRows(ids);
    System.arraycopy(part, 0, result, from, part.length);
  }

  @FunctionalInterface
  private interface ChunkWork {
    void run(int from, int to, Weights numbers);
  }

  private void inChunks(int rows, Precision precision, ChunkWork work) {
    long width = Math.max(elements(architecture.space()), elements(layers.baseSpace()));
    int chunk = (int) Math.max(1, Math.min(MOST_ROWS, CHUNK_ELEMENTS / width));
    for (int from = 0; from < rows; from += chunk) {
      int start = from;
      int end = Math.min(rows, from + chunk);
      weights.read(precision, numbers -> work.run(start, end, numbers));
    }
  }

  private static long elements(Space space) {
    return (long) space.size() * space.maxCardinality();
  }

  /** Frees all native memory, after calls in progress have ended. Closing twice does nothing. */
  @Override
  public void close() {
    weights.close();
  }
}
