package io.ringflow.cli.distributed;

import io.ringflow.cli.testing.ExternalProgram;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/**
 * Two hosts on this machine that reach each other and nothing else, over a link of limited latency
 * or bandwidth.
 *
 * <p>A link of limited bandwidth is a pair of virtual links with the kernel's token bucket filter.
 * Many kernels lack a filter for latency (netem); such a link is made of two TUN devices, one on
 * each host, whose packets {@code socat} passes to a {@link DelayedRelay} as datagrams. The device
 * is created on the machine and then moved to its host, while socat stays on the machine and
 * reaches the relay there.
 */
public final class TwoHosts implements Closeable {
  /** What a link of limited bandwidth sends at once after a pause, in bytes. */
  static final int BURST = 32 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final AtomicInteger CABLES = new AtomicInteger();

  private final List<Host> hosts = new ArrayList<>();

  /** In the order of opening; they are closed from the last to the first. */
  private final Deque<Closeable> parts = new ArrayDeque<>();

  private TwoHosts() {}

  /** Skips the calling test, with the reason, where two hosts can't be made. */
  static void assumeAvailable() throws InterruptedException {
    List<String> needs =
        List.of(
            "socat -V",
            "unshare --net ip tuntap add dev wire mode tun",
            "unshare --net tc qdisc add dev lo root " + bandwidthFilter("1mbit"));
    for (String need : needs) {
      try {
        ExternalProgram.run(words(need));
      } catch (IOException e) {
        Assumptions.abort("two hosts need Linux, root, iproute2 and socat: " + e.getMessage());
      }
    }
  }

  /**
   * Two hosts whose packets take this long in either direction. On two cores the relay adds 0.2 to
   * 0.5 ms, and 20 MB went at 200 to 450 Mbit a second over 1 or 10 ms, at 100 over 50 ms: no link
   * to measure bandwidth on.
   */
  static TwoHosts withDelay(Duration oneWay) throws IOException, InterruptedException {
    return joined(two -> two.limitLatency(oneWay));
  }

  /**
   * Two hosts whose link has this bandwidth in either direction. On two cores a 100mbit link
   * carried 95, a 1gbit link 920, and a 10gbit link only 3,800 Mbit a second.
   *
   * @param rate as {@code tc} writes it, such as 100mbit
   */
  public static TwoHosts withBandwidth(String rate) throws IOException, InterruptedException {
    return joined(two -> two.limitBandwidth(rate));
  }

  private interface Wiring {
    void join(TwoHosts two) throws IOException, InterruptedException;
  }

  private static TwoHosts joined(Wiring wiring) throws IOException, InterruptedException {
    var two = new TwoHosts();
    try {
      for (int host = 0; host < 2; host++) {
        two.hosts.add(two.closedLater(Host.start()));
      }
      wiring.join(two);
      return two;
    } catch (IOException | InterruptedException | RuntimeException e) {
      try {
        two.close();
      } catch (IOException another) {
        e.addSuppressed(another);
      }
      throw e;
    }
  }

  private void limitBandwidth(String rate) throws IOException, InterruptedException {
    run(0, "ip link add wire type veth peer name wire netns " + hosts.get(1).id());
    for (int host = 0; host < 2; host++) {
      run(host, "tc qdisc add dev wire root " + bandwidthFilter(rate));
      run(host, "ip address add " + address(host) + "/24 dev wire");
      run(host, "ip link set wire up");
    }
    awaitCarrier();
  }

  /** A link comes up some time after the command; packets sent before are lost. */
  private void awaitCarrier() throws IOException, InterruptedException {
    long start = System.nanoTime();
    for (int host = 0; host < 2; host++) {
      while (!run(host, "ip -o link show wire").contains("state UP")) {
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new IOException("the link is not up after " + PATIENCE);
        }
      }
    }
  }

  private static String bandwidthFilter(String rate) {
    return "tbf rate " + rate + " burst " + BURST + " latency 400ms";
  }

  private void limitLatency(Duration oneWay) throws IOException, InterruptedException {
    DelayedRelay relay = closedLater(DelayedRelay.open(oneWay));
    for (int host = 0; host < 2; host++) {
      String device = "rf" + ProcessHandle.current().pid() + "n" + CABLES.getAndIncrement();
      int port = relay.address(host).getPort();
      Process cable =
          ExternalProgram.start(
              "starting data transfer loop",
              List.of(
                  "socat",
                  "-d",
                  "-d",
                  "TUN,iff-no-pi,tun-name=" + device,
                  "UDP4:127.0.0.1:" + port + ",rcvbuf=" + DelayedRelay.BUFFER));
      closedLater(() -> cable.destroyForcibly().onExit().join());
      ExternalProgram.run(
          words("ip link set " + device + " netns " + hosts.get(host).id() + " name wire"));
      run(host, "ip address add " + address(host) + "/24 dev wire");
      // A TUN device drops packets it can't queue: the whole window of a sender must fit.
      run(host, "ip link set wire txqueuelen 10000 up");
      // The first packet takes this side of the relay.
      ExternalProgram.run(
          inside(host, List.of("bash", "-c", "echo >/dev/udp/" + address(1 - host) + "/9")));
    }
    relay.awaitBoth(PATIENCE);
  }

  private <T extends Closeable> T closedLater(T part) {
    parts.push(part);
    return part;
  }

  private String run(int host, String command) throws IOException, InterruptedException {
    return ExternalProgram.run(inside(host, words(command)));
  }

  private static List<String> words(String command) {
    return List.of(command.split(" "));
  }

  /** The address of a host (0 or 1) for the other. */
  public String address(int host) {
    return "10.90.0." + (1 + host);
  }

  /** The command that runs a command on a host (0 or 1), in the process that is started. */
  public List<String> inside(int host, List<String> command) {
    return hosts.get(host).inside(command);
  }

  /** Ends all processes on the hosts, and removes what was made for them. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
