package io.ringflow.cli.distributed;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A link with latency between two programs of this machine: every datagram is passed on to the
 * other side a fixed time after it arrived, in the order of arrival.
 *
 * <p>Each side has its own port and is taken by the first program that sends a datagram to it; that
 * first datagram is dropped. Later datagrams may be lost, as on any network, if the other side is
 * not taken yet or a buffer is full.
 */
final class DelayedRelay implements Closeable {
  /** Room for the whole window of a sender; the system may grant less. */
  static final int BUFFER = 4 << 20;

  private static final int MAX_DATAGRAM = 65_535;

  private final long delay;
  private final List<DatagramChannel> sides;
  private final CountDownLatch untaken = new CountDownLatch(2);

  /** One thread, and first in first out among datagrams due at once, which keeps the order. */
  private final ScheduledThreadPoolExecutor departures =
      new ScheduledThreadPoolExecutor(
          1, work -> daemon("departures", work), new ThreadPoolExecutor.DiscardPolicy());

  private DelayedRelay(Duration delay, List<DatagramChannel> sides) {
    this.delay = delay.toNanos();
    this.sides = sides;
  }

  static DelayedRelay open(Duration delay) throws IOException {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay is " + delay + ", below 0");
    }
    var relay = new DelayedRelay(delay, List.of(DatagramChannel.open(), DatagramChannel.open()));
    try {
      for (DatagramChannel side : relay.sides) {
        side.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        side.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      }
    } catch (IOException | RuntimeException e) {
      relay.close();
      throw e;
    }
    for (int side = 0; side < 2; side++) {
      DatagramChannel from = relay.sides.get(side);
      DatagramChannel to = relay.sides.get(1 - side);
      daemon("arrivals " + side, () -> relay.carry(from, to)).start();
    }
    return relay;
  }

  private static Thread daemon(String name, Runnable work) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** The address to which the program on a side (0 or 1) sends. */
  InetSocketAddress address(int side) throws IOException {
    return (InetSocketAddress) sides.get(side).getLocalAddress();
  }

  /** Waits until both sides are taken. */
  void awaitBoth(Duration patience) throws IOException, InterruptedException {
    if (!untaken.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IOException(untaken.getCount() + " of 2 sides sent nothing for " + patience);
    }
  }

  private void carry(DatagramChannel from, DatagramChannel to) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_DATAGRAM);
    try {
      from.connect(from.receive(buffer));
      untaken.countDown();
      while (true) {
        buffer.clear();
        try {
          from.read(buffer);
        } catch (PortUnreachableException lost) {
          continue; // The system's answer to a datagram that was sent earlier.
        }
        ByteBuffer datagram = ByteBuffer.allocate(buffer.flip().remaining()).put(buffer).flip();
        var unused = departures.schedule(() -> send(datagram, to), delay, TimeUnit.NANOSECONDS);
      }
    } catch (ClosedChannelException closed) {
      // The relay was closed.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(ByteBuffer datagram, DatagramChannel to) {
    if (!to.isConnected()) {
      return;
    }
    try {
      to.write(datagram);
    } catch (IOException lost) {
      // A program that needs the datagram sends it again.
    }
  }

  @Override
  public void close() throws IOException {
    departures.shutdownNow();
    try {
      sides.get(0).close();
    } finally {
      sides.get(1).close();
    }
  }
}
