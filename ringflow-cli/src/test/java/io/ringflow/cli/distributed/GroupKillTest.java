package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of a group is killed, any of them at any step: the others end and say why, and the
 * group resumes from its checkpoint to the same bits.
 *
 * <p>{@code -Dringflow.kills=20} kills that often, and prints how long the others took to end;
 * {@code -Dringflow.kills.seed=2} chooses other ranks and steps.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs signals")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
final class GroupKillTest {
  private static final int SIZE = 3;
  private static final Integer WANTED = Integer.getInteger("ringflow.kills");
  private static final long SEED = Long.getLong("ringflow.kills.seed", 3);
  private static final int KILLS = WANTED == null ? 2 : WANTED;

  /** A training is killed, resumed, killed again, and resumed to its end. */
  private static final int KILLS_OF_A_TRAINING = 2;

  /** Far beyond what the others need to end, for a busy machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int DELAY = 5; // milliseconds

  /** A process that is to be killed at a later step may have ended before. */
  private static final int LAST_STEP = GroupRun.STEPS - 30;

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(SEED);

  private final DoubleSummaryStatistics seconds = new DoubleSummaryStatistics();

  @Test
  void afterAKillTheGroupEndsAndResumesToTheSameBits() throws Exception {
    Path calm = Files.createDirectory(folder.resolve("calm"));
    trainToTheEnd(calm);
    List<String> losses = Files.readAllLines(GroupRun.losses(calm));
    assertThat(losses).hasSize(GroupRun.STEPS);

    report("seed " + SEED);
    while (seconds.getCount() < KILLS) {
      Path disturbed = Files.createTempDirectory(folder, "disturbed");
      int step = GroupRun.JOINED;
      for (int i = 0; i < KILLS_OF_A_TRAINING && seconds.getCount() < KILLS; i++) {
        step = random.nextInt(step, LAST_STEP);
        kill(random.nextInt(SIZE), step, disturbed);
      }
      trainToTheEnd(disturbed);
      assertThat(GroupRun.scores(disturbed)).hasSameTextualContentAs(GroupRun.scores(calm));
      List<String> last = Files.readAllLines(GroupRun.losses(disturbed));
      assertThat(losses).endsWith(last.toArray(String[]::new));
    }
    report(
        String.format(
            Locale.ROOT,
            "%d kills, always the same bits in the end; the others had ended after %.3f s on average,"
                + " and %.3f s at most",
            seconds.getCount(),
            seconds.getAverage(),
            seconds.getMax()));
  }

  private static GroupPlan plan(Path folder) throws IOException {
    return GroupPlan.onLoopback(folder, SIZE).withDelay(DELAY);
  }

  private static void trainToTheEnd(Path folder) throws Exception {
    try (TrainingGroup group = TrainingGroup.start(plan(folder))) {
      group.succeeds();
    }
  }

  /** Trains from the last checkpoint until a process is killed at a step, and all have ended. */
  private void kill(int rank, int step, Path folder) throws Exception {
    try (TrainingGroup group = TrainingGroup.start(plan(folder))) {
      GroupProcess victim = group.processes().get(rank);
      victim.awaitStep(step);
      Thread.sleep(random.nextInt(2 * DELAY));
      long start = System.nanoTime();
      victim.signal("KILL");
      assertThat(victim.end(PATIENCE)).isEqualTo(128 + 9);
      for (GroupProcess survivor : group.othersThan(victim)) {
        int code = survivor.end(PATIENCE);
        assertThat(survivor.errors())
            .as("%s, when rank %d is killed at step %d", survivor, rank, step)
            .hasSize(1)
            .allMatch(
                line ->
                    line.matches(
                        "ringflow: " + survivor + " of 3: another process is gone \\(.*\\)"));
        assertThat(code).isEqualTo(1);
      }
      double took = (System.nanoTime() - start) * 1e-9;
      seconds.accept(took);
      report(
          String.format(
              Locale.ROOT,
              "rank %d killed at step %d: the others had ended after %.3f s",
              rank,
              step,
              took));
    }
  }

  private static void report(String line) {
    if (WANTED != null) {
      System.out.println(line);
    }
  }
}
