package io.ringflow.cli.distributed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.testing.ExternalProgram;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** One process of a {@link TrainingGroup}. */
final class GroupProcess implements Closeable {
  private final int rank;
  private final Process process;
  private final BufferedReader output; // at most some lines a step, which fit into any pipe
  private final Path errors;

  private GroupProcess(int rank, Process process, Path errors) {
    this.rank = rank;
    this.process = process;
    this.output = process.inputReader(UTF_8);
    this.errors = errors;
  }

  /**
   * Starts it.
   *
   * @param command that of the plan, or one that runs it elsewhere
   */
  static GroupProcess start(GroupPlan plan, int rank, List<String> command) throws IOException {
    Path errors = Files.createTempFile(plan.folder(), "errors", "");
    var builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().putAll(plan.environment(rank));
    return new GroupProcess(rank, builder.start(), errors);
  }

  int rank() {
    return rank;
  }

  long pid() {
    return process.pid();
  }

  /** Lets it join its team. */
  void join() throws IOException {
    await(GroupRun.READY::equals);
    process.outputWriter(UTF_8).append('\n').flush();
  }

  /** Waits until it begins a step, or a later one: it may have gone on from a checkpoint. */
  void awaitStep(int step) throws IOException {
    await(line -> line.matches("-?[0-9]+") && Integer.parseInt(line) >= step);
  }

  private void await(Predicate<String> wanted) throws IOException {
    String line = output.readLine();
    while (line != null && !wanted.test(line)) {
      line = output.readLine();
    }
    if (line == null) {
      throw new AssertionError(this + " ended too early: " + errors());
    }
  }

  /** Sends a signal by its name, such as STOP. */
  void signal(String name) throws IOException, InterruptedException {
    ExternalProgram.run(List.of("kill", "-" + name, Long.toString(pid())));
  }

  /** Waits for its end, and returns the exit code. */
  int end(Duration patience) throws InterruptedException {
    assertThat(process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS))
        .as("%s ends within %s", this, patience)
        .isTrue();
    return process.exitValue();
  }

  /** What it wrote to its error stream, but for Java's own word about options it was given. */
  List<String> errors() throws IOException {
    return Files.readAllLines(errors).stream()
        .filter(line -> !line.startsWith("Picked up "))
        .toList();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public String toString() {
    return "rank " + rank;
  }
}
