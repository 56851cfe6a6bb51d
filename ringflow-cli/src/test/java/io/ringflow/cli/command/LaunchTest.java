package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import io.ringflow.cli.distributed.QuickJava;
import io.ringflow.cli.progress.Terminal;
import io.ringflow.cli.testing.CommandResult;
import io.ringflow.cli.testing.Signals;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@Tag("slow")
final class LaunchTest {
  private static final String KNOWN = "train, reproduce, score, sample";

  @TempDir Path folder;

  @Test
  void nonsenseIsAUsageError() {
    misused("Missing required option: '--processes=N'", "--", "train", "x.csv");
    misused("--processes must be at least 1, but is 0", "-n", 0, "--", "train");
    misused("--processes must be at least 1, but is -3", "--processes=-3", "train");
    misused(
        "Invalid value for option '--processes': 'two' is not a whole number",
        "-n",
        "two",
        "--",
        "train");
    misused("name a command behind --, one of: " + KNOWN, "-n", 2);
    misused("name a command behind --, one of: " + KNOWN, "-n", 2, "--");
    misused("can't launch 'inspect', only: " + KNOWN, "-n", 2, "--", "inspect", "m");
    misused("can't launch 'launch', only: " + KNOWN, "-n", 2, "--", "launch", "-n", 2);
    misused("can't launch '--help', only: " + KNOWN, "-n", 2, "--", "--help");
    misused("--port must be from 1 to 65535, but is 0", "-n", 2, "--port", 0, "train");
    misused("--port must be from 1 to 65535, but is 65536", "-n", 2, "--port", 65536, "train");
    misused("Unknown option: '--seed'", "-n", 2, "--seed", "--", "train");
  }

  private static void misused(String message, Object... args) {
    List<Object> words = new ArrayList<>(List.of("launch"));
    words.addAll(List.of(args));
    CommandResult.of(words.toArray()).isMisused("launch", message);
  }

  @Test
  void theMissingNumberIsNotTakenFromTheCommand() {
    misused("Missing required option: '--processes=N'", "sample", "model", "-n", 5);
  }

  @Test
  void everyRankHasItsEnvironment() {
    var group = new GroupLaunch(3, 4711, 8, List.of("train"));
    for (int rank = 0; rank < 3; rank++) {
      Map<String, String> environment = new HashMap<>(Map.of("HOME", "/home", "RANK", "9"));
      group.describe(rank, environment);
      assertThat(environment)
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "HOME", "/home",
                  "WORLD_SIZE", "3",
                  "LOCAL_WORLD_SIZE", "3",
                  "RANK", Integer.toString(rank),
                  "LOCAL_RANK", Integer.toString(rank),
                  "MASTER_ADDR", "127.0.0.1",
                  "MASTER_PORT", "4711",
                  "RINGFLOW_LAUNCH", "launch -n 3 --",
                  "OMP_NUM_THREADS", "2",
                  "OPENBLAS_NUM_THREADS", "2"));
    }
  }

  @Test
  void coresAreDividedUnlessTheUserSetsThreads() {
    assertThat(threads(1, 8, Map.of())).containsExactly("8", "8");
    assertThat(threads(8, 8, Map.of())).containsExactly("1", "1");
    assertThat(threads(9, 8, Map.of())).containsExactly("1", "1");
    assertThat(threads(2, 8, Map.of("OMP_NUM_THREADS", "7"))).containsExactly("7", "4");
    assertThat(threads(2, 8, Map.of("OPENBLAS_NUM_THREADS", "7"))).containsExactly("4", "7");
  }

  private static List<String> threads(int size, int cores, Map<String, String> given) {
    Map<String, String> environment = new HashMap<>(given);
    new GroupLaunch(size, 1, cores, List.of("train")).describe(0, environment);
    return List.of(environment.get("OMP_NUM_THREADS"), environment.get("OPENBLAS_NUM_THREADS"));
  }

  @Test
  void everyProcessHasTheOptionsOfThisOne() {
    List<String> words = List.of("train", "a b.csv", "--out", "@m", "@@n", "");
    List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
    assertThat(flags).contains("-Djava.awt.headless=true");
    var group = new GroupLaunch(2, 4711, 2, words);
    for (int rank = 0; rank < 2; rank++) {
      List<String> expected = new ArrayList<>();
      expected.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      expected.addAll(flags);
      if (rank == 1) {
        expected.add("-Dringflow.terminal=false");
      }
      expected.addAll(List.of("-cp", System.getProperty("java.class.path")));
      expected.addAll(
          List.of("io.ringflow.cli.Main", "train", "a b.csv", "--out", "@@m", "@@@n", ""));
      assertThat(group.process(rank).command()).isEqualTo(expected);
      assertThat(group.process(rank).environment())
          .containsEntry("RANK", Integer.toString(rank))
          .containsEntry("MASTER_PORT", "4711");
    }
  }

  @Test
  void aFreePortCanBeListenedOn() throws IOException {
    int port = GroupLaunch.freePort();
    try (var socket =
        new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      assertThat(socket.getLocalPort()).isEqualTo(port);
    }
  }

  @Test
  void rankZeroPrintsAndOptionsBehindTheDashesAreTheCommands() throws Exception {
    assertThat(launch(Map.of(), "-n", "2", "--", "score", "--help")).as(read("err")).isZero();
    String help = CommandResult.of("score", "--help").output();
    assertThat(read("out")).isEqualTo(help);
    assertThat(read("err").lines())
        .filteredOn(line -> !line.startsWith("Picked up ")) // of Java's own, about its options
        .isEqualTo(help.lines().map(line -> "[rank 1] " + line).toList());
  }

  @Test
  void aFailureOfTheCommandIsPassedOn() throws Exception {
    assertThat(launch(Map.of(), "-n1", "score", "--no-such-option")).isEqualTo(2);
    assertThat(read("out")).isEmpty();
    assertThat(read("err"))
        .contains("(see 'ringflow score --help')\nringflow: rank 0 failed with exit code 2\n");
  }

  @Test
  void aGroupWithinAGroupIsRejected() throws Exception {
    assertThat(launch(Map.of("WORLD_SIZE", "2"), "-n", "2", "--", "train", "x")).isEqualTo(2);
    assertThat(read("err"))
        .endsWith(
            "ringflow: this is a process of a process group already: WORLD_SIZE is set"
                + " (see 'ringflow launch --help')\n");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs signals")
  void ctrlCStopsAllProcesses() throws Exception {
    Path run = folder.resolve("run");
    List<String> command = command("-n", "1", "--", "reproduce", "ring", "--out", run.toString());
    Process process = builder(Signals.interruptible(command)).start();
    try {
      Path metrics = run.resolve("metrics.jsonl.part");
      while (process.isAlive() && !(Files.exists(metrics) && Files.size(metrics) > 0)) {
        Thread.sleep(20);
      }
      List<ProcessHandle> group = process.descendants().toList();
      assertThat(group).as(read("err")).hasSize(1);
      Signals.send("INT", process.pid());

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(128 + 2);
      assertThat(group).noneMatch(ProcessHandle::isAlive);
      assertThat(read("err"))
          .contains(
              "ringflow: stopped; continue with: ringflow launch -n 1 -- reproduce ring --out ")
          .endsWith("ringflow: stopped\n")
          .doesNotContain("was killed");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static List<String> command(String... args) {
    List<String> words = new ArrayList<>(List.of("launch"));
    words.addAll(List.of(args));
    return QuickJava.command(Main.class, words);
  }

  /** A process whose output goes to files. */
  private ProcessBuilder builder(List<String> command) {
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile());
  }

  /** Runs the tool to its end; returns the exit code. */
  private int launch(Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    ProcessBuilder builder = builder(command(args));
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve(file), Terminal.charset())
        .replace(System.lineSeparator(), "\n");
  }
}
