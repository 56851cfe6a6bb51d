package io.ringflow.train;

import io.ringflow.Weights;
import io.ringflow.team.Team;
import io.ringflow.torch.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.VoidTensorHook;

/**
 * Adds up the gradients of a team's processes: one sum of the flat buffer, or, where that is large,
 * sums of its parts that begin while the backward pass still computes the rest.
 *
 * <p>A part goes out when all its gradients are complete, and the parts go in one order, the same
 * on every process: from the base, whose gradients a backward pass completes first, to the layer
 * next to the data, and within each from its last parameter to its first. A part that is complete
 * out of turn waits.
 *
 * <p>libtorch tells of a leaf's gradient just before it adds it to the buffer. So what it told of
 * before is in the buffer when it tells of the next.
 */
final class GradientExchange implements AutoCloseable {
  /** Parts of fewer numbers cost more in messages than they gain by being early: 4 MiB. */
  static final long LEAST_ELEMENTS = 1L << 20;

  /**
   * The binding has native callbacks for ten objects of a class, and base and last layer may each
   * have a part below the size of the others.
   */
  private static final int FULL_PARTS = 6;

  private final Team team;
  private final WorkingWeights weights;
  private final List<Part> parts = new ArrayList<>();
  private final List<Team.Pending> underWay = new ArrayList<>();
  private int sent;

  GradientExchange(Team team, WorkingWeights weights) {
    this(team, weights, LEAST_ELEMENTS);
  }

  GradientExchange(Team team, WorkingWeights weights, long leastElements) {
    this.team = team;
    this.weights = weights;
    Weights trained = weights.trained();
    long all = trained.values().numel();
    long least = Math.max(leastElements, all / FULL_PARTS);
    if (team == Team.alone() || all < 2 * leastElements) {
      parts.add(new Part(0, all, List.of()));
      return;
    }
    try {
      NavigableMap<Long, Tensor> leaves = new TreeMap<>();
      weights.leaves().forEach((parameter, leaf) -> leaves.put(trained.place(parameter), leaf));
      cut(trained.layerElements(), all, leaves, least);
      List<Long> starts = new ArrayList<>(trained.layerStarts());
      starts.add(trained.layerElements());
      long from = 0;
      for (long to : starts) {
        if (to - from >= least || to == trained.layerElements()) {
          cut(from, to, leaves, least); // small layers go together
          from = to;
        }
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
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
        parts.add(new Part(last ? from : start, end, together));
        together.clear();
        end = start;
      }
    }
  }

  /**
   * A part of the buffer, which hears of its leaves' gradients; libtorch calls on the thread that
   * runs the backward pass.
   */
  private final class Part extends VoidTensorHook {
    private final long from;
    private final long to;
    private final Map<Tensor, Integer> registrations = new HashMap<>();
    private int complete;

    Part(long from, long to, List<Tensor> leaves) {
      this.from = from;
      this.to = to;
      retainReference();
      for (Tensor leaf : leaves) {
        registrations.put(leaf, leaf.register_hook(this));
      }
    }

    @Override
    public void call(TensorBase gradient) {
      sendComplete();
      complete++;
    }

    boolean isComplete() {
      return complete > 0 && complete == registrations.size();
    }

    void end() {
      registrations.forEach(Tensor::remove_hook);
      releaseReference();
    }
  }

  private void sendComplete() {
    while (sent < parts.size() && parts.get(sent).isComplete()) {
      send();
    }
  }

  private void send() {
    Part part = parts.get(sent++);
    try (Scope scope = Scope.inference()) {
      underWay.add(team.sum(weights.gradients(part.from, part.to - part.from)));
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
    underWay.forEach(Team.Pending::await);
    underWay.clear();
    parts.forEach(part -> part.complete = 0);
    sent = 0;
    return weights.gradients();
  }

  /** How many sums a step takes. */
  int parts() {
    return parts.size();
  }

  @Override
  public void close() {
    parts.forEach(Part::end);
    parts.clear();
  }
}
