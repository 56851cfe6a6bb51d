package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.core.Device;
import io.ringflow.distributed.ProcessGroup;
import io.ringflow.distributed.ProcessGroupException;
import io.ringflow.distributed.Rendezvous;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the store's socket is found through /proc")
final class GroupLossTest {
  private final StringWriter err = new StringWriter();
  private final CompletableFuture<Integer> halted = new CompletableFuture<>();

  private static ProcessGroupException loss() throws IOException {
    int port = GroupLaunch.freePort();
    Rendezvous alone = Rendezvous.at("127.0.0.1", port, 0, 2).withTimeout(Duration.ofSeconds(1));
    try {
      ProcessGroup.join(alone, Device.CPU).close();
    } catch (ProcessGroupException e) {
      return e;
    }
    throw new AssertionError("joined");
  }

  @Test
  void oneLineIsPrintedAndTheProcessHalted() throws Exception {
    new GroupLoss(new PrintWriter(err, true), Duration.ZERO, halted::complete).accept(loss());
    assertThat(halted.get()).isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly(
            "ringflow: rank 0 of 2: not all processes joined within 1 s; missing: rank 1");
  }

  @Test
  void theCommandMayEndBefore() throws Exception {
    new GroupLoss(new PrintWriter(err, true), Duration.ofDays(1), halted::complete).accept(loss());
    assertThat(halted).isNotDone();
    assertThat(err.toString()).isEmpty();
  }
}
