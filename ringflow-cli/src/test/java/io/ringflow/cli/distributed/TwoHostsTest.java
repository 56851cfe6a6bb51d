package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.cli.testing.ExternalProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The test rig has the latency and bandwidth that were asked for, and leaves nothing behind. */
@Timeout(120)
@Tag("slow")
final class TwoHostsTest {
  /** What a busy machine may add to the fastest of five packets. */
  private static final long BUSY_MICROS = 100_000;

  private static final int MEGABYTE = 1_000_000;

  @TempDir Path folder;

  @BeforeEach
  void assumeAvailable() throws InterruptedException {
    TwoHosts.assumeAvailable();
  }

  /** The times of a connection and of five lines to the other host and back, in microseconds. */
  private record Times(long connect, List<Long> there, List<Long> back) {
    /** The other host answers a line with the time; both hosts have the clock of the machine. */
    private static final String ASK =
        """
        ask=${EPOCHREALTIME/./}
        exec 3<>/dev/tcp/$0/7000
        echo $(( ${EPOCHREALTIME/./} - ask ))
        for i in {1..5}; do
          ask=${EPOCHREALTIME/./}
          echo >&3
          read -u 3 answer
          now=${EPOCHREALTIME/./}
          echo $(( answer - ask )) $(( now - answer ))
        done
        """;

    private static final String ANSWER = "while read; do echo ${EPOCHREALTIME/./}; done";

    static Times of(TwoHosts two, Path folder) throws IOException, InterruptedException {
      Path answer = Files.writeString(folder.resolve("answer"), ANSWER);
      serve(two, "EXEC:bash " + answer);
      List<String> ask = List.of("bash", "-c", ASK, two.address(0));
      List<String> lines = ExternalProgram.run(two.inside(1, ask)).lines().toList();
      assertThat(lines).hasSize(6);
      List<String[]> pairs = lines.stream().skip(1).map(line -> line.split(" ")).toList();
      return new Times(
          Long.parseLong(lines.get(0)),
          pairs.stream().map(pair -> Long.parseLong(pair[0])).toList(),
          pairs.stream().map(pair -> Long.parseLong(pair[1])).toList());
    }

    /** All take at least the delay, and the fastest of five not much more. */
    void assertDelayed(Duration oneWay) {
      long delay = oneWay.toNanos() / 1000;
      assertThat(connect).isGreaterThanOrEqualTo(2 * delay);
      assertThat(there).allMatch(time -> time >= delay);
      assertThat(there).anyMatch(time -> time < delay + BUSY_MICROS);
      assertThat(back).allMatch(time -> time >= delay);
      assertThat(back).anyMatch(time -> time < delay + BUSY_MICROS);
    }
  }

  /** Starts a server on the first host. */
  private static void serve(TwoHosts two, String what) throws IOException {
    String listen = "TCP4-LISTEN:7000,fork,bind=" + two.address(0);
    ExternalProgram.start(
        "listening on", two.inside(0, List.of("socat", "-d", "-d", listen, what)));
  }

  /** Sends a megabyte to the first host, which sends it back; returns the seconds it took. */
  private double echoMegabyte(TwoHosts two) throws IOException, InterruptedException {
    byte[] megabyte = new byte[MEGABYTE];
    new Random(1).nextBytes(megabyte);
    Path sent = Files.write(folder.resolve("sent"), megabyte);
    Path back = folder.resolve("back");
    serve(two, "EXEC:cat");
    long start = System.nanoTime();
    Process client =
        new ProcessBuilder(
                two.inside(
                    1, List.of("socat", "-t", "30", "-", "TCP4:" + two.address(0) + ":7000")))
            .redirectInput(sent.toFile())
            .redirectOutput(back.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(client.waitFor()).isZero();
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat(Files.mismatch(sent, back)).isEqualTo(-1);
    return seconds;
  }

  @Test
  void packetsAreDelayedInBothDirections() throws Exception {
    Duration near = Duration.ofMillis(20);
    Duration far = Duration.ofMillis(60);
    try (TwoHosts close = TwoHosts.withDelay(near);
        TwoHosts distant = TwoHosts.withDelay(far)) {
      Times.of(close, folder).assertDelayed(near);
      Times.of(distant, folder).assertDelayed(far);
    }
  }

  @Test
  void aMegabyteIsEchoedWithLatency() throws Exception {
    try (TwoHosts two = TwoHosts.withDelay(Duration.ofMillis(10))) {
      assertThat(echoMegabyte(two)).isGreaterThan(0.02);
    }
  }

  @Test
  void bandwidthIsLimited() throws Exception {
    try (TwoHosts two = TwoHosts.withBandwidth("20mbit")) {
      // Without the headers.
      double least = (MEGABYTE - TwoHosts.BURST) * 8 / 20e6;
      assertThat(echoMegabyte(two)).isGreaterThan(least);
    }
  }

  @Test
  void limitedBandwidthAddsNoLatency() throws Exception {
    try (TwoHosts two = TwoHosts.withBandwidth("1gbit")) {
      Times times = Times.of(two, folder);
      assertThat(times.there()).anyMatch(time -> time < BUSY_MICROS);
      assertThat(times.back()).anyMatch(time -> time < BUSY_MICROS);
    }
  }

  @Test
  void hostsReachOnlyEachOther() throws Exception {
    try (TwoHosts two = TwoHosts.withBandwidth("1gbit")) {
      for (int host = 0; host < 2; host++) {
        assertThat(ExternalProgram.run(two.inside(host, List.of("ip", "-4", "-o", "route"))))
            .isEqualTo("10.90.0.0/24 dev wire proto kernel scope link src " + two.address(host));
      }
    }
  }

  @Test
  void closingLeavesNothingBehind() throws Exception {
    Set<ProcessHandle> before = children();
    Set<ProcessHandle> during;
    try (TwoHosts two = TwoHosts.withDelay(Duration.ofMillis(1))) {
      String forgotten = "sleep 999 & echo asleep; sleep 999";
      ExternalProgram.start("asleep", two.inside(1, List.of("sh", "-c", forgotten)));
      during = children();
    }
    during.removeAll(before);
    assertThat(during).as("two hosts, two cables, a shell that sleeps").hasSizeGreaterThan(5);
    assertThat(during).noneMatch(TwoHostsTest::runs);
    assertThat(links()).doesNotContain(" rf" + ProcessHandle.current().pid());
  }

  @Test
  void aFailureLeavesNothingBehind() throws Exception {
    Set<ProcessHandle> before = children();
    assertThatThrownBy(() -> TwoHosts.withBandwidth("wide"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rate wide");
    assertThat(children()).isEqualTo(before);
  }

  private static Set<ProcessHandle> children() {
    return ProcessHandle.current()
        .descendants()
        .filter(TwoHostsTest::runs)
        .collect(Collectors.toSet());
  }

  /** A process that has ended may stay listed until its parent reads its exit code. */
  private static boolean runs(ProcessHandle process) {
    return process.info().command().isPresent();
  }

  private static String links() throws IOException, InterruptedException {
    return ExternalProgram.run(List.of("ip", "-o", "link"));
  }
}
