package io.ringflow.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.core.Precision;
import io.ringflow.spi.Scope;
import io.ringflow.spi.Tensors;
import io.ringflow.testing.LeakCheck;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several threads run, capture and close at once. */
@ExtendWith(LeakCheck.class)
final class ReplaysThreadsTest {
  private final FakeBackend backend = new FakeBackend();
  private final Replays replays = new Replays(Device.CPU, Optional.of(backend), remark -> {});

  @AfterEach
  void close() {
    replays.close();
  }

  private double[] run(Object key, Computation work, double first) {
    return ReplaysTest.run(replays, key, work, Computation.Host.IDLE, first);
  }

  private void givesTwice(Object key, double first) {
    assertThat(run(key, backend::twice, first)).containsExactly(2 * first, 2 * first + 2);
  }

  /** One thread launches, another waits for the same work, and a third closes. */
  @Test
  void closingWaitsForWhatRunsAndFreesOnce() throws Exception {
    givesTwice("a", 1);
    givesTwice("a", 2);
    CountDownLatch launched = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<double[]> first = new CompletableFuture<>();
    Thread launching =
        new Thread(
            () -> {
              try (Scope scope = Scope.inference()) {
                double[] values = {3, 4};
                Tensor input = Tensors.reals(values, Precision.FLOAT64, Device.CPU, 2);
                first.complete(
                    replays.run(
                        "a",
                        List.of(input),
                        backend::twice,
                        Computation.Host.IDLE,
                        results -> {
                          launched.countDown();
                          await(goOn);
                          return Tensors.toDoubles(results.get(0));
                        }));
              } catch (RuntimeException e) {
                first.completeExceptionally(e);
              }
            });
    launching.start();
    await(launched);
    CompletableFuture<double[]> second = new CompletableFuture<>();
    Thread waiting = new Thread(() -> second.complete(run("a", backend::twice, 5)));
    waiting.start();
    await(waiting, Thread.State.BLOCKED);
    Thread closing = new Thread(replays::close);
    closing.start();
    await(closing, Thread.State.BLOCKED);
    assertThat(backend.sessions.get(0).closed).as("while it runs").isZero();
    goOn.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS)).containsExactly(6, 8);
    assertThat(second.get(10, TimeUnit.SECONDS)).containsExactly(10, 12);
    for (Thread thread : List.of(launching, waiting, closing)) {
      thread.join(10_000);
    }
    assertThat(backend.sessions).hasSize(1);
    assertThat(backend.sessions.get(0).closed).isEqualTo(1);
  }

  @Test
  void aCaptureWaitsUntilNobodyComputes() throws Exception {
    givesTwice("a", 1);
    CountDownLatch computing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Computation slow =
        (inputs, stops) -> {
          computing.countDown();
          await(goOn);
          return backend.twice(inputs, stops);
        };
    CompletableFuture<double[]> plain = new CompletableFuture<>();
    CompletableFuture<double[]> captured = new CompletableFuture<>();
    try (Replays others = new Replays(Device.CPU, Optional.of(new FakeBackend()), remark -> {})) {
      Thread other =
          new Thread(
              () -> plain.complete(ReplaysTest.run(others, "b", slow, Computation.Host.IDLE, 3)),
              "other");
      other.start();
      await(computing);
      Thread capturing =
          new Thread(() -> captured.complete(run("a", backend::twice, 5)), "capturing");
      capturing.start();
      await(capturing, Thread.State.WAITING);
      assertThat(backend.sessions).as("nothing is captured yet").isEmpty();
      goOn.countDown();
      assertThat(plain.get(10, TimeUnit.SECONDS)).containsExactly(6, 8);
      assertThat(captured.get(10, TimeUnit.SECONDS)).containsExactly(10, 12);
      other.join();
      capturing.join();
    }
    assertThat(backend.sessions).hasSize(1);
  }

  @Test
  void insideAnotherComputationNothingIsCaptured() {
    givesTwice("a", 1);
    Computation outer = (inputs, stops) -> backend.twice(inputs, stops);
    try (Scope scope = Scope.inference()) {
      Tensor input = Tensors.reals(new double[] {1, 2}, Precision.FLOAT64, Device.CPU, 2);
      double[] inner =
          replays.run(
              "b",
              List.of(input),
              outer,
              Computation.Host.IDLE,
              results -> run("a", backend::twice, 5));
      assertThat(inner).containsExactly(10, 12);
    }
    assertThat(backend.sessions).isEmpty();
    givesTwice("a", 2);
    assertThat(backend.sessions).hasSize(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(Thread thread, Thread.State state) throws InterruptedException {
    for (int i = 0; i < 10_000 && thread.getState() != state; i++) {
      Thread.sleep(1);
    }
    assertThat(thread.getState()).isEqualTo(state);
  }
}
