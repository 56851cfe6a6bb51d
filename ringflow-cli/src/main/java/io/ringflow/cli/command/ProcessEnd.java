package io.ringflow.cli.command;

import java.util.Map;
import picocli.CommandLine;

/**
 * How a process ended.
 *
 * @param value what Java calls the exit value: the exit code, or 128 and the number of the signal
 *     that killed the process
 */
record ProcessEnd(int value) {
  private static final int SIGNALLED = 128;

  /** Higher ones are programs' own, and never kill by themselves. */
  private static final int LAST_SIGNAL = 31;

  /** Those that have the same number on every POSIX system. */
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(5, "SIGTRAP"),
          Map.entry(6, "SIGABRT"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"));

  /** Whether all went well. */
  boolean good() {
    return value == CommandLine.ExitCode.OK;
  }

  /** The exit code of a tool whose child ended like this. */
  int code() {
    return signalled() ? CommandLine.ExitCode.SOFTWARE : value;
  }

  private boolean signalled() {
    return value > SIGNALLED && value <= SIGNALLED + LAST_SIGNAL;
  }

  /** What happened to the process, as the rest of a sentence. */
  @Override
  public String toString() {
    if (!signalled()) {
      return good() ? "ended well" : "failed with exit code " + value;
    }
    int signal = value - SIGNALLED;
    String name = NAMES.get(signal);
    return "was killed by signal " + signal + (name == null ? "" : " (" + name + ")");
  }
}
