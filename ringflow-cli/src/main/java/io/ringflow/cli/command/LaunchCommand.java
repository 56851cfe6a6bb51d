package io.ringflow.cli.command;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringflow launch -n N -- COMMAND}: runs a command as a process group. */
@Command(
    name = "launch",
    description = {
      "Run a command by several processes on this machine, as a process group.",
      "Each computes its shard of every batch, and all have the same model.",
      ""
    },
    customSynopsis = "ringflow launch -n N [--port P] -- COMMAND...",
    sortOptions = false,
    footer = {
      "",
      "Rank 0 writes to the terminal as a single process does. What the others write goes to the error",
      "stream, with [rank 1] or the like in front. When one fails, the others are ended too.",
      "",
      "Each process finds WORLD_SIZE, RANK, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR and MASTER_PORT in",
      "its environment. The cores are divided among the processes by OMP_NUM_THREADS and",
      "OPENBLAS_NUM_THREADS, unless these are set already.",
      "",
      "Exit codes: 0 all processes succeeded, 2 the command line makes no sense, else that of the first",
      "process that failed (1 if a signal killed it).",
      "",
      "Examples:",
      "  ringflow launch -n 2 -- train orders.csv --out orders.model",
      "  ringflow launch -n 4 -- reproduce text8 --data data/text8 --minutes 30"
    })
public final class LaunchCommand implements Callable<Integer> {
  /** The commands that can run as a process group. */
  private static final List<String> COMMANDS = List.of("train", "reproduce", "score", "sample");

  private static final int MAX_PORT = 65_535;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--processes"},
      required = true,
      paramLabel = "N",
      description = "How many processes to start.")
  private int processes;

  @Option(
      names = "--port",
      paramLabel = "P",
      description =
          "The port on which rank 0 listens for the other processes (default: a free one).")
  private Integer port;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "What each process runs: train, reproduce, score or sample, and its options.")
  private List<String> words = List.of();

  /** Options behind the name of the command are the command's, with and without {@code --}. */
  public static CommandLine line() {
    return new CommandLine(new LaunchCommand()).setStopAtPositional(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    var group =
        new GroupLaunch(
            processes,
            port == null ? GroupLaunch.freePort() : port,
            Runtime.getRuntime().availableProcessors(),
            words);
    return ChildProcesses.run(
        processes, group::process, spec.commandLine().getErr(), ChildProcesses.Patience.DEFAULT);
  }

  private void check() {
    if (processes < 1) {
      throw usage("--processes must be at least 1, but is " + processes);
    }
    if (port != null && (port < 1 || port > MAX_PORT)) {
      throw usage("--port must be from 1 to " + MAX_PORT + ", but is " + port);
    }
    String known = String.join(", ", COMMANDS);
    if (words.isEmpty()) {
      throw usage("name a command behind --, one of: " + known);
    }
    if (!COMMANDS.contains(words.get(0))) {
      throw usage("can't launch '" + words.get(0) + "', only: " + known);
    }
    if (System.getenv(GroupLaunch.WORLD_SIZE) != null) {
      throw usage(
          "this is a process of a process group already: " + GroupLaunch.WORLD_SIZE + " is set");
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
