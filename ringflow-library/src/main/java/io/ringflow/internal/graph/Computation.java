package io.ringflow.internal.graph;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Something to compute on a device, which may be captured and repeated: what it does follows from
 * the shapes of its inputs alone, and it looks at no tensor's contents.
 */
@FunctionalInterface
public interface Computation {
  /**
   * Queues the work.
   *
   * @param inputs on the device, of the same shapes at every call
   * @return the results, in the caller's scope
   */
  List<Tensor> run(List<Tensor> inputs, Stops stops);

  /** Where a computation lets the host look on. */
  @FunctionalInterface
  interface Stops {
    /**
     * Ends a stretch of work. What follows may read inputs that the host fills in between.
     *
     * @param shown to the host; null where there is nothing to see, and the host need not wait
     */
    void at(Tensor shown);
  }

  /** The host's part at the stops of a computation. */
  @FunctionalInterface
  interface Host {
    /** Does nothing. */
    Host IDLE = (stop, shown, inputs) -> {};

    /**
     * Called at a stop that shows something, before the work behind it is queued.
     *
     * @param stop how many stops came before
     * @param shown borrowed
     * @param inputs of the computation, to be filled in place
     */
    void look(int stop, Tensor shown, List<Tensor> inputs);
  }
}
