package io.ringflow.internal.torch;

import io.ringflow.internal.natives.NativeLibraries;
import org.bytedeco.pytorch.global.torch;

/**
 * Keeps a thread's operations on one core, where its neighbours keep the others busy.
 *
 * <p>Unlike {@link ComputeThreads} it changes the calling thread alone, and leaves no trace in
 * others, so that a library may use it beside whatever else a program computes.
 */
public final class OwnCore {
  private OwnCore() {}

  /** Takes effect for the rest of the thread's life. */
  public static synchronized void take() {
    NativeLibraries.load();
    int others = torch.get_num_threads(); // a thread's first call takes over the common number
    torch.set_num_threads(1);
    if (others > 1) {
      restore(others);
    }
  }

  /** A thread that has yet to compute begins with the number that anybody set last. */
  private static void restore(int threads) {
    var other = new Thread(() -> torch.set_num_threads(threads), "ringflow-threads");
    other.start();
    boolean interrupted = false;
    while (other.isAlive()) {
      try {
        other.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
