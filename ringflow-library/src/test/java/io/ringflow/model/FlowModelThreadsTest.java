package io.ringflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.testing.Toys;
import io.ringflow.train.WarmStart;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One model, many threads. */
final class FlowModelThreadsTest {
  private static final int THREADS = 16;
  private static final int CALLS = 12;

  private final Architecture architecture = Toys.architectures().get("made");
  private final int[][] rows = Toys.rows(architecture.space(), 50, 1);
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** One answer for each kind of call. */
  private List<Object> answers(FlowModel model, int call) {
    return switch (call % 4) {
      case 0 -> List.of(model.logProb(rows));
      case 1 -> List.of((Object[]) model.sample(20, call));
      case 2 -> List.of((Object[]) model.encode(rows));
      default -> List.of((Object[]) model.decode(rows));
    };
  }

  private <T> List<Future<T>> onAllThreads(Callable<T> work) {
    CountDownLatch together = new CountDownLatch(THREADS);
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      futures.add(
          threads.submit(
              () -> {
                together.countDown();
                together.await();
                return work.call();
              }));
    }
    return futures;
  }

  @Test
  void answersAreThoseOfOneThread() throws Exception {
    try (FlowModel model = FlowModel.create(architecture, 1);
        FlowModel alone = FlowModel.create(architecture, 1)) {
      List<List<Object>> wanted = new ArrayList<>();
      for (int call = 0; call < CALLS; call++) {
        wanted.add(answers(alone, call));
      }
      List<Future<List<List<Object>>>> found =
          onAllThreads(
              () -> {
                List<List<Object>> mine = new ArrayList<>();
                for (int call = 0; call < CALLS; call++) {
                  mine.add(answers(model, call));
                }
                return mine;
              });
      for (Future<List<List<Object>>> future : found) {
        assertThat(future.get()).usingRecursiveComparison().isEqualTo(wanted);
      }
    }
  }

  @Test
  void closingWhileCallsRunIsSafe() throws Exception {
    for (int round = 0; round < 5; round++) {
      FlowModel model = FlowModel.create(architecture, 1);
      List<Future<Integer>> found =
          onAllThreads(
              () -> {
                int answered = 0;
                while (true) {
                  answers(model, answered);
                  answered++;
                }
              });
      Thread.sleep(10);
      model.close();
      for (Future<Integer> future : found) {
        assertThatThrownBy(future::get)
            .isInstanceOf(ExecutionException.class)
            .cause()
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("this model is closed");
      }
      model.close();
    }
  }

  @Test
  void refittingWhileOthersScoreIsSafe() throws Exception {
    Architecture tables = Toys.tables();
    int[][] data = Toys.rows(tables.space(), 50, 1);
    try (FlowModel model = FlowModel.create(tables, 1)) {
      double[] uniform = model.logProb(data);
      List<Future<double[]>> found =
          onAllThreads(
              () -> {
                for (int i = 0; i < 20; i++) {
                  WarmStart.fitBase(model, data);
                  model.logProb(data);
                }
                return model.logProb(data);
              });
      double[] wanted = found.get(0).get(); // refitting again changes nothing
      for (Future<double[]> future : found) {
        assertThat(future.get()).isEqualTo(wanted).isNotEqualTo(uniform);
      }
    }
  }
}
