package io.ringflow.internal.engine;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.core.TorchException;
import io.ringflow.spi.Scope;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The weights of a model that several threads use, in any precision, until somebody closes them.
 *
 * <p>Many may read at a time; whoever changes or closes waits for them. All work runs inside a
 * scope of its own.
 */
public final class SharedWeights implements AutoCloseable {
  /** Work with weights, which are borrowed. */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    void run(Weights weights) throws E;
  }

  /** Set by tests, on CPUs that are known to compute in bfloat16. */
  private static final String BFLOAT16_ON_CPU = "ringflow.bfloat16OnCpu";

  private final Weights weights;
  private final ReadWriteLock lifetime = new ReentrantReadWriteLock();
  private final Map<Precision, Copy> copies = new EnumMap<>(Precision.class);
  private boolean closed;

  public SharedWeights(Weights weights) {
    this.weights = weights;
  }

  /** The weights as they are trained: for trainers, who have the model to themselves. */
  public Weights trained() {
    return weights;
  }

  /**
   * Checks that a device computes in a precision: some CPUs claim bfloat16 products and then crash.
   *
   * @throws IllegalArgumentException if it does not
   */
  public static void requireComputable(Precision precision, Device device) {
    if (precision == Precision.BFLOAT16
        && device == Device.CPU
        && !Boolean.getBoolean(BFLOAT16_ON_CPU)) {
      throw new IllegalArgumentException(
          "precision bfloat16 needs a GPU; a CPU computes in float32 or float64");
    }
  }

  /**
   * Works with the weights as they are.
   *
   * @throws IllegalArgumentException if the device can't compute in that precision
   */
  public <E extends Exception> void read(Precision precision, Work<E> work) throws E {
    requireComputable(precision, weights.device());
    within(lifetime.readLock(), () -> work.run(in(precision)));
  }

  /** Changes the weights while nobody reads them. */
  public void change(Work<RuntimeException> work) {
    within(lifetime.writeLock(), () -> work.run(weights));
  }

  @FunctionalInterface
  private interface Guarded<E extends Exception> {
    void run() throws E;
  }

  private <E extends Exception> void within(Lock lock, Guarded<E> work) throws E {
    lock.lock();
    try (Scope scope = Scope.inference()) {
      if (closed) {
        throw new IllegalStateException("this model is closed");
      }
      work.run();
    } catch (RuntimeException e) {
      throw TorchException.translate(e);
    } finally {
      lock.unlock();
    }
  }

  /** A copy of the weights in another precision, and the count of writes it was made at. */
  private static final class Copy {
    private final Weights weights;
    private long version;

    Copy(Weights weights, long version) {
      this.weights = weights;
      this.version = version;
    }
  }

  /**
   * The weights in a precision, copied anew after training changed them: libtorch counts every
   * write. A copy stays in its place, where captured work finds it.
   */
  private synchronized Weights in(Precision precision) {
    if (precision == weights.precision()) {
      return weights;
    }
    long version = weights.values()._version();
    Copy copy =
        copies.computeIfAbsent(
            precision,
            other -> new Copy(weights.copyIn(other), version)); // may be large: on demand
    if (copy.version != version) {
      copy.weights.copyFrom(weights);
      copy.version = version;
    }
    return copy.weights;
  }

  @Override
  public void close() {
    close(() -> {});
  }

  /**
   * Closes them.
   *
   * @param first what still has them at hand, and is closed before
   */
  public void close(Runnable first) {
    lifetime.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        first.run();
        copies.values().forEach(copy -> copy.weights.close());
        weights.close();
      }
    } finally {
      lifetime.writeLock().unlock();
    }
  }
}
