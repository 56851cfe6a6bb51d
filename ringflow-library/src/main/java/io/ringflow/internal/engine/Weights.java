package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.internal.engine.Layout.Slot;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Buffer;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterValues;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Statistic;
import io.ringflow.spi.Tensors;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/**
 * Owns every weight of a model: one flat buffer of parameters, of which each {@link Parameter}'s
 * tensor is a view, the {@link Buffer}s, and the {@link Statistic}s, which copies share.
 *
 * <p>One buffer means one optimiser call, one norm, one copy. The layers' parameters come first and
 * the base's behind them, so that each of the two is contiguous and may have its own learning rate.
 * Every tensor starts on a 64-byte boundary; the gaps stay zero.
 *
 * <p>Reading is safe from any thread while nobody trains or closes.
 */
public final class Weights implements ParameterValues, AutoCloseable {
  private final Layout layout;
  private final Device device;
  private final Precision precision;
  private final TensorOwner owner = new TensorOwner();
  private final Map<Buffer, Tensor> buffers = new HashMap<>();
  private final Map<Statistic, Tensor> statistics;
  private final Map<Parameter, Tensor> views = new HashMap<>();
  private final Map<Parameter, Long> places = new HashMap<>();
  private final Map<Object, Tensor> derived = new HashMap<>();
  private final TensorOwner derivedOwner = new TensorOwner();
  private final Tensor values;
  private Tensor gradients;
  private long derivedVersion; // count of writes to the values that were derived from
  private volatile boolean closed;

  /**
   * Zeros.
   *
   * @param statistics of other weights, to be shared; null for zeros of its own
   */
  private Weights(
      Layout layout, Precision precision, Device device, Map<Statistic, Tensor> statistics) {
    this.layout = layout;
    this.device = device;
    this.precision = precision;
    try (Scope scope = Scope.inference()) {
      this.values = owner.keep(Tensors.zeros(precision, device, layout.elements()));
      for (Slot slot : layout.slots().values()) {
        Parameter parameter = slot.parameter();
        places.put(parameter, slot.from());
        Tensor view = slice(values, parameter).view(parameter.shape());
        // Detached: a view made under no-grad must not remember its base, or it could not be a
        // leaf.
        views.put(parameter, owner.keep(view.detach()));
      }
      for (Buffer buffer : layout.buffers()) {
        buffers.put(buffer, owner.keep(buffer.make(precision, device)));
      }
      this.statistics = statistics == null ? counted() : statistics;
    } catch (RuntimeException | Error e) {
      owner.close();
      throw e;
    }
  }

  private Map<Statistic, Tensor> counted() {
    Map<Statistic, Tensor> counted = new HashMap<>();
    layout.statistics().values().forEach(one -> counted.put(one, owner.keep(one.zeros(device))));
    return counted;
  }

  /** Zeros, to be filled. */
  public static Weights zeros(Layout layout, Device device) {
    return new Weights(layout, Precision.FLOAT32, device, null);
  }

  /**
   * Initial weights.
   *
   * @param seed of the random numbers
   */
  public static Weights initial(Layout layout, Device device, long seed) {
    Weights weights = zeros(layout, device);
    // Each has numbers of its own: a base starts alike under any layers, and models compare.
    var ofLayers = new SplittableRandom(seed);
    var ofBase = new SplittableRandom(~seed);
    for (Slot slot : layout.slots().values()) {
      Parameter parameter = slot.parameter();
      var random = slot.from() < layout.layerElements() ? ofLayers : ofBase;
      try (Scope scope = Scope.inference()) {
        Tensor start = Tensor.create(parameter.initialize(random), parameter.shape());
        weights.get(parameter).copy_(start);
      } catch (RuntimeException | Error e) {
        weights.close();
        throw e;
      }
    }
    return weights;
  }

  /**
   * A copy in another precision: float64 for what must be exact, bfloat16 to train with. The caller
   * closes it, before these weights.
   */
  public Weights copyIn(Precision other) {
    Weights copy = new Weights(layout, other, device, statistics);
    copy.copyFrom(this);
    return copy;
  }

  /** Takes the values of other weights of the same layout, and what they counted. */
  public void copyFrom(Weights other) {
    try (Scope scope = Scope.inference()) {
      values.copy_(other.values);
      if (statistics != other.statistics) { // else shared
        statistics()
            .forEach((name, own) -> get(own).copy_(other.get(other.statistics().get(name))));
      }
    }
  }

  /**
   * Takes the values of some parameters of other weights.
   *
   * @param theirs by name
   * @param ours by the same names
   * @throws IllegalArgumentException if names or shapes differ
   */
  public void copyFrom(Weights other, Map<String, Parameter> theirs, Map<String, Parameter> ours) {
    if (!shapes(theirs).equals(shapes(ours))) {
      throw new IllegalArgumentException(
          "what is copied must be of the same shape, but "
              + shapes(theirs)
              + " is not "
              + shapes(ours));
    }
    ours.forEach((name, parameter) -> get(parameter).copy_(other.get(theirs.get(name))));
  }

  private static Map<String, List<Long>> shapes(Map<String, Parameter> parameters) {
    Map<String, List<Long>> shapes = new TreeMap<>();
    parameters.forEach(
        (name, parameter) -> shapes.put(name, Arrays.stream(parameter.shape()).boxed().toList()));
    return shapes;
  }

  /** The tensor of a parameter; borrowed. */
  @Override
  public Tensor get(Parameter parameter) {
    Tensor tensor = views.get(parameter);
    if (tensor == null) {
      throw new IllegalStateException(parameter + " was not registered: see Module.register");
    }
    return tensor;
  }

  /** The tensor of a buffer; borrowed. */
  @Override
  public Tensor get(Buffer buffer) {
    Tensor tensor = buffers.get(buffer);
    if (tensor == null) {
      throw new IllegalStateException("a buffer was not registered: see Module.register");
    }
    return tensor;
  }

  /** The tensor of a statistic; borrowed. */
  @Override
  public Tensor get(Statistic statistic) {
    Tensor tensor = statistics.get(statistic);
    if (tensor == null) {
      throw new IllegalStateException(statistic + " was not registered: see Module.register");
    }
    return tensor;
  }

  /** Every statistic by its full name. */
  public Map<String, Statistic> statistics() {
    return layout.statistics();
  }

  /**
   * Kept on the CPU. On a GPU it is made anew each time: work that is captured there would go on
   * with the old one after the weights changed.
   */
  @Override
  public Tensor derived(Object key, Supplier<Tensor> maker) {
    if (device != Device.CPU) {
      return maker.get();
    }
    synchronized (derived) {
      long version = values()._version();
      if (version != derivedVersion) {
        // Whoever changes weights has them alone: nobody still reads these.
        derived.clear();
        derivedOwner.close();
        derivedVersion = version;
      }
      Tensor found = derived.get(key);
      if (found == null) {
        found = derivedOwner.keep(maker.get());
        derived.put(key, found);
      }
      return found;
    }
  }

  /** Where the weights are. */
  @Override
  public Device device() {
    return device;
  }

  /** Their precision. */
  @Override
  public Precision precision() {
    return precision;
  }

  /** Every parameter by its full name, in the order of the buffer. */
  public Map<String, Parameter> parameters() {
    Map<String, Parameter> named = new LinkedHashMap<>();
    layout.slots().forEach((name, slot) -> named.put(name, slot.parameter()));
    return Collections.unmodifiableMap(named);
  }

  /** The parameters of one layer, counted from the base, by their names within it. */
  public Map<String, Parameter> layer(int index) {
    if (index < 0 || index >= layout.layerStarts().size()) {
      throw new IllegalArgumentException(
          "there are " + layout.layerStarts().size() + " layers, but no layer " + index);
    }
    return within("layers." + index + ".");
  }

  /** The parameters of the base, by their names within it. */
  public Map<String, Parameter> base() {
    return within("base.");
  }

  private Map<String, Parameter> within(String prefix) {
    Map<String, Parameter> named = new LinkedHashMap<>();
    layout
        .slots()
        .forEach(
            (name, slot) -> {
              if (name.startsWith(prefix)) {
                named.put(name.substring(prefix.length()), slot.parameter());
              }
            });
    return named;
  }

  /** The number of trainable elements, gaps not counted. */
  public long count() {
    return layout.count();
  }

  /** All parameters as one vector; borrowed. Writing to it changes the model. */
  public Tensor values() {
    if (closed) {
      throw new IllegalStateException("this model is closed");
    }
    return values;
  }

  /**
   * The part of a vector, laid out like {@link #values()}, that belongs to a parameter: a flat
   * view.
   */
  Tensor slice(Tensor vector, Parameter parameter) {
    return vector.narrow(0, places.get(parameter), parameter.elements());
  }

  /** Where a parameter's part of {@link #values()} begins. */
  public long place(Parameter parameter) {
    return places.get(parameter);
  }

  /**
   * How many of the first elements of {@link #values()} belong to the layers; the rest is the
   * base's.
   */
  public long layerElements() {
    return layout.layerElements();
  }

  /** The first element of each layer, from the base to the data. */
  public List<Long> layerStarts() {
    return layout.layerStarts();
  }

  /**
   * Makes every parameter a leaf whose gradient is a view of one vector, which this returns;
   * borrowed. Idempotent.
   */
  public Tensor trackGradients() {
    if (gradients == null) {
      try (Scope scope = Scope.inference()) {
        gradients = owner.keep(Tensors.zeros(values, values.numel()));
        views.forEach(
            (parameter, leaf) -> {
              leaf.set_requires_grad(true);
              // Its own count of writes, by which it can be told whether it is complete.
              Tensor gradient = slice(gradients, parameter).view(parameter.shape());
              leaf.mutable_grad().put(gradient.variable_data());
            });
      }
    }
    return gradients;
  }

  @Override
  public void close() {
    closed = true;
    views.clear();
    buffers.clear();
    derived.clear();
    derivedOwner.close();
    owner.close();
  }
}
