package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process group learns what a single process would, and listens on no other address. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "sockets are found through /proc")
@Timeout(240)
@Tag("slow")
final class ProcessGroupTest {
  private static double[] losses;
  private static double[] scores;

  @TempDir Path folder;

  @BeforeAll
  static void trainInASingleProcess(@TempDir Path folder) throws Exception {
    try (TrainingGroup one = TrainingGroup.start(GroupPlan.onLoopback(folder, 1))) {
      one.succeeds();
    }
    losses = TrainingGroup.numbers(GroupRun.losses(folder));
    scores = TrainingGroup.numbers(GroupRun.scores(folder));
    assertThat(losses).hasSize(GroupRun.STEPS);
    assertThat(losses[GroupRun.STEPS - 1]).as("something is learned").isLessThan(losses[0] - 1);
    assertThat(scores).isNotEmpty();
  }

  private void assertLearnedTheSame() throws IOException {
    assertThat(TrainingGroup.numbers(GroupRun.losses(folder)))
        .containsExactly(losses, within(1e-5));
    assertThat(TrainingGroup.numbers(GroupRun.scores(folder)))
        .containsExactly(scores, within(1e-4));
  }

  /** During training each process listens on its own address only, and rank 0 on its port. */
  private static void assertListens(TrainingGroup group, GroupPlan plan, String... addresses)
      throws IOException, InterruptedException {
    for (GroupProcess process : group.processes()) {
      process.awaitStep(0);
      process.signal("STOP"); // or it might end before its sockets are listed
    }
    for (GroupProcess process : group.processes()) {
      assertThat(ListeningSockets.of(process.pid()))
          .as("where %s listens", process)
          .isNotEmpty()
          .allMatch(address -> address.startsWith(addresses[process.rank()] + ":"));
    }
    assertThat(ListeningSockets.of(group.processes().get(0).pid()))
        .contains(plan.host() + ":" + plan.port());
    for (GroupProcess process : group.processes()) {
      process.signal("CONT");
    }
  }

  @Test
  void twoOnOneMachine() throws Exception {
    GroupPlan plan = GroupPlan.onLoopback(folder, 2).withDelay(5);
    try (TrainingGroup group = TrainingGroup.start(plan)) {
      assertListens(group, plan, "127.0.0.1", "127.0.0.1");
      group.succeeds();
    }
    assertLearnedTheSame();
  }

  @Test
  void fourOnOneMachine() throws Exception {
    try (TrainingGroup group = TrainingGroup.start(GroupPlan.onLoopback(folder, 4))) {
      group.succeeds();
    }
    assertLearnedTheSame();
  }

  @Test
  void twoOnTwoHosts() throws Exception {
    TwoHosts.assumeAvailable();
    try (TwoHosts two = TwoHosts.withDelay(Duration.ofMillis(5))) {
      GroupPlan plan = GroupPlan.onLoopback(folder, 2).withHost(two.address(0)).withDelay(5);
      try (TrainingGroup group = TrainingGroup.start(plan, two::inside, 0, 1)) {
        assertListens(group, plan, two.address(0), two.address(1));
        group.succeeds();
      }
    }
    assertLearnedTheSame();
  }
}
