package io.ringflow.cli.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The processes of a {@link GroupRun}; closing ends them. */
final class TrainingGroup implements Closeable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<GroupProcess> processes = new ArrayList<>();

  private TrainingGroup() {}

  /** Where a rank runs: changes its command to one that runs it there. */
  @FunctionalInterface
  interface Where {
    List<String> inside(int rank, List<String> command);
  }

  /** Starts all ranks on this machine. */
  static TrainingGroup start(GroupPlan plan) throws IOException {
    return start(plan, IntStream.range(0, plan.size()).toArray());
  }

  /** Starts some ranks on this machine. */
  static TrainingGroup start(GroupPlan plan, int... ranks) throws IOException {
    return start(plan, (rank, command) -> command, ranks);
  }

  static TrainingGroup start(GroupPlan plan, Where where, int... ranks) throws IOException {
    var group = new TrainingGroup();
    try {
      for (int rank : ranks) {
        group.processes.add(GroupProcess.start(plan, rank, where.inside(rank, plan.command())));
      }
      for (GroupProcess process : group.processes) {
        process.join();
      }
      return group;
    } catch (IOException | RuntimeException | Error e) {
      group.close();
      throw e;
    }
  }

  /** The started processes, by rank. */
  List<GroupProcess> processes() {
    return processes;
  }

  List<GroupProcess> othersThan(GroupProcess one) {
    return processes.stream().filter(process -> process != one).toList();
  }

  /** Waits until all processes have ended, with exit code 0 and no error line. */
  void succeeds() throws IOException, InterruptedException {
    for (GroupProcess process : processes) {
      int code = process.end(PATIENCE);
      assertThat(process.errors()).as("errors of %s", process).isEmpty();
      assertThat(code).as("exit code of %s", process).isZero();
    }
  }

  /** The numbers of one of {@link GroupRun}'s files. */
  static double[] numbers(Path file) throws IOException {
    return Files.readAllLines(file).stream().mapToDouble(Double::parseDouble).toArray();
  }

  @Override
  public void close() {
    processes.forEach(GroupProcess::close);
  }
}
