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
 * The processes of a group on this machine: when one fails, the others are ended, and none is left
 * when this process is stopped.
 *
 * <p>Rank 0 inherits the output and error stream of this process. What the other ranks write goes
 * to the error stream line by line, with their rank in front. The input of all ranks is empty.
 */
final class ChildProcesses {
  /** Gloo prints one such line in every process. */
  private static final String GLOO_LINE = "[Gloo] Rank";

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
   * @param failed from the failure of a process until the others are sent SIGTERM: they notice the
   *     loss and end by themselves, but may have a file to write first
   * @param terminated from SIGTERM until they are killed
   * @param stopped the same when this process is stopped; with twice {@code reported}, shorter than
   *     what {@link io.ringflow.cli.Main} allows its commands
   * @param reported from the end of a process until that and the last of its output are seen here
   */
  record Patience(Duration failed, Duration terminated, Duration stopped, Duration reported) {
    static final Patience DEFAULT =
        new Patience(
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(8),
            Duration.ofMillis(500));
  }

  /**
   * A process, its exit, and the end of its output.
   *
   * @param handle used to end the process, because {@link Process#destroy} also closes the pipes
   *     and loses the last lines
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
   * @param count the number of processes
   * @param builders makes the process of each rank, from 0; its input and output are set here
   * @param err takes what ranks other than 0 write, and a line about the first failure
   * @param patience how long to wait for processes that have to end
   * @return 0, or the exit code of the first process that failed; 1 if a signal killed that one
   * @throws IOException if a process can't be started; the others are killed then
   * @throws InterruptedException if the thread is interrupted; the processes were sent SIGTERM, and
   *     killed if they did not end
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
      terminate();
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
            // Two pipes and not one: a line of one stream could else be split by a line of the
            // other.
            CompletableFuture.allOf(
                passOn(rank, process.getInputStream()), passOn(rank, process.getErrorStream()))));
  }

  /** Copies the lines of a process's stream; an inherited stream is empty here. */
  private CompletableFuture<Void> passOn(int rank, InputStream stream) {
    return CompletableFuture.runAsync(
        () -> {
          try (var lines = new BufferedReader(new InputStreamReader(stream, Terminal.charset()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              if (!line.startsWith(GLOO_LINE)) {
                say("[rank " + rank + "] " + line);
              }
            }
          } catch (IOException e) {
            // The process was killed in the middle of a line.
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

  /** Waits until a process fails, or all have succeeded. */
  private Optional<Child> firstFailure() throws InterruptedException {
    for (int left = children.size(); left > 0; left--) {
      Child child = children.get(endedRanks.take());
      if (!child.end().success()) {
        return Optional.of(child);
      }
    }
    return Optional.empty();
  }

  private void endAfter(Child failed) throws InterruptedException {
    awaitBriefly(List.of(failed.output())); // it may have printed why
    say("ringflow: rank " + failed.rank() + " " + failed.end());
    if (haveEndedWithin(patience.failed())) {
      return;
    }
    String ranks =
        children.stream()
            .filter(child -> child.process().isAlive())
            .map(child -> Integer.toString(child.rank()))
            .collect(Collectors.joining(", "));
    say("ringflow: still running, terminated now: rank " + ranks);
    terminate();
    haveEndedWithin(patience.terminated());
  }

  private void terminate() {
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
   * Does not wait for ever: a process that hangs in a driver survives SIGKILL, and a pipe stays
   * open as long as any process has it.
   */
  private void awaitBriefly(List<CompletableFuture<Void>> events) {
    CompletableFuture.allOf(events.toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, patience.reported().toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }
}
