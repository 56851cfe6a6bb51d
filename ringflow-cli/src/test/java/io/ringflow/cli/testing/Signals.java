package io.ringflow.cli.testing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** POSIX signals, for tests that send them to processes they have started. */
public final class Signals {
  /**
   * Programs that run a command with SIGINT at its default. The first is none: in a terminal SIGINT
   * is at its default already.
   */
  private static final List<List<String>> PREFIXES =
      List.of(
          List.of(),
          List.of("env", "--default-signal=INT"),
          List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec {$ARGV[0]} @ARGV"),
          List.of(
              "python3",
              "-c",
              "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL);"
                  + " os.execvp(sys.argv[1], sys.argv[1:])"));

  private static final int KILLED_BY_INT = 128 + 2;

  private Signals() {}

  /** Sends a signal by its name, such as STOP. */
  public static void send(String name, long pid) throws IOException, InterruptedException {
    ExternalProgram.run(List.of("sh", "-c", "kill -" + name + " " + pid));
  }

  /**
   * The same command, run so that SIGINT ends it. A process inherits an ignored SIGINT, and so does
   * Java; it is ignored in the background of a script, under {@code nohup} and under some build
   * servers. The process that runs the command is the command's own.
   *
   * <p>Skips the test that calls it where SIGINT is ignored and nothing can change that.
   */
  public static List<String> interruptible(List<String> command) throws InterruptedException {
    for (List<String> prefix : PREFIXES) {
      if (dies(join(prefix, List.of("sh", "-c", "kill -INT $$")))) {
        return join(prefix, command);
      }
    }
    return Assumptions.abort("SIGINT is ignored here, and neither env, perl nor python3 resets it");
  }

  private static List<String> join(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private static boolean dies(List<String> command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == KILLED_BY_INT;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }
}
