package io.ringflow.cli.command;

import java.util.Map;
import picocli.CommandLine;

/**
 * How a process ended.
 *
 * @param value as {@link Process#exitValue} returns it: the exit code, or 128 plus the number of
 *     the signal that killed the process
 */
record ProcessEnd(int value) {
  private static final int SIGNALLED = 128;

  /** The signals above are real-time signals, which only programs send each other. */
  private static final int MAX_SIGNAL = 31;

  /** The signals that have the same number on every POSIX system. */
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

  /** Whether the exit code is 0. */
  boolean success() {
    return value == CommandLine.ExitCode.OK;
  }

  /** The exit code of a tool whose child process ended like this. */
  int code() {
    return signalled() ? CommandLine.ExitCode.SOFTWARE : value;
  }

  private boolean signalled() {
    return value > SIGNALLED && value <= SIGNALLED + MAX_SIGNAL;
  }

  /** What happened to the process, as a sentence without its subject. */
  @Override
  public String toString() {
    if (!signalled()) {
      return success() ? "succeeded" : "failed with exit code " + value;
    }
    int signal = value - SIGNALLED;
    String name = NAMES.get(signal);
    return "was killed by signal " + signal + (name == null ? "" : " (" + name + ")");
  }
}
