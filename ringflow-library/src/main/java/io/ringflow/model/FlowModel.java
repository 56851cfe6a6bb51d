package io.ringflow.model;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.ProgressListener;
import io.ringflow.core.SamplingOptions;
import io.ringflow.internal.engine.Engine;
import io.ringflow.internal.engine.EngineAccess;
import io.ringflow.internal.engine.Weights;
import io.ringflow.internal.mixing.CountedText;
import io.ringflow.layer.Chain;
import io.ringflow.spi.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * A discrete flow: a base distribution over D symbols pushed through bijections of the same space.
 *
 * <pre>
 *   sample : uniform numbers -> base -> forward, first layer first -> rows
 *   score  : rows -> inverse, last layer first -> base -> natural log-probabilities
 * </pre>
 *
 * <p>Likelihoods are exact: the ids that run through the layers are integers, and the networks that
 * choose how they move compute in float64, the same in either direction. {@link #decode} undoes
 * {@link #encode} symbol by symbol.
 *
 * <p>Takes and returns plain arrays; all native memory is inside and freed by {@link #close}.
 * Scoring and sampling are safe from several threads at once, but not while a {@code Trainer}
 * trains the same model.
 */
public final class FlowModel implements AutoCloseable {
  static {
    EngineAccess.grant(
        model -> ((FlowModel) model).engine,
        (model, record) -> ((FlowModel) model).provenance = (Provenance) record);
    EngineAccess.grantCounts(
        model -> ((FlowModel) model).counts,
        (model, counts) -> ((FlowModel) model).counts = counts);
  }

  private final Architecture architecture;
  private final Codec codec; // null for mere symbols
  private final Engine engine;
  private volatile Provenance provenance; // null until trained
  private volatile Supplier<CountedText> counts; // of the training text; null where there are none

  private FlowModel(Architecture architecture, Codec codec, Engine engine) {
    this.architecture = architecture;
    this.codec = codec;
    this.engine = engine;
  }

  /** A new, untrained model on the CPU. */
  public static FlowModel create(Architecture architecture, long seed) {
    return create(architecture, Device.CPU, seed);
  }

  /**
   * A new, untrained model.
   *
   * @param seed of the initial weights
   */
  public static FlowModel create(Architecture architecture, Device device, long seed) {
    return create(architecture, null, device, seed);
  }

  /**
   * A new, untrained model of symbols that stand for something.
   *
   * @param codec what they stand for; null for mere symbols
   * @param seed of the initial weights
   */
  public static FlowModel create(Architecture architecture, Codec codec, Device device, long seed) {
    return of(architecture, codec, layout -> Weights.initial(layout, device, seed));
  }

  static <E extends Exception> FlowModel of(
      Architecture architecture, Codec codec, Engine.WeightsSource<E> source) throws E {
    Chain.Bound layers =
        new Chain(architecture.layers()).on(architecture.space(), architecture.condition());
    Distribution base = architecture.base().on(layers.baseSpace(), architecture.condition());
    return new FlowModel(
        architecture, codec, Engine.of(architecture.condition(), layers, base, source));
  }

  /** Reads a model from its folder, on the CPU. */
  public static FlowModel load(Path folder) throws IOException {
    return load(folder, Device.CPU);
  }

  /** Reads a model from its folder. */
  public static FlowModel load(Path folder, Device device) throws IOException {
    return load(folder, device, Parts.BUILT_IN);
  }

  /**
   * Reads a model from its folder.
   *
   * @param parts that it may be made of: pass those of one's own by {@link Parts#with}
   * @throws IOException if it is missing, damaged, foreign, or of a newer version; the message says
   *     which
   */
  public static FlowModel load(Path folder, Device device, Parts parts) throws IOException {
    return ModelFolder.load(folder, device, parts);
  }

  /**
   * Writes this model to a folder, whole or not at all; a model that is there is replaced, anything
   * else is not.
   *
   * @throws IOException if the folder can't be written, or holds something else
   */
  public void save(Path folder) throws IOException {
    engine.read(Precision.FLOAT32, weights -> ModelFolder.save(this, engine.weights(), folder));
  }

  /**
   * Checks that {@link #save} would find nothing in its way, long before there is a model to save;
   * makes the folders that lead there.
   *
   * @throws IOException if the folder can't be written, or holds something else
   */
  public static void requireSavable(Path folder) throws IOException {
    ModelFolder.requireWritable(folder);
  }

  /** What this model is, apart from its weights. */
  public Architecture architecture() {
    return architecture;
  }

  /** What the symbols stand for; empty for mere symbols. */
  public Optional<Codec> codec() {
    return Optional.ofNullable(codec);
  }

  /** Where this model comes from; empty for an untrained one. */
  public Optional<Provenance> provenance() {
    return Optional.ofNullable(provenance);
  }

  /** SHA-256 of all that decides what rows mean and how likely they are: 32 bytes. */
  public byte[] fingerprint() {
    byte[][] hash = new byte[1][];
    engine.read(
        Precision.FLOAT32, weights -> hash[0] = Fingerprint.of(architecture, codec, weights));
    return hash[0];
  }

  /** Where it computes. */
  public Device device() {
    return engine.weights().device();
  }

  /** The number of weights. */
  public long parameterCount() {
    return engine.weights().count();
  }

  /**
   * The number of weights of each tensor, by the names of {@code model.safetensors}: those of layer
   * i begin with {@code layers.i.}, those of the base with {@code base.}.
   */
  public Map<String, Long> parameterCounts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    engine
        .weights()
        .parameters()
        .forEach((name, parameter) -> counts.put(name, parameter.elements()));
    return counts;
  }

  /** Network calls that sampling a row makes one after the other. */
  public int samplingPasses() {
    return engine.base().passes() + engine.layers().passes();
  }

  /** Natural log-probability of each row. */
  public double[] logProb(int[][] rows) {
    return logProb(rows, Engine.UNCONDITIONAL);
  }

  /** Natural log-probability of each row, given a condition for each. */
  public double[] logProb(int[][] rows, int[][] conditions) {
    return logProb(rows, conditions, Precision.FLOAT64);
  }

  /**
   * Natural log-probability of each row, in a chosen precision.
   *
   * <p>In float32 scoring is faster, and a symbol may now and then be moved elsewhere than {@link
   * #sample} and {@link #decode} would move it, because two logits lie closer than rounding; {@link
   * Precision#FLOAT64} says how often. It is good enough for validation during training, and not
   * for anything that must come back.
   *
   * @param conditions one for each row, or none for an unconditional model
   */
  public double[] logProb(int[][] rows, int[][] conditions, Precision precision) {
    return engine.logProb(rows, conditions, precision, ProgressListener.IGNORED);
  }

  /**
   * Natural log-probability of each row, for long work: it reports progress in rows and ends when
   * the thread is interrupted.
   *
   * @param conditions one for each row, or none for an unconditional model
   * @throws CancellationException if the thread is interrupted
   */
  public double[] logProb(
      int[][] rows, int[][] conditions, Precision precision, ProgressListener progress) {
    return engine.logProb(rows, conditions, precision, progress.untilInterrupted());
  }

  /** The base symbols of each row: {@code inverse}. */
  public int[][] encode(int[][] rows) {
    return encode(rows, Engine.UNCONDITIONAL);
  }

  /** The base symbols of each row, given a condition for each. */
  public int[][] encode(int[][] rows, int[][] conditions) {
    return encode(rows, conditions, Precision.FLOAT64);
  }

  /**
   * The base symbols of each row, in a chosen precision.
   *
   * <p>{@link #decode} undoes what float64 encoded, and not always what float32 did: see {@link
   * #logProb(int[][], int[][], Precision)}.
   *
   * @param conditions one for each row, or none for an unconditional model
   */
  public int[][] encode(int[][] rows, int[][] conditions, Precision precision) {
    return engine.encode(rows, conditions, precision);
  }

  /** The row of each base row: {@code forward}. */
  public int[][] decode(int[][] baseRows) {
    return decode(baseRows, Engine.UNCONDITIONAL);
  }

  /** The row of each base row, given a condition for each. */
  public int[][] decode(int[][] baseRows, int[][] conditions) {
    return engine.decode(baseRows, conditions);
  }

  /**
   * Samples rows. The same seed gives the same rows on any device, and more rows begin with the
   * fewer.
   *
   * @throws IllegalStateException if the model is conditional
   */
  public int[][] sample(int count, long seed) {
    return sample(count, seed, Precision.FLOAT64);
  }

  /**
   * Samples rows, in a chosen precision.
   *
   * <p>In float64 the same seed gives the same rows on any device, and {@link #encode} finds the
   * base symbols they were made from. In float32, and on a GPU bfloat16, sampling is faster, and
   * probabilities are rounded: rows are samples of a distribution that differs from {@link
   * #logProb} by as much as the precision does, and a seed means the same rows only on the same
   * kind of device.
   *
   * @throws IllegalStateException if the model is conditional
   * @throws IllegalArgumentException if the device can't compute in that precision
   */
  public int[][] sample(int count, long seed, Precision precision) {
    return sampled(
        count, seed, SamplingOptions.DEFAULTS.withPrecision(precision), ProgressListener.IGNORED);
  }

  /**
   * Samples rows, in a {@linkplain #sample(int, long, Precision) chosen precision}, at a chosen
   * temperature and for long work: it reports progress in rows and ends when the thread is
   * interrupted.
   *
   * <p>{@link SamplingOptions} says which distribution rows follow at a temperature other than 1.
   *
   * @throws CancellationException if the thread is interrupted
   * @throws IllegalStateException if the model is conditional
   * @throws IllegalArgumentException if the device can't compute in that precision
   */
  public int[][] sample(int count, long seed, SamplingOptions options, ProgressListener progress) {
    return sampled(count, seed, options, progress.untilInterrupted());
  }

  private int[][] sampled(
      int count, long seed, SamplingOptions options, ProgressListener progress) {
    if (architecture.condition().size() > 0) {
      throw new IllegalStateException(
          "this model is conditional: call sample(conditions, seed) with a row of "
              + architecture.condition()
              + " for each");
    }
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative, but is " + count);
    }
    return engine.sample(count, Engine.UNCONDITIONAL, seed, options, progress);
  }

  /** Samples one row for each condition. */
  public int[][] sample(int[][] conditions, long seed) {
    return engine.sample(
        conditions.length, conditions, seed, SamplingOptions.DEFAULTS, ProgressListener.IGNORED);
  }

  /**
   * Samples one row for each condition, in a {@linkplain #sample(int, long, Precision) chosen
   * precision}, at a {@linkplain SamplingOptions chosen temperature} and for long work.
   *
   * @throws CancellationException if the thread is interrupted
   * @throws IllegalArgumentException if the device can't compute in that precision
   */
  public int[][] sample(
      int[][] conditions, long seed, SamplingOptions options, ProgressListener progress) {
    return engine.sample(conditions.length, conditions, seed, options, progress.untilInterrupted());
  }

  /**
   * The row that each condition leads to when the base takes its likeliest symbol at every step: an
   * answer rather than a sample. Where the base is certain, as after a task that is learned, it is
   * the likeliest row.
   */
  public int[][] greedy(int[][] conditions) {
    return engine.greedy(conditions);
  }

  /** Frees all native memory, after calls in progress have ended. Closing twice does nothing. */
  @Override
  public void close() {
    engine.close();
  }
}
