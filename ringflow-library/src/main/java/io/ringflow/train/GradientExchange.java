package io.ringflow.train;

import io.ringflow.distributed.ProcessGroup;
import io.ringflow.internal.engine.Weights;
import io.ringflow.spi.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.VoidTensorHook;

/**
 * Adds up the gradients of a group's processes: one sum of the flat buffer, or, where that is
 * large, sums of its parts that begin while the backward pass still computes the rest.
 *
 * <p>A part goes out when all its gradients are complete, and the parts go in one order, the same
 * on every process: from the base, whose gradients a backward pass completes first, to the layer
 * next to the data, and within each from its last parameter to its first. A part that is complete
 * out of turn waits.
 *
 * <p>libtorch counts the writes to each gradient, and a backward pass writes once to each: that
 * tells whether a part is complete. It is looked at when the gradient of a part's last or first
 * matrix comes, and not of every one, because a call from native code into Java takes tens of
 * microseconds on the thread that feeds a GPU.
 */
final class GradientExchange implements AutoCloseable {
  /** Parts of fewer numbers cost more in messages than they gain by being early: 4 MiB. */
  static final long MIN_ELEMENTS = 1L << 20;

  private static final int MAX_FULL_PARTS = 6;

  private final ProcessGroup group;
  private final WorkingWeights weights;
  private final List<Part> parts = new ArrayList<>();
  private final List<ProcessGroup.Pending> underWay = new ArrayList<>();
  private final Look look;
  private int sent;

  GradientExchange(ProcessGroup group, WorkingWeights weights) {
    this(group, weights, MIN_ELEMENTS);
  }

  GradientExchange(ProcessGroup group, WorkingWeights weights, long minElements) {
    this.group = group;
    this.weights = weights;
    Weights trained = weights.trained();
    long all = trained.values().numel();
    if (group == ProcessGroup.single() || all < 2 * minElements) {
      parts.add(new Part(0, all, List.of()));
      look = null;
      return;
    }
    cut(trained, Math.max(minElements, all / MAX_FULL_PARTS));
    look = new Look();
  }

  private void cut(Weights trained, long least) {
    NavigableMap<Long, Tensor> leaves = new TreeMap<>();
    weights.leaves().forEach((parameter, leaf) -> leaves.put(trained.place(parameter), leaf));
    cut(trained.layerElements(), trained.values().numel(), leaves, least);
    List<Long> ends = new ArrayList<>(trained.layerStarts());
    ends.add(trained.layerElements());
    long from = 0;
    for (long to : ends) {
      if (to - from >= least || to == trained.layerElements()) {
        cut(from, to, leaves, least); // small layers go together
        from = to;
      }
    }
  }

  /** Cuts neighbours in the buffer into equal parts, from the last to the first. */
  private void cut(long from, long to, NavigableMap<Long, Tensor> leaves, long least) {
    NavigableMap<Long, Tensor> here = leaves.subMap(from, true, to, false);
    if (here.isEmpty()) {
      return;
    }
    long size = (to - from) / Math.max(1, (to - from) / least);
    long end = to;
    List<Tensor> together = new ArrayList<>();
    for (Map.Entry<Long, Tensor> leaf : here.descendingMap().entrySet()) {
      together.add(leaf.getValue());
      long start = leaf.getKey();
      boolean last = start == here.firstKey();
      if (last || (end - start >= size && start - from >= size / 2)) {
        parts.add(new Part(last ? from : start, end, List.copyOf(together)));
        together.clear();
        end = start;
      }
    }
  }

  /** A part of the buffer, and the leaves whose gradients it holds, the last first. */
  private static final class Part {
    final long from;
    final long to;
    final List<Tensor> leaves;
    final long[] writes;

    Part(long from, long to, List<Tensor> leaves) {
      this.from = from;
      this.to = to;
      this.leaves = leaves;
      this.writes = new long[leaves.size()];
      count();
    }

    /** What was written until now does not count. */
    void count() {
      for (int i = 0; i < writes.length; i++) {
        writes[i] = writes(leaves.get(i));
      }
    }

    /**
     * Its last and its first leaf that is a matrix: the gradients of biases may be found by a tape,
     * of which hooks hear nothing.
     */
    Set<Tensor> matrices() {
      List<Tensor> all = leaves.stream().filter(leaf -> leaf.dim() > 1).toList();
      List<Tensor> candidates = all.isEmpty() ? leaves : all;
      return new LinkedHashSet<>(List.of(candidates.get(0), candidates.get(candidates.size() - 1)));
    }

    boolean isComplete() {
      for (int i = 0; i < writes.length; i++) {
        if (writes(leaves.get(i)) == writes[i]) {
          return false;
        }
      }
      return true;
    }

    private static long writes(Tensor leaf) {
      try (Tensor gradient = leaf.mutable_grad()) {
        return gradient._version();
      }
    }
  }

  /** Is called on the thread that runs the backward pass, which may be libtorch's own. */
  private final class Look extends VoidTensorHook {
    private final Map<Tensor, Integer> registrations = new LinkedHashMap<>();

    Look() {
      retainReference();
      for (Part part : parts.subList(1, parts.size())) {
        part.matrices().forEach(leaf -> registrations.computeIfAbsent(leaf, this::hooked));
      }
    }

    private int hooked(Tensor leaf) {
      return leaf.register_hook(this);
    }

    @Override
    public void call(TensorBase gradient) {
      // The last part is complete when the pass has ended, and not before.
      while (sent < parts.size() - 1 && parts.get(sent).isComplete()) {
        send();
      }
    }

    void end() {
      registrations.forEach(Tensor::remove_hook);
      releaseReference();
    }
  }

  private void send() {
    Part part = parts.get(sent++);
    try (Scope scope = Scope.inference()) {
      underWay.add(group.allReduce(weights.gradients(part.from, part.to - part.from)));
    }
  }

  /**
   * The backward pass has ended: sends what is left, and waits for all.
   *
   * @return the gradient of the whole batch; borrowed, to be cleared after use
   */
  Tensor finish() {
    while (sent < parts.size()) {
      send();
    }
    underWay.forEach(ProcessGroup.Pending::await);
    underWay.clear();
    parts.forEach(Part::count);
    sent = 0;
    return weights.gradients();
  }

  /** How many sums a step takes. */
  int parts() {
    return parts.size();
  }

  @Override
  public void close() {
    if (look != null) {
      look.end();
    }
  }
}
