package io.ringflow.cli.command;

import io.ringflow.cli.progress.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * Processes on this machine that work as one: when one fails the others end, and none is left when
 * this process is told to stop.
 *
 * <p>The first, rank 0, speaks for all and has this process's own output and error stream. What the
 * others write goes to the error stream line by line, with their rank in front. None has any input.
 */
final class ChildProcesses {
  /** The native code of every process greets its peers with one such line. */
  private static final String GREETING = "[Gloo] Rank";

  /** For what is written, or dead, already: how long to wait until it has arrived here. */
  private static final Duration MOMENT = Duration.ofMillis(500);

  private final PrintWriter err;
  private final Patience patience;
  private final List<Child> children = new ArrayList<>();
  private final BlockingQueue<Integer> endedRanks = new LinkedBlockingQueue<>();

  private ChildProcesses(PrintWriter err, Patience patience) {
    this.err = err;
    this.patience = patience;
  }

  /**
   * How long to wait for processes that have to end.
   *
   * @param alone after another failed, until they are asked to: they miss their peer and end by
   *     themselves, but may have a file to write first
   * @param asked until they are killed
   * @param stopped the same where this process is told to stop itself; shorter than what {@link
   *     Main} allows its commands
   */
  record Patience(Duration alone, Duration asked, Duration stopped) {
    static final Patience USUAL =
        new Patience(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(8));
  }

  /**
   * A process, its end, and the end of what it writes.
   *
   * @param handle ends the process; {@link Process#destroy} would close the pipes too, and its last
   *     words be lost
   */
  private record Child(
      int rank,
      Process process,
      ProcessHandle handle,
      CompletableFuture<Void> exit,
      CompletableFuture<Void> output) {
    ProcessEnd end() {
      return new ProcessEnd(process.exitValue());
    }
  }

  /**
   * Runs processes until all have ended.
   *
   * @param count how many
   * @param builders makes the process of each rank, from 0; where its input comes from and its
   *     output goes to is set here
   * @param err takes what ranks other than 0 write, and a line about the first failure
   * @param patience how long to wait for those that have to end
   * @return 0, or the exit code of the first that failed; 1 if that was killed by a signal
   * @throws IOException if one can't be started; the others are killed then
   * @throws InterruptedException if the thread is interrupted; the processes were asked to end, and
   *     killed if they did not
   */
  static int run(
      int count, IntFunction<ProcessBuilder> builders, PrintWriter err, Patience patience)
      throws IOException, InterruptedException {
    return new ChildProcesses(err, patience).run(count, builders);
  }

  private int run(int count, IntFunction<ProcessBuilder> builders)
      throws IOException, InterruptedException {
    try {
      for (int rank = 0; rank < count; rank++) {
        start(rank, builders.apply(rank));
      }
      Optional<Child> failed = firstFailure();
      if (failed.isEmpty()) {
        return CommandLine.ExitCode.OK;
      }
      endAfter(failed.get());
      return failed.get().end().code();
    } catch (InterruptedException e) {
      askToEnd();
      haveEndedWithin(patience.stopped());
      throw e;
    } finally {
      kill();
      awaitBriefly(children.stream().map(Child::output).toList());
    }
  }

  private void start(int rank, ProcessBuilder builder) throws IOException {
    builder.redirectInput(Redirect.from(Redirect.DISCARD.file()));
    Redirect output = rank == 0 ? Redirect.INHERIT : Redirect.PIPE;
    Process process = builder.redirectOutput(output).redirectError(output).start();
    children.add(
        new Child(
            rank,
            process,
            process.toHandle(),
            process.onExit().thenRun(() -> endedRanks.add(rank)),
            // Two pipes and not one, or half a line of the one could end up within the other.
            CompletableFuture.allOf(
                passOn(rank, process.getInputStream()), passOn(rank, process.getErrorStream()))));
  }

  /** Of an inherited stream there is nothing to read here. */
  private CompletableFuture<Void> passOn(int rank, InputStream stream) {
    return CompletableFuture.runAsync(
        () -> {
          try (var lines = new BufferedReader(new InputStreamReader(stream, Terminal.charset()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              if (!line.startsWith(GREETING)) {
                say("[rank " + rank + "] " + line);
              }
            }
          } catch (IOException e) {
            // Killed in the middle of a line.
          }
        },
        reading -> {
          var thread = new Thread(reading, "output-of-rank-" + rank);
          thread.setDaemon(true);
          thread.start();
        });
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }

  /** Waits until one fails, or all have ended well. */
  private Optional<Child> firstFailure() throws InterruptedException {
    for (int left = children.size(); left > 0; left--) {
      Child child = children.get(endedRanks.take());
      if (!child.end().good()) {
        return Optional.of(child);
      }
    }
    return Optional.empty();
  }

  private void endAfter(Child failed) throws InterruptedException {
    awaitBriefly(List.of(failed.output())); // it may have said why
    say("ringflow: rank " + failed.rank() + " " + failed.end());
    if (haveEndedWithin(patience.alone())) {
      return;
    }
    String ranks =
        children.stream()
            .filter(child -> child.process().isAlive())
            .map(child -> Integer.toString(child.rank()))
            .collect(Collectors.joining(", "));
    say("ringflow: still running, and ended now: rank " + ranks);
    askToEnd();
    haveEndedWithin(patience.asked());
  }

  private void askToEnd() {
    children.forEach(child -> child.handle().destroy());
  }

  private boolean haveEndedWithin(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    for (Child child : children) {
      if (!child.process().waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return true;
  }

  private void kill() {
    children.forEach(child -> child.handle().destroyForcibly());
    awaitBriefly(children.stream().map(Child::exit).toList());
  }

  /**
   * Not for ever: a process that hangs in a driver outlives even being killed, and a pipe stays
   * open as long as anybody has it.
   */
  private static void awaitBriefly(List<CompletableFuture<Void>> events) {
    CompletableFuture.allOf(events.toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, MOMENT.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }
}
