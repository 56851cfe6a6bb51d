package io.ringflow.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.core.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A group that can't be joined is given up in time. */
@Timeout(60)
@Tag("slow")
final class GroupConnectorTest {
  /** Never closed: native code is still using them. */
  private static final List<ServerSocket> SILENT = new ArrayList<>();

  private static Rendezvous rendezvous(int port, int seconds) {
    return Rendezvous.at("127.0.0.1", port, 1, 2).withTimeout(Duration.ofSeconds(seconds));
  }

  /**
   * Another program on the store's port, or a rank 0 that hangs: c10d alone would wait for ever.
   */
  @Test
  void aStoreThatDoesNotAnswerIsGivenUp() throws IOException {
    var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    SILENT.add(silent);
    int port = silent.getLocalPort();
    assertThatThrownBy(() -> ProcessGroup.join(rendezvous(port, 1), Device.CPU))
        .isInstanceOf(ProcessGroupException.class)
        .hasMessage(
            "rank 1 of 2: can't reach the store of rank 0 at 127.0.0.1:" + port + " within 1 s");
  }

  @Test
  void aMissingStoreIsGivenUp() {
    int port = Ranks.freePort();
    assertThatThrownBy(() -> ProcessGroup.join(rendezvous(port, 1), Device.CPU))
        .isInstanceOf(ProcessGroupException.class)
        .hasMessage(
            "rank 1 of 2: can't reach the store of rank 0 at 127.0.0.1:"
                + port
                + " within 1 s (Connection refused)");
  }

  @Test
  void aPortInUseIsNamed() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertCannotListen("127.0.0.1", taken.getLocalPort(), "Address already in use");
    }
  }

  @Test
  void anAddressOfAnotherMachineIsNamed() {
    String example = "192.0.2.1"; // reserved for documentation: no machine has it
    assertCannotListen(example, Ranks.freePort(), "Cannot assign requested address");
  }

  private static void assertCannotListen(String host, int port, String reason) {
    assertThatThrownBy(() -> ProcessGroup.join(Rendezvous.at(host, port, 0, 2), Device.CPU))
        .isInstanceOf(ProcessGroupException.class)
        .hasMessage(
            "rank 0 of 2: the store can't listen on %s:%d (%s); RINGFLOW_LISTEN names an address"
                + " of this machine, MASTER_PORT a free port",
            host, port, reason);
  }

  @Test
  void anInterruptEndsTheWait() {
    int port = Ranks.freePort();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> ProcessGroup.join(rendezvous(port, 2), Device.CPU))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** NCCL is loaded only where there is a GPU. */
  @Test
  void aGroupOfGpusNeedsGpus() {
    Assumptions.assumeFalse(torch.hasCUDA(), "this build has CUDA");
    assertThatThrownBy(() -> ProcessGroup.join(rendezvous(Ranks.freePort(), 1), Device.CUDA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("device cuda: this build has no CUDA");
  }
}
