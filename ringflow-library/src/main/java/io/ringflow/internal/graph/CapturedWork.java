package io.ringflow.internal.graph;

import io.ringflow.internal.checks.HostAccess;
import io.ringflow.internal.torch.TensorOwner;
import io.ringflow.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * A computation as graphs, one for each stretch between its stops, with the tensors it reads and
 * writes.
 *
 * <p>Use from one thread at a time.
 */
final class CapturedWork implements AutoCloseable {
  /** A graph, and what it shows the host at its end. */
  private record Stretch(GraphBackend.Graph graph, Tensor shown) {}

  private final TensorOwner owner = new TensorOwner();
  private final List<Stretch> stretches = new ArrayList<>();
  private final List<Tensor> inputs;
  private final List<Tensor> outputs;
  private final GraphBackend.Session session;
  private boolean closed;

  /**
   * Captures a computation, and runs nothing.
   *
   * @param examples of inputs, on the device
   */
  CapturedWork(GraphBackend backend, List<Tensor> examples, Computation work) {
    try (Scope scope = Scope.inference()) {
      inputs = examples.stream().map(example -> owner.keep(example.detach().clone())).toList();
      session = backend.open();
      try {
        outputs = capture(work);
        session.finish();
      } catch (RuntimeException | Error e) {
        session.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      owner.close();
      throw e;
    }
  }

  private List<Tensor> capture(Computation work) {
    try (Scope scope = Scope.inference();
        HostAccess forbidden = HostAccess.forbidden()) {
      session.begin();
      List<Tensor> results = work.run(inputs, this::endStretch);
      endStretch(null, false);
      return results.stream().map(owner::keep).toList();
    }
  }

  private void endStretch(Tensor shown) {
    endStretch(shown, true);
  }

  private void endStretch(Tensor shown, boolean more) {
    stretches.add(new Stretch(session.end(), shown == null ? null : owner.keep(shown)));
    if (more) {
      session.begin();
    }
  }

  /**
   * Runs it on other inputs.
   *
   * @return the results, which stay until the next run; borrowed
   */
  List<Tensor> run(List<Tensor> others, Computation.Host host) {
    if (closed) {
      throw new IllegalStateException("this captured work is closed");
    }
    for (int i = 0; i < inputs.size(); i++) {
      inputs.get(i).copy_(others.get(i), true);
    }
    int stop = 0;
    for (Stretch stretch : stretches) {
      stretch.graph.launch();
      if (stretch.shown != null) {
        host.look(stop, stretch.shown, inputs);
      }
      stop++;
    }
    return outputs;
  }

  /** Frees graphs and tensors. Closing twice does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      owner.close(); // into the session's memory, which then goes as a whole
      session.close();
    }
  }
}
