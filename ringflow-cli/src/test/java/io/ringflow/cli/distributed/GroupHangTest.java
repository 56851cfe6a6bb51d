package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * When a process of a group hangs, or never joins, the others end with an error and exit code 1.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs signals")
@Timeout(240)
@Tag("slow")
final class GroupHangTest {
  /** Far beyond the time-outs, for a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void aProcessThatHangsEndsTheOthers() throws Exception {
    GroupPlan plan = GroupPlan.onLoopback(folder, 3).withTimeout(3).withDelay(5);
    try (TrainingGroup group = TrainingGroup.start(plan)) {
      GroupProcess hanging = group.processes().get(1);
      hanging.awaitStep(20);
      hanging.signal("STOP");
      List<String> lines = new ArrayList<>();
      for (GroupProcess other : group.othersThan(hanging)) {
        assertThat(other.end(PATIENCE)).isEqualTo(1);
        assertThat(other.errors())
            .hasSize(1)
            .allMatch(line -> line.startsWith("ringflow: " + other + " of 3: another process "));
        lines.addAll(other.errors());
      }
      // The second to give up may see that the first is gone.
      assertThat(lines)
          .anyMatch(
              line ->
                  line.endsWith(
                      "another process did not answer within 3 s, it may hang;"
                          + " RINGFLOW_TIMEOUT sets how long to wait"));
    }
  }

  @Test
  void allProcessesNameTheMissingRank() throws Exception {
    GroupPlan plan = GroupPlan.onLoopback(folder, 3).withTimeout(2);
    try (TrainingGroup group = TrainingGroup.start(plan, 0, 1)) {
      for (GroupProcess process : group.processes()) {
        assertThat(process.end(PATIENCE)).isEqualTo(1);
        // The second to give up may see that rank 0 is gone.
        assertThat(process.errors())
            .hasSize(1)
            .allMatch(
                line ->
                    line.matches(
                        "ringflow: "
                            + process
                            + " of 3: (not all processes joined within 2 s"
                            + "|the store of rank 0 is gone); missing: rank 2"));
      }
      assertThat(group.processes().get(0).errors().get(0)).contains("not all processes joined");
    }
  }
}
