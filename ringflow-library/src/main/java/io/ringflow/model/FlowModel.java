package io.ringflow.model;

import io.ringflow.base.FactorizedBase;
import io.ringflow.base.GroupedDistribution;
import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.TorchException;
import io.ringflow.internal.engine.Conditionals;
import io.ringflow.internal.engine.Layout;
import io.ringflow.internal.engine.RowWork;
import io.ringflow.internal.engine.SharedWeights;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.store.Json;
import io.ringflow.layer.Chain;
import io.ringflow.spi.Distribution;
import io.ringflow.spi.EvaluationContext;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.Symbols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
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
  private final Architecture architecture;
  private final Chain.Bound layers;
  private final Distribution base;
  private final SharedWeights weights;
  private final RowWork work;
  private volatile Map<String, Object> provenance = Map.of();
  private volatile Map<String, Object> codec = Map.of();

  private FlowModel(
      Architecture architecture, Chain.Bound layers, Distribution base, Weights weights) {
    this.architecture = architecture;
    this.layers = layers;
    this.base = base;
    this.weights = new SharedWeights(weights);
    this.work = new RowWork(architecture.condition(), layers, base, this.weights);
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
        new Chain(architecture.layers()).on(architecture.space(), architecture.condition());
    Distribution base = architecture.base().on(layers.baseSpace(), architecture.condition());
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

  /** What the symbols mean, as stored in {@code codec.json}; empty for mere symbols. */
  public Map<String, Object> codec() {
    return codec;
  }

  /** Says what the symbols mean; values as for {@link #provenance(Map)}. */
  public void codec(Map<String, Object> meaning) {
    codec = Collections.unmodifiableMap(Json.plain(meaning));
  }

  /** SHA-256 of all that decides what rows mean and how likely they are: 32 bytes. */
  public byte[] fingerprint() {
    byte[][] hash = new byte[1][];
    weights.read(Precision.FLOAT32, numbers -> hash[0] = Fingerprint.of(this, numbers));
    return hash[0];
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
    return logProb(rows, RowWork.NOTHING);
  }

  /**
   * Natural log-probability of each row, given a row of {@link Architecture#condition()} for each.
   */
  public double[] logProb(int[][] rows, int[][] condition) {
    return logProb(rows, condition, Precision.FLOAT64);
  }

  /**
   * Natural log-probability of each row, in a chosen precision.
   *
   * <p>In 32 bits scoring is faster, and a symbol may now and then be moved to another place than
   * {@link #sample} and {@link #decode} would move it, because two logits lie closer than rounding;
   * {@link Precision#FLOAT64} says how often. It is the measure for validation during training, and
   * not for anything that must come back.
   *
   * @param condition a row for each row, or none for an unconditional model
   */
  public double[] logProb(int[][] rows, int[][] condition, Precision precision) {
    return work.logProb(rows, condition, precision);
  }

  /** The base's symbols of each row: {@code inverse}. */
  public int[][] encode(int[][] rows) {
    return encode(rows, RowWork.NOTHING);
  }

  /** The base's symbols of each row, given a row of {@link Architecture#condition()} for each. */
  public int[][] encode(int[][] rows, int[][] condition) {
    return encode(rows, condition, Precision.FLOAT64);
  }

  /**
   * The base's symbols of each row, in a chosen precision.
   *
   * <p>{@link #decode} undoes what 64 bits encoded, and not always what 32 bits did: see {@link
   * #logProb(int[][], int[][], Precision)}.
   *
   * @param condition a row for each row, or none for an unconditional model
   */
  public int[][] encode(int[][] rows, int[][] condition, Precision precision) {
    return work.encode(rows, condition, precision);
  }

  /**
   * Natural log-probability of each base row: what {@link #logProb} says of the row that {@link
   * #encode} made it of, without the way through the layers.
   *
   * @throws IllegalStateException if the model is conditional
   */
  public double[] baseLogProb(int[][] baseRows) {
    return work.baseLogProb(baseRows);
  }

  /** The row of each base row: {@code forward}. */
  public int[][] decode(int[][] baseRows) {
    return decode(baseRows, RowWork.NOTHING);
  }

  /** The row of each base row, given a row of {@link Architecture#condition()} for each. */
  public int[][] decode(int[][] baseRows, int[][] condition) {
    return work.decode(baseRows, condition);
  }

  /**
   * Draws rows. The same seed draws the same rows on any device, and a longer draw begins with the
   * shorter one.
   *
   * @throws IllegalStateException if the model is conditional
   */
  public int[][] sample(int count, long seed) {
    return work.sample(count, seed);
  }

  /** Draws one row for each given one. */
  public int[][] sample(int[][] condition, long seed) {
    return work.sample(condition, seed);
  }

  /**
   * The row each given one leads to when the base takes its likeliest symbol at every step: an
   * answer rather than a draw. Where the base is certain, as after a task that is learned, it is
   * the likeliest row.
   *
   * @param condition a row for each answer
   */
  public int[][] greedy(int[][] condition) {
    return work.greedy(condition);
  }

  /**
   * Sets a factorised base to the marginals of the data as the layers now see it: the best it can
   * be, in closed form. Before training this starts the base at the data's own marginals.
   *
   * @param rows data, at least one row
   * @throws IllegalStateException if the base is not factorised, or has a network
   */
  public void refitBase(int[][] rows) {
    refitBase(rows, RowWork.NOTHING);
  }

  /** {@link #refitBase(int[][])} of a conditional model. */
  public void refitBase(int[][] rows, int[][] condition) {
    FactorizedBase.Marginals marginals = marginals();
    if (rows.length == 0) {
      throw new IllegalArgumentException("refitting needs at least one row");
    }
    int[][] baseRows = encode(rows, condition);
    weights.change(numbers -> marginals.refit(baseRows, numbers));
  }

  /**
   * Sets in closed form what a base can know before it learns: a factorised one as {@link
   * #refitBase} does, one with direct tables of a {@link io.ringflow.network.Made} by counting.
   *
   * @param rows data, at least one row
   * @throws IllegalStateException if the model is conditional
   */
  public void startBase(int[][] rows) {
    if (base instanceof GroupedDistribution steps) {
      int[][] baseRows = encode(rows);
      weights.change(numbers -> steps.start(baseRows, numbers));
    } else if (base instanceof FactorizedBase.Marginals) {
      refitBase(rows);
    }
  }

  /**
   * Moves a factorised base a little towards some marginals of its own side: for trainers; must run
   * inside a scope.
   *
   * @param frequencies of the symbols at each position, {@code [D, K]}
   * @param share of the way, 0 to 1
   */
  public void followBase(Tensor frequencies, double share) {
    marginals().follow(frequencies, share, weights());
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
   * in other groups. Worth something where the network knows positions by their place in the data,
   * as a Transformer over one alphabet does; others keep their numbers in the order of the groups.
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

  /**
   * What an entropy coder needs of this model; see {@link io.ringflow.compress.Compressor}.
   *
   * @throws IllegalStateException if the model is conditional
   */
  public Conditionals coding() {
    if (architecture.condition().size() > 0) {
      throw new IllegalStateException("a conditional model can't be coded with");
    }
    return new Conditionals(work, layers, base);
  }

  /** The numbers of this model: for trainers and tests. */
  public Weights weights() {
    return weights.trained();
  }

  /**
   * Log-probabilities {@code [B]} of symbols {@code [B, D]}: for trainers and tests; lives in the
   * caller's scope.
   */
  public Tensor logProb(Symbols data, EvaluationContext context) {
    return base.logProb(layers.inverse(data, context), context);
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
  public void check(int[][] rows, int[][] condition) {
    work.check(rows, condition);
  }

  /** Frees all native memory, after calls in progress have ended. Closing twice does nothing. */
  @Override
  public void close() {
    weights.close();
  }
}
