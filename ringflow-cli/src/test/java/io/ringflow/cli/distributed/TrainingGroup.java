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

/** Processes that train one model together, none of which outlives the test. */
final class TrainingGroup implements Closeable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<GroupProcess> processes = new ArrayList<>();

  private TrainingGroup() {}

  /** How a rank's command is run where it is to run. */
  @FunctionalInterface
  interface Where {
    List<String> inside(int rank, List<String> command);
  }

  /** Starts all of them on this machine. */
  static TrainingGroup start(GroupPlan plan) throws IOException {
    return start(plan, IntStream.range(0, plan.size()).toArray());
  }

  /** Starts some of them on this machine. */
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

  /** Those that were started, by rank. */
  List<GroupProcess> processes() {
    return processes;
  }

  List<GroupProcess> othersThan(GroupProcess one) {
    return processes.stream().filter(process -> process != one).toList();
  }

  /** All end, and quietly. */
  void endsWell() throws IOException, InterruptedException {
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
