package io.ringflow.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bytedeco.pytorch.Backend;
import org.junit.jupiter.api.Test;

/** Hearts beat until somebody leaves, and notice when one stops. */
final class HeartbeatTest {
  private static final int SIZE = 3;

  /** What a rank does with its heart; returns what it heard of a loss. */
  @FunctionalInterface
  private interface Life {
    String live(int rank, Heartbeat heart, CompletableFuture<RuntimeException> lost)
        throws Exception;
  }

  private static List<String> ends(Life life) throws Exception {
    int port = Ranks.freePort();
    ExecutorService threads = Executors.newFixedThreadPool(SIZE);
    List<Callable<String>> ranks = new ArrayList<>();
    for (int r = 0; r < SIZE; r++) {
      int rank = r;
      Rendezvous place =
          Rendezvous.at("127.0.0.1", port, rank, SIZE).within(Duration.ofSeconds(20));
      ranks.add(
          () -> {
            var joining = new GroupConnector(place);
            try {
              Backend backend = joining.gloo(joining.meet());
              CompletableFuture<RuntimeException> lost = new CompletableFuture<>();
              return life.live(rank, new Heartbeat(backend, lost::complete), lost);
            } finally {
              joining.release();
            }
          });
    }
    try {
      List<String> ends = new ArrayList<>();
      for (Future<String> end : threads.invokeAll(ranks)) {
        ends.add(end.get());
      }
      return ends;
    } finally {
      threads.shutdown();
    }
  }

  /** Rank 1 leaves first; nobody takes that, or anybody's later end, for a loss. */
  @Test
  void whoLeavesIsNotMissed() throws Exception {
    List<String> ends =
        ends(
            (rank, heart, lost) -> {
              Thread.sleep(rank == 1 ? 700 : 2000);
              heart.end(true);
              return lost.isDone() ? lost.get().getMessage() : "nothing";
            });
    assertThat(ends).containsOnly("nothing");
  }

  @Test
  void whoGoesWithoutAWordIsMissed() throws Exception {
    List<String> ends =
        ends(
            (rank, heart, lost) -> {
              if (rank == 1) {
                Thread.sleep(700);
                heart.end(false);
                return "gone";
              }
              return lost.get(10, TimeUnit.SECONDS).getMessage();
            });
    assertThat(ends.get(1)).isEqualTo("gone");
    assertThat(List.of(ends.get(0), ends.get(2))).allMatch(said -> said.contains("closed by peer"));
  }
}
