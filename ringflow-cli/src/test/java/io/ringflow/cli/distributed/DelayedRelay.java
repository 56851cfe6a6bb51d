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
 * A long wire between two programs of this machine: every datagram goes on to the other side a
 * fixed time after it came, in the order of arrival.
 *
 * <p>Each side has a port of its own, and belongs to the first who sends something to it; that
 * first datagram goes no further. Later ones may be lost, as on any wire, where nobody is there or
 * a buffer is full.
 */
final class DelayedRelay implements Closeable {
  /** Room for what a sender's whole window may throw at once; the system may grant less. */
  static final int BUFFER = 4 << 20;

  private static final int MAX_DATAGRAM = 65_535;

  private final long delay;
  private final List<DatagramChannel> sides;
  private final CountDownLatch strangers = new CountDownLatch(2);

  /** One thread, first in first out among those due at once: this is what keeps the order. */
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

  /** Where the program on a side (0 or 1) sends to. */
  InetSocketAddress address(int side) throws IOException {
    return (InetSocketAddress) sides.get(side).getLocalAddress();
  }

  /** Waits until both sides have somebody. */
  void awaitBoth(Duration patience) throws IOException, InterruptedException {
    if (!strangers.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IOException(strangers.getCount() + " of 2 sides sent nothing for " + patience);
    }
  }

  private void carry(DatagramChannel from, DatagramChannel to) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_DATAGRAM);
    try {
      from.connect(from.receive(buffer));
      strangers.countDown();
      while (true) {
        buffer.clear();
        try {
          from.read(buffer);
        } catch (PortUnreachableException lost) {
          continue; // The system's answer to something sent to this side before.
        }
        ByteBuffer datagram = ByteBuffer.allocate(buffer.flip().remaining()).put(buffer).flip();
        var unused = departures.schedule(() -> send(datagram, to), delay, TimeUnit.NANOSECONDS);
      }
    } catch (ClosedChannelException closed) {
      // The end of every relay.
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
      // Who needs it sends it again.
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
