package io.ringflow;

import io.ringflow.torch.Device;
import io.ringflow.torch.Precision;
import io.ringflow.torch.Scope;
import io.ringflow.torch.Tensors;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;

/**
 * Owns every number of a model: one flat buffer of parameters, of which each {@link Parameter}'s
 * tensor is a view, and the {@link Constant}s.
 *
 * <p>One buffer means one optimiser call, one norm, one copy. The layers' parameters come first and
 * the base's behind them, so that each of the two is contiguous and may have its own learning rate.
 * Every tensor starts on a 64-byte boundary; the gaps stay zero.
 *
 * <p>Reading is safe from any thread while nobody trains or closes.
 */
public final class Weights implements AutoCloseable {
  /** Elements between tensor starts: 64 bytes of 32-bit floats. */
  private static final long ALIGNMENT = 16;

  private record Slot(Parameter parameter, long from) {}

  private final Device device;
  private final Precision precision;
  private final Map<String, Slot> slots;
  private final Map<Constant, Tensor> constants = new HashMap<>();
  private final Map<Parameter, Tensor> views = new HashMap<>();
  private final Map<Parameter, Long> places = new HashMap<>();
  private final Deque<Tensor> owned = new ArrayDeque<>();
  private final long layerElements;
  private final Tensor values;
  private Tensor gradients;

  private Weights(
      Device device,
      Precision precision,
      Map<String, Slot> slots,
      long layerElements,
      long elements) {
    this.device = device;
    this.precision = precision;
    this.slots = slots;
    this.layerElements = layerElements;
    this.values = own(Tensors.zeros(precision, device, elements));
  }

  /**
   * Makes the weights of a model and starts them.
   *
   * @param layers what is trained at the networks' rate
   * @param base what is trained at the base's rate
   * @param seed of the start values
   */
  static Weights create(Parametric layers, Parametric base, Device device, long seed) {
    Collector collector = new Collector();
    layers.declare(collector);
    long layerElements = collector.next;
    base.declare(collector);
    try (Scope scope = Scope.inference()) {
      Weights weights =
          new Weights(device, Precision.FLOAT32, collector.slots, layerElements, collector.next);
      weights.bind(collector.constants);
      var random = new SplittableRandom(seed);
      for (Slot slot : collector.slots.values()) {
        Tensor view = weights.get(slot.parameter);
        view.copy_(Tensor.create(slot.parameter.start(random), slot.parameter.shape()));
      }
      return weights;
    }
  }

  /** A frozen copy in 64 bits, for what must be exact. */
  Weights toFloat64() {
    try (Scope scope = Scope.inference()) {
      Weights copy = new Weights(device, Precision.FLOAT64, slots, layerElements, values.numel());
      copy.bind(constants.keySet());
      copy.values.copy_(values);
      return copy;
    }
  }

  private void bind(Iterable<Constant> wanted) {
    for (Slot slot : slots.values()) {
      places.put(slot.parameter, slot.from);
      Tensor view = slice(values, slot.parameter).view(slot.parameter.shape());
      // Detached: a view made under no-grad must not remember its base, or it could not be a leaf.
      views.put(slot.parameter, own(view.detach()));
    }
    for (Constant constant : wanted) {
      constants.put(constant, own(constant.make(precision, device)));
    }
  }

  private Tensor own(Tensor tensor) {
    tensor.retainReference();
    owned.push(tensor);
    return tensor;
  }

  /** The tensor of a parameter; borrowed. */
  public Tensor get(Parameter parameter) {
    Tensor tensor = views.get(parameter);
    if (tensor == null) {
      throw new IllegalStateException(parameter + " was not declared: see Parametric.declare");
    }
    return tensor;
  }

  /** The tensor of a constant; borrowed. */
  public Tensor get(Constant constant) {
    Tensor tensor = constants.get(constant);
    if (tensor == null) {
      throw new IllegalStateException("a constant was not declared: see Parametric.declare");
    }
    return tensor;
  }

  /** Where the numbers are. */
  public Device device() {
    return device;
  }

  /** In which precision they are. */
  public Precision precision() {
    return precision;
  }

  /** Every parameter by its full name, in the order of the buffer. */
  public Map<String, Parameter> parameters() {
    Map<String, Parameter> named = new LinkedHashMap<>();
    slots.forEach((name, slot) -> named.put(name, slot.parameter));
    return Collections.unmodifiableMap(named);
  }

  /** The number of trainable elements, gaps not counted. */
  public long count() {
    return slots.values().stream().mapToLong(slot -> slot.parameter.elements()).sum();
  }

  /** All parameters as one vector; borrowed. Writing to it changes the model. */
  public Tensor values() {
    return values;
  }

  /**
   * The part of a vector, laid out like {@link #values()}, that belongs to a parameter: a flat
   * view.
   */
  Tensor slice(Tensor vector, Parameter parameter) {
    return vector.narrow(0, places.get(parameter), parameter.elements());
  }

  /**
   * How many of the first elements of {@link #values()} belong to the layers; the rest is the
   * base's.
   */
  public long layerElements() {
    return layerElements;
  }

  /**
   * Makes every parameter a leaf whose gradient is a view of one vector, which this returns;
   * borrowed. Idempotent.
   */
  public Tensor trackGradients() {
    if (gradients == null) {
      try (Scope scope = Scope.inference()) {
        gradients = own(Tensors.zeros(values, values.numel()));
        for (Slot slot : slots.values()) {
          Tensor leaf = views.get(slot.parameter);
          leaf.set_requires_grad(true);
          leaf.mutable_grad().put(slice(gradients, slot.parameter).view(slot.parameter.shape()));
        }
      }
    }
    return gradients;
  }

  @Override
  public void close() {
    views.clear();
    constants.clear();
    while (!owned.isEmpty()) {
      owned.pop().releaseReference();
    }
  }

  private static final class Collector implements Declarations {
    final Map<String, Slot> slots = new LinkedHashMap<>();
    final Set<Constant> constants = new HashSet<>();
    private final Set<Parameter> placed = new HashSet<>();
    long next;

    @Override
    public void parameter(String name, Parameter parameter) {
      if (!placed.add(parameter)) {
        return; // shared: already has its place
      }
      if (slots.put(name, new Slot(parameter, next)) != null) {
        throw new IllegalStateException("two parameters are named " + name);
      }
      next += (parameter.elements() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    @Override
    public void constant(Constant constant) {
      constants.add(constant);
    }
  }
}
