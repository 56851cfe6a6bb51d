package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Processes that train together learn what one would, and listen to nobody else. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "sockets are handed over, and seen, by /proc")
@Timeout(120)
final class ProcessGroupTest {
  private static double[] losses;
  private static double[] scores;

  @TempDir Path folder;

  @BeforeAll
  static void trainAlone(@TempDir Path folder) throws Exception {
    try (TrainingGroup one = TrainingGroup.start(GroupPlan.onLoopback(folder, 1))) {
      one.endsWell();
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

  /** While it trains, each listens on its own address alone, and rank 0 where it was told to. */
  private static void assertListens(TrainingGroup group, GroupPlan plan, String... addresses)
      throws IOException, InterruptedException {
    for (GroupProcess process : group.processes()) {
      process.awaitStep(0);
      process.signal("STOP"); // or it might have ended when it is looked at
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
    GroupPlan plan = GroupPlan.onLoopback(folder, 2).dawdling(5);
    try (TrainingGroup group = TrainingGroup.start(plan)) {
      assertListens(group, plan, "127.0.0.1", "127.0.0.1");
      group.endsWell();
    }
    assertLearnedTheSame();
  }

  @Test
  void fourOnOneMachine() throws Exception {
    try (TrainingGroup group = TrainingGroup.start(GroupPlan.onLoopback(folder, 4))) {
      group.endsWell();
    }
    assertLearnedTheSame();
  }

  @Test
  void twoOnHostsFarApart() throws Exception {
    TwoHosts.assumeAvailable();
    try (TwoHosts two = TwoHosts.withDelay(Duration.ofMillis(5))) {
      GroupPlan plan = GroupPlan.onLoopback(folder, 2).at(two.address(0)).dawdling(5);
      try (TrainingGroup group = TrainingGroup.start(plan, two::inside, 0, 1)) {
        assertListens(group, plan, two.address(0), two.address(1));
        group.endsWell();
      }
    }
    assertLearnedTheSame();
  }
}
