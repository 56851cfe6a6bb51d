package io.ringflow.internal.engine;

import io.ringflow.core.Precision;
import io.ringflow.core.TorchException;
import io.ringflow.spi.Scope;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The weights of a model that several threads use, in either precision, until somebody closes them.
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

  private final Weights weights;
  private final ReadWriteLock lifetime = new ReentrantReadWriteLock();
  private Weights exact;
  private long exactVersion;
  private boolean closed;

  public SharedWeights(Weights weights) {
    this.weights = weights;
  }

  /** The weights as they are trained: for trainers, who have the model to themselves. */
  public Weights trained() {
    return weights;
  }

  /** Works with the weights as they are. */
  public <E extends Exception> void read(Precision precision, Work<E> work) throws E {
    if (precision == Precision.BFLOAT16) {
      throw new IllegalArgumentException("precision must be FLOAT32 or FLOAT64, but is BFLOAT16");
    }
    within(lifetime.readLock(), () -> work.run(precision == Precision.FLOAT64 ? exact() : weights));
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

  /**
   * The weights in float64, copied anew after training changed them: libtorch counts every write.
   */
  private synchronized Weights exact() {
    long version = weights.values()._version();
    if (exact == null || exactVersion != version) {
      if (exact != null) {
        exact.close();
      }
      exact = weights.copyIn(Precision.FLOAT64);
      exactVersion = version;
    }
    return exact;
  }

  @Override
  public void close() {
    lifetime.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        if (exact != null) {
          exact.close();
        }
        weights.close();
      }
    } finally {
      lifetime.writeLock().unlock();
    }
  }
}
