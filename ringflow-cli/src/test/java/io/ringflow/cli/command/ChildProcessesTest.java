package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.cli.command.ChildProcesses.Patience;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Rank 0 is silent in all of these: it would write into the tests' own output. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs sh and signals")
@Timeout(60)
final class ChildProcessesTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  /** Longer than any test may take: a test that waits so long fails. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final String WAIT = "exec sleep 600";

  /** The program that replaces the shell inherits the ignored signal. */
  private static final String STUBBORN = "trap '' TERM; ";

  @TempDir Path folder;

  private final StringWriter err = new StringWriter();

  private List<ProcessHandle> before;

  @BeforeEach
  void listChildren() {
    before = ProcessHandle.current().children().toList();
  }

  @AfterEach
  void noProcessIsLeft() {
    assertThat(ProcessHandle.current().children().filter(child -> !before.contains(child)))
        .isEmpty();
  }

  /** On a busy machine the last output of a process may be seen late. */
  private static Patience patience(Duration failed, Duration terminated, Duration stopped) {
    return new Patience(failed, terminated, stopped, LONG);
  }

  private int run(Patience patience, String... scripts) throws IOException, InterruptedException {
    return run(patience, scripts.length, rank -> shell(scripts[rank]));
  }

  private int run(Patience patience, int count, IntFunction<ProcessBuilder> builders)
      throws IOException, InterruptedException {
    return ChildProcesses.run(count, builders, new PrintWriter(err), patience);
  }

  /** In a folder of its own, so that processes can leave files for each other. */
  private ProcessBuilder shell(String script) {
    return new ProcessBuilder("sh", "-c", script).directory(folder.toFile());
  }

  /** A shell's loop until there is a file. */
  private static String await(String file) {
    return "until [ -e " + file + " ]; do sleep 0.02; done; ";
  }

  private List<String> lines() {
    return err.toString().lines().toList();
  }

  @Test
  void allSucceed() throws Exception {
    assertThat(run(patience(SHORT, SHORT, SHORT), "touch 0", "touch 1", "touch 2")).isZero();
    assertThat(lines()).isEmpty();
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("0", "1", "2");
    }
  }

  @Test
  void aGroupMayHaveOneProcess() throws Exception {
    var patience = patience(LONG, LONG, LONG);
    assertThat(run(patience, "exit 0")).isZero();
    assertThat(run(patience, "exit 5")).isEqualTo(5);
    assertThat(lines()).containsExactly("ringflow: rank 0 failed with exit code 5");
  }

  @Test
  void theFirstFailureIsReportedAtOnceAndPassedOn() throws Exception {
    // Ranks 0 and 1 end only once the line about rank 2 is written.
    var watched =
        new PrintWriter(err) {
          @Override
          public void println(String line) {
            super.println(line);
            if (line.equals("ringflow: rank 2 failed with exit code 3")) {
              touch("told");
            }
          }
        };
    String[] scripts = {await("told") + "exit 0", await("told") + "exit 4", "exit 3"};
    int code =
        ChildProcesses.run(3, rank -> shell(scripts[rank]), watched, patience(LONG, LONG, LONG));
    assertThat(code).isEqualTo(3);
    assertThat(lines()).containsExactly("ringflow: rank 2 failed with exit code 3");
  }

  private void touch(String file) {
    try {
      Files.createFile(folder.resolve(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aProcessThatDoesNotEndByItselfIsTerminated() throws Exception {
    String polite = "trap 'echo bye; exit 0' TERM; touch ready; while :; do sleep 0.02; done";
    long started = System.nanoTime();
    assertThat(run(patience(SHORT, LONG, SHORT), await("ready") + "exit 7", polite)).isEqualTo(7);
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThanOrEqualTo(SHORT);
    assertThat(lines())
        .containsExactly(
            "ringflow: rank 0 failed with exit code 7",
            "ringflow: still running, terminated now: rank 1",
            "[rank 1] bye");
  }

  @Test
  void aProcessThatIgnoresTheSignalIsKilled() throws Exception {
    String[] scripts = {
      STUBBORN + "touch zero; " + WAIT,
      await("zero") + await("two") + "exit 6",
      STUBBORN + "touch two; " + WAIT
    };
    long started = System.nanoTime();
    assertThat(run(patience(SHORT, SHORT, LONG), scripts)).isEqualTo(6);
    assertThat(Duration.ofNanos(System.nanoTime() - started))
        .isGreaterThanOrEqualTo(SHORT.plus(SHORT));
    assertThat(lines())
        .containsExactly(
            "ringflow: rank 1 failed with exit code 6",
            "ringflow: still running, terminated now: rank 0, 2");
  }

  @Test
  void aSignalIsNamed() throws Exception {
    assertThat(run(patience(LONG, LONG, LONG), "exit 0", "exit 0", "kill -KILL $$")).isEqualTo(1);
    assertThat(lines()).containsExactly("ringflow: rank 2 was killed by signal 9 (SIGKILL)");
  }

  @Test
  void linesOfOtherRanksHaveTheirRankInFront() throws Exception {
    String glooLine = "echo '[Gloo] Rank 1 is connected to 2 peer ranks.'; ";
    assertThat(
            run(
                patience(SHORT, SHORT, SHORT),
                "exit 0",
                glooLine + "echo one; echo 'about [Gloo] Rank 1'; printf 'no end'",
                glooLine + "echo >&2; echo two >&2; cat; exit 0"))
        .isZero();
    assertThat(lines())
        .filteredOn(line -> line.startsWith("[rank 1]"))
        .containsExactly("[rank 1] one", "[rank 1] about [Gloo] Rank 1", "[rank 1] no end");
    assertThat(lines())
        .filteredOn(line -> line.startsWith("[rank 2]"))
        .containsExactly("[rank 2] ", "[rank 2] two");
    assertThat(lines()).hasSize(5);
  }

  @Test
  void noLineIsSplitOrLost() throws Exception {
    int count = 2000;
    String both =
        "i=0; while [ $i -lt " + count + " ]; do echo o$i; echo e$i >&2; i=$((i+1)); done";
    assertThat(run(patience(LONG, LONG, LONG), "exit 0", both, both)).isZero();
    for (String rank : List.of("[rank 1] ", "[rank 2] ")) {
      for (String stream : List.of("o", "e")) {
        assertThat(lines().stream().filter(line -> line.startsWith(rank + stream)))
            .containsExactlyElementsOf(
                IntStream.range(0, count).mapToObj(i -> rank + stream + i).toList());
      }
    }
    assertThat(lines()).hasSize(4 * count);
  }

  @Test
  void aFailureIsReportedAfterItsReason() throws Exception {
    assertThat(run(patience(LONG, LONG, LONG), "exit 0", "echo because >&2; exit 9")).isEqualTo(9);
    assertThat(lines())
        .containsExactly("[rank 1] because", "ringflow: rank 1 failed with exit code 9");
  }

  @Test
  void anInterruptIsPassedOn() throws Exception {
    String script =
        "trap 'touch asked%d; exit 0' TERM; touch ready%<d; while :; do sleep 0.02; done";
    try (var running = start(patience(SHORT, SHORT, LONG), script)) {
      running.interrupt();
      assertThat(running.stoppedWithin(LONG)).isTrue();
    }
    assertThat(folder.resolve("asked0")).exists();
    assertThat(folder.resolve("asked1")).exists();
    assertThat(lines()).isEmpty();
  }

  @Test
  void aProcessThatIgnoresTheSignalIsKilledOnInterruptToo() throws Exception {
    try (var running = start(patience(LONG, LONG, SHORT), STUBBORN + "touch ready%d; " + WAIT)) {
      running.interrupt();
      assertThat(running.stoppedWithin(LONG)).isTrue();
    }
  }

  @Test
  void aSecondInterruptDoesNotWait() throws Exception {
    try (var running = start(patience(LONG, LONG, LONG), STUBBORN + "touch ready%d; " + WAIT)) {
      running.interrupt();
      assertThat(running.stoppedWithin(SHORT)).isFalse();
      running.interrupt();
      assertThat(running.stoppedWithin(LONG)).isTrue();
    }
  }

  /** Starts two processes; each creates a file with its rank in the name when it is ready. */
  private Running start(Patience patience, String script) throws InterruptedException {
    var task =
        new FutureTask<Integer>(() -> run(patience, 2, rank -> shell(script.formatted(rank))));
    var running = new Running(task, new Thread(task));
    running.thread().start();
    while (!(Files.exists(folder.resolve("ready0")) && Files.exists(folder.resolve("ready1")))) {
      Thread.sleep(10);
    }
    return running;
  }

  private record Running(FutureTask<Integer> task, Thread thread) implements AutoCloseable {
    void interrupt() {
      thread.interrupt();
    }

    boolean stoppedWithin(Duration time) throws InterruptedException {
      try {
        throw new AssertionError("ended with " + task.get(time.toMillis(), TimeUnit.MILLISECONDS));
      } catch (TimeoutException e) {
        return false;
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(InterruptedException.class);
        return true;
      }
    }

    @Override
    public void close() throws InterruptedException {
      while (thread.isAlive()) {
        thread.interrupt();
        thread.join(100);
      }
    }
  }

  @Test
  void aProcessThatCannotStartEndsTheOthers() {
    assertThatThrownBy(
            () ->
                run(
                    patience(LONG, LONG, LONG),
                    2,
                    rank ->
                        rank == 0
                            ? shell(WAIT)
                            : new ProcessBuilder(folder.resolve("missing").toString())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
  }
}
