package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where a process of a team hangs, or never came, the others say so and do not wait for ever. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs signals")
@Timeout(120)
final class GroupHangTest {
  /** Beyond the time-out; most of it is for a machine that is busy. */
  private static final Duration SLACK = Duration.ofSeconds(17);

  @TempDir Path folder;

  @Test
  void whoHangsIsNotWaitedForForEver() throws Exception {
    GroupPlan plan = GroupPlan.onLoopback(folder, 3).within(3).dawdling(5);
    try (TrainingGroup group = TrainingGroup.start(plan)) {
      GroupProcess hanging = group.processes().get(1);
      hanging.awaitStep(20);
      hanging.signal("STOP");
      long start = System.nanoTime();
      List<String> lines = new ArrayList<>();
      for (GroupProcess other : group.othersThan(hanging)) {
        assertThat(other.end(SLACK.plusSeconds(3))).isEqualTo(1);
        assertThat(other.errors())
            .hasSize(1)
            .allMatch(line -> line.startsWith("ringflow: " + other + " of 3: another process "));
        lines.addAll(other.errors());
      }
      assertThat(System.nanoTime() - start).isBetween(2_500_000_000L, 20_000_000_000L);
      // Whoever gives up second may see that the first is gone.
      assertThat(lines)
          .anyMatch(
              line ->
                  line.endsWith(
                      "another process did not answer within 3 s, it may hang;"
                          + " RINGFLOW_TIMEOUT sets how long to wait"));
    }
  }

  @Test
  void whoIsMissingIsNamedByAll() throws Exception {
    GroupPlan plan = GroupPlan.onLoopback(folder, 3).within(2);
    try (TrainingGroup group = TrainingGroup.start(plan, 0, 1)) {
      for (GroupProcess process : group.processes()) {
        assertThat(process.end(SLACK.plusSeconds(2))).isEqualTo(1);
        // Whoever gives up second may see that rank 0 is gone.
        assertThat(process.errors())
            .hasSize(1)
            .allMatch(
                line ->
                    line.matches(
                        "ringflow: "
                            + process
                            + " of 3: (not everybody came within 2 s|the store of rank 0 is gone);"
                            + " missing: rank 2"));
      }
      assertThat(group.processes().get(0).errors().get(0)).contains("not everybody came");
    }
  }

  @Test
  void whereRank0CantListenItSaysSoAndWhereNobodyListensToo() throws Exception {
    GroupPlan nobody = GroupPlan.onLoopback(folder, 2).within(2);
    GroupPlan elsewhere = nobody.at("192.0.2.1"); // an address for examples, which nobody has
    try (ServerSocket another = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      GroupPlan taken = nobody.atPort(another.getLocalPort());
      try (GroupProcess first = GroupProcess.start(taken, 0, taken.command());
          GroupProcess second = GroupProcess.start(elsewhere, 0, elsewhere.command());
          GroupProcess third = GroupProcess.start(nobody, 1, nobody.command())) {
        String remedy =
            "; RINGFLOW_LISTEN names an address of this machine, MASTER_PORT a free port";
        assertFails(
            first,
            "rank 0 of 2: the store can't listen on 127.0.0.1:"
                + taken.port()
                + " (Address already in use)"
                + remedy);
        assertFails(
            second,
            "rank 0 of 2: the store can't listen on 192.0.2.1:"
                + elsewhere.port()
                + " (Cannot assign requested address)"
                + remedy);
        assertFails(
            third,
            "rank 1 of 2: can't reach the store of rank 0 at 127.0.0.1:"
                + nobody.port()
                + " within 2 s (Connection refused)");
      }
    }
  }

  private static void assertFails(GroupProcess process, String message)
      throws IOException, InterruptedException {
    process.join();
    assertThat(process.end(SLACK.plusSeconds(2))).isEqualTo(1);
    assertThat(process.errors()).containsExactly("ringflow: " + message);
  }
}
