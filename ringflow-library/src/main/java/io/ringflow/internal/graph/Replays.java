package io.ringflow.internal.graph;

import io.ringflow.core.Device;
import io.ringflow.core.TorchException;
import io.ringflow.internal.natives.LocalGpu;
import io.ringflow.spi.Tensors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Computations that come again and again in the same shape. On a GPU, where a small operator takes
 * longer to call than to run, the second time captures a computation and from then on one call
 * queues all of it. The first time runs plainly: most computations of a short program happen once,
 * and it shows that the work can be done at all.
 *
 * <p>What can't be captured, because there is no memory left or it moves values to the host, runs
 * plainly for good.
 *
 * <p>Safe from several threads at once; the same computation runs for one of them at a time, and
 * while one of them captures, no other computes: captures have failed beside another thread's LSTM,
 * and threads share what libtorch and cuDNN keep for a device, such as the thread of backward
 * passes and its handles. Which of these it was has not been found out.
 */
public final class Replays implements AutoCloseable {
  /** Captured computations keep their memory: so many of them, the last used. */
  private static final int MAX_CAPTURED = 8;

  private static final int MAX_REMEMBERED = 64;

  /** Its write lock is held while something is captured, its read lock while something runs. */
  private static final ReentrantReadWriteLock CAPTURES = new ReentrantReadWriteLock();

  private final Device device;
  private final Optional<GraphBackend> backend;
  private final Consumer<String> remarks;
  private final Map<Object, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean closed;

  /** Replays on a device. */
  public Replays(Device device) {
    this(device, Graphs.backend(device, index(device)), Graphs.REMARKS);
  }

  /**
   * Replays by a backend.
   *
   * @param remarks hears why something is not captured
   */
  Replays(Device device, Optional<GraphBackend> backend, Consumer<String> remarks) {
    this.device = device;
    this.backend = backend;
    this.remarks = remarks;
  }

  private static int index(Device device) {
    return device == Device.CUDA ? LocalGpu.index(System.getenv(), torch.cuda_device_count()) : 0;
  }

  /** What is known of a computation; locked while it runs captured. */
  private static final class Entry {
    private int runs;
    private boolean plainOnly;
    private volatile CapturedWork captured;

    private synchronized void free() {
      if (captured != null) {
        captured.close();
        captured = null;
      }
      plainOnly = true;
    }

    private boolean isCaptured() {
      return captured != null;
    }
  }

  /** Whether computations may be captured at all: whoever pads shapes need do so only then. */
  public boolean captures() {
    return backend.isPresent();
  }

  /**
   * Runs a computation; must run inside a scope.
   *
   * @param key of the computation: equal keys mean the same work on inputs of the same shapes
   * @param inputs on the host, contiguous
   * @param reader of the results, which it must not keep
   * @return what the reader makes of them
   */
  public <R> R run(
      Object key,
      List<Tensor> inputs,
      Computation work,
      Computation.Host host,
      Function<List<Tensor>, R> reader) {
    Entry entry = backend.isPresent() ? entry(key) : null;
    if (entry != null) {
      synchronized (entry) {
        boolean inside = CAPTURES.getReadHoldCount() > 0; // of another computation: not now
        if (entry.captured == null && entry.runs++ > 0 && !entry.plainOnly && !inside) {
          locked(CAPTURES.writeLock(), () -> capture(entry, inputs, work));
        }
        if (entry.captured != null) {
          return locked(
              CAPTURES.readLock(), () -> reader.apply(entry.captured.run(pinned(inputs), host)));
        }
      }
    }
    return runPlainly(inputs, work, host, reader);
  }

  private static <R> R locked(Lock lock, Supplier<R> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Runs a computation that is not worth capturing; must run inside a scope. */
  public <R> R runPlainly(
      List<Tensor> inputs,
      Computation work,
      Computation.Host host,
      Function<List<Tensor>, R> reader) {
    return backend.isEmpty()
        ? plainly(inputs, work, host, reader)
        : locked(CAPTURES.readLock(), () -> plainly(inputs, work, host, reader));
  }

  private <R> R plainly(
      List<Tensor> inputs,
      Computation work,
      Computation.Host host,
      Function<List<Tensor>, R> reader) {
    List<Tensor> here = inputs.stream().map(input -> Tensors.onto(input, device)).toList();
    int[] stop = {0};
    return reader.apply(
        work.run(
            here,
            shown -> {
              int number = stop[0]++;
              if (shown != null) {
                host.look(number, shown, here);
              }
            }));
  }

  private boolean capture(Entry entry, List<Tensor> inputs, Computation work) {
    try {
      entry.captured = captured(inputs, work);
      return true;
    } catch (RuntimeException e) {
      entry.plainOnly = true;
      String said = String.valueOf(TorchException.translate(e).getMessage());
      remarks.accept(said.lines().findFirst().orElse(said));
      return false;
    }
  }

  private CapturedWork captured(List<Tensor> inputs, Computation work) {
    GraphBackend graphs = backend.orElseThrow();
    List<Tensor> examples = inputs.stream().map(input -> Tensors.onto(input, device)).toList();
    try {
      return new CapturedWork(graphs, examples, work);
    } catch (RuntimeException e) {
      if (TorchException.translate(e) instanceof TorchException torch
          && torch.kind() == TorchException.Kind.OUT_OF_MEMORY) {
        graphs.trim(); // plain calls leave memory behind that they would use again
        return new CapturedWork(graphs, examples, work);
      }
      throw e;
    }
  }

  private List<Tensor> pinned(List<Tensor> inputs) {
    return device == Device.CUDA ? inputs.stream().map(Tensor::pin_memory).toList() : inputs;
  }

  private Entry entry(Object key) {
    List<Entry> surplus = new ArrayList<>();
    Entry found;
    synchronized (entries) {
      if (closed) {
        throw new IllegalStateException("this model is closed");
      }
      found = entries.computeIfAbsent(key, unseen -> new Entry());
      List<Map.Entry<Object, Entry>> all = new ArrayList<>(entries.entrySet()); // last used last
      int captured = 0;
      for (int i = all.size() - 1; i >= 0; i--) {
        boolean kept = all.size() - i <= MAX_REMEMBERED;
        if (all.get(i).getValue().isCaptured()) {
          kept &= captured++ < MAX_CAPTURED;
        }
        if (!kept) {
          entries.remove(all.get(i).getKey());
          surplus.add(all.get(i).getValue());
        }
      }
    }
    surplus.forEach(Entry::free);
    return found;
  }

  /** Frees all that is captured, after what runs has ended: others need the memory. */
  public void freeCaptured() {
    List<Entry> all;
    synchronized (entries) {
      all = List.copyOf(entries.values());
      entries.clear();
    }
    all.forEach(Entry::free);
    backend.ifPresent(GraphBackend::trim);
  }

  /** Frees all that is captured, after what runs has ended. Closing twice does nothing. */
  @Override
  public void close() {
    List<Entry> all;
    synchronized (entries) {
      closed = true;
      all = List.copyOf(entries.values());
      entries.clear();
    }
    all.forEach(Entry::free);
  }
}
