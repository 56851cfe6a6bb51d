package io.ringflow.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The heartbeat tells a process that leaves from one that is gone, and reports the latter. Only
 * groups of GPUs have a heartbeat; here, groups on CPUs are given one.
 */
@Timeout(120)
@Tag("slow")
final class HeartbeatTest {
  private static final int SIZE = 3;
  private static final String NOTHING = "nothing";

  /** Counted down when rank 1 has closed its group. */
  private final CountDownLatch closed = new CountDownLatch(1);

  /** What a rank does in its group; returns what it heard of a loss. */
  @FunctionalInterface
  private interface Work {
    String on(ProcessGroup group, CompletableFuture<ProcessGroupException> loss) throws Exception;
  }

  private List<String> run(Work work) throws Exception {
    int port = Ranks.freePort();
    List<Callable<String>> ranks = new ArrayList<>();
    for (int r = 0; r < SIZE; r++) {
      Rendezvous rendezvous =
          Rendezvous.at("127.0.0.1", port, r, SIZE).withTimeout(Duration.ofSeconds(60));
      ranks.add(() -> heard(rendezvous, work));
    }
    ExecutorService threads = Executors.newFixedThreadPool(SIZE);
    try {
      List<String> heard = new ArrayList<>();
      for (Future<String> rank : threads.invokeAll(ranks)) {
        heard.add(rank.get());
      }
      return heard;
    } finally {
      threads.shutdown();
    }
  }

  private String heard(Rendezvous rendezvous, Work work) throws Exception {
    CompletableFuture<ProcessGroupException> loss = new CompletableFuture<>();
    String heard;
    try (ProcessGroup group =
        C10dProcessGroup.join(
            rendezvous, Device.CPU, true, e -> assertThat(loss.complete(e)).isTrue())) {
      heard = work.on(group, loss);
    }
    if (rendezvous.rank() == 1) {
      closed.countDown();
    }
    return heard.equals(NOTHING) && loss.isDone() ? loss.get().getMessage() : heard;
  }

  /** Rank 1 leaves while the others are at work; no process sees that as a loss. */
  @Test
  void aProcessThatLeavesIsNotReported() throws Exception {
    List<String> heard =
        run(
            (group, loss) -> {
              group.barrier();
              if (group.rank() != 1) {
                closed.await();
              }
              return NOTHING;
            });
    assertThat(heard).containsOnly(NOTHING);
  }

  /** The report names this process; every later call throws the same, and the process lives on. */
  @Test
  void aProcessThatFailsIsReportedByAllOthersAndTheirNextCallThrows() throws Exception {
    List<String> heard =
        run(
            (group, loss) -> {
              group.barrier();
              if (group.rank() == 1) {
                group.abort();
                return "failed";
              }
              String report = loss.get().getMessage();
              for (int call = 0; call < 2; call++) {
                assertThatThrownBy(group::barrier)
                    .isInstanceOf(ProcessGroupException.class)
                    .hasMessage(report);
              }
              return report;
            });
    assertThat(heard.get(0))
        .matches("rank 0 of 3: another process is gone \\(.*closed by peer.*\\)");
    assertThat(heard.get(1)).isEqualTo("failed");
    assertThat(heard.get(2))
        .matches("rank 2 of 3: another process is gone \\(.*closed by peer.*\\)");
  }
}
