package io.ringflow.internal.engine;

import io.ringflow.spi.Buffer;
import io.ringflow.spi.Module;
import io.ringflow.spi.Parameter;
import io.ringflow.spi.ParameterRegistry;
import io.ringflow.spi.Statistic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where each parameter of a model lies in one flat buffer: the layers' first, the base's behind
 * them, every one on a 64-byte boundary.
 *
 * @param slots by full name, in the order of the buffer
 * @param buffers of the model
 * @param statistics by full name, in the order of registration
 * @param layerStarts the first element of each layer, from the base to the data
 * @param layerElements how many of the first elements belong to the layers
 * @param elements of the whole buffer, gaps included
 */
public record Layout(
    Map<String, Slot> slots,
    Set<Buffer> buffers,
    Map<String, Statistic> statistics,
    List<Long> layerStarts,
    long layerElements,
    long elements) {
  /** Elements between tensor starts: 64 bytes of 32-bit floats. */
  private static final long ALIGNMENT = 16;

  /** A parameter and its first element. */
  record Slot(Parameter parameter, long from) {}

  /**
   * The layout of a model.
   *
   * @param layers what is trained at the networks' rate, from the base to the data
   * @param base what is trained at the base's rate
   */
  public static Layout of(List<? extends Module> layers, Module base) {
    Collector collector = new Collector();
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < layers.size(); i++) {
      starts.add(collector.next);
      layers.get(i).register(collector.within("layers." + i));
    }
    long layerElements = collector.next;
    base.register(collector.within("base"));
    return new Layout(
        Collections.unmodifiableMap(collector.slots),
        Collections.unmodifiableSet(collector.buffers),
        Collections.unmodifiableMap(collector.statistics),
        List.copyOf(starts),
        layerElements,
        collector.next);
  }

  /** The number of trainable elements, gaps not counted. */
  public long count() {
    return slots.values().stream().mapToLong(slot -> slot.parameter.elements()).sum();
  }

  private static final class Collector implements ParameterRegistry {
    final Map<String, Slot> slots = new LinkedHashMap<>();
    final Set<Buffer> buffers = new HashSet<>();
    final Map<String, Statistic> statistics = new LinkedHashMap<>();
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
      long padded = Math.addExact(parameter.elements(), ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      next = Math.addExact(next, padded);
    }

    @Override
    public void buffer(Buffer buffer) {
      buffers.add(buffer);
    }

    @Override
    public void statistic(String name, Statistic statistic) {
      if (statistics.put(name, statistic) != null) {
        throw new IllegalStateException("two statistics are named " + name);
      }
    }
  }
}
