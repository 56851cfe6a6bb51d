package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The relay between two sockets of this process. */
@Timeout(60)
final class DelayedRelayTest {
  private static final Duration DELAY = Duration.ofMillis(40);

  @Test
  void datagramsComeInOrderAndNotBeforeTheirTime() throws Exception {
    try (DelayedRelay relay = DelayedRelay.open(DELAY);
        DatagramChannel left = end(relay, 0);
        DatagramChannel right = end(relay, 1)) {
      relay.awaitBoth(Duration.ofSeconds(50));
      long[] sent = new long[100];
      for (int i = 0; i < sent.length; i++) {
        DatagramChannel from = i < 50 ? left : right;
        sent[i] = System.nanoTime();
        from.write(ByteBuffer.allocate(1400).putInt(0, i));
      }
      for (int i = 0; i < sent.length; i++) {
        DatagramChannel to = i < 50 ? right : left;
        ByteBuffer datagram = ByteBuffer.allocate(2000);
        assertThat(to.read(datagram)).isEqualTo(1400);
        assertThat(System.nanoTime() - sent[i]).isGreaterThanOrEqualTo(DELAY.toNanos());
        assertThat(datagram.getInt(0)).isEqualTo(i);
      }
    }
  }

  /** A socket that has taken a side of the relay. */
  private static DatagramChannel end(DelayedRelay relay, int side) throws IOException {
    DatagramChannel end =
        DatagramChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .connect(relay.address(side));
    end.write(ByteBuffer.allocate(1));
    return end;
  }

  @Test
  void untakenSidesAreCounted() throws Exception {
    try (DelayedRelay relay = DelayedRelay.open(DELAY);
        DatagramChannel left = end(relay, 0)) {
      assertThat(left.isConnected()).isTrue();
      assertThatThrownBy(() -> relay.awaitBoth(Duration.ofMillis(300)))
          .isInstanceOf(IOException.class)
          .hasMessage("1 of 2 sides sent nothing for PT0.3S");
    }
  }

  @Test
  void aNegativeDelayIsRejected() {
    assertThatThrownBy(() -> DelayedRelay.open(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("delay is PT-0.001S, below 0");
  }
}
