package io.ringflow.internal.graph;

import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * Graphs on a CPU, whose operators can't be captured: work says itself, by {@link #operator}, what
 * a launch is to do again.
 */
final class FakeBackend implements GraphBackend {
  /** When a backend may fail. */
  enum Moment {
    OPEN,
    BEGIN,
    END,
    FINISH
  }

  final List<FakeSession> sessions = new ArrayList<>();
  final AtomicInteger runs = new AtomicInteger(); // of twice
  int trims;
  private Moment failing;
  private RuntimeException failure;
  private List<Runnable> captured; // null while nothing is

  /** From now on this moment brings a failure. */
  void failAt(Moment moment, RuntimeException thrown) {
    failing = moment;
    failure = thrown;
  }

  private void passes(Moment moment) {
    if (moment == failing) {
      throw failure;
    }
  }

  /** Does something, and again at every launch of the graph that is being captured, if one is. */
  void operator(Runnable work) {
    work.run();
    if (captured != null) {
      captured.add(work);
    }
  }

  /** Work to capture: twice the input. */
  List<Tensor> twice(List<Tensor> inputs, Computation.Stops stops) {
    runs.incrementAndGet();
    Tensor result = Tensors.zeros(inputs.get(0), 2);
    operator(() -> copy(inputs.get(0).mul(new Scalar(2.0)), result));
    return List.of(result);
  }

  static void copy(Tensor from, Tensor to) {
    to.copy_(from);
  }

  boolean captures() {
    return captured != null;
  }

  int launches() {
    return sessions.stream().mapToInt(session -> session.launches).sum();
  }

  @Override
  public void trim() {
    trims++;
  }

  @Override
  public Session open() {
    passes(Moment.OPEN);
    FakeSession session = new FakeSession();
    sessions.add(session);
    return session;
  }

  /** Counts what is asked of it. */
  final class FakeSession implements Session {
    int launches;
    int finished;
    int closed;

    @Override
    public void begin() {
      passes(Moment.BEGIN);
      captured = new ArrayList<>();
    }

    @Override
    public Graph end() {
      passes(Moment.END);
      List<Runnable> own = captured;
      captured = null;
      return () -> {
        if (closed > 0) {
          throw new IllegalStateException("launched after it was closed");
        }
        launches++;
        own.forEach(Runnable::run);
      };
    }

    @Override
    public void finish() {
      captured = null;
      finished++;
      passes(Moment.FINISH);
    }

    @Override
    public void close() {
      captured = null;
      closed++;
    }
  }

  /** What the binding throws when libtorch says this. */
  static RuntimeException fromLibtorch(String message) {
    RuntimeException thrown = new RuntimeException(message);
    thrown.setStackTrace(
        new StackTraceElement[] {new StackTraceElement(Pointer.class.getName(), "call", null, -2)});
    return thrown;
  }
}
