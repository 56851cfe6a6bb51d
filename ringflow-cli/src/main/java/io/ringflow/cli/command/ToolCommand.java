package io.ringflow.cli.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command has: two streams, and a way to refuse a command line that makes no sense. */
abstract class ToolCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  final CommandSpec spec() {
    return spec;
  }

  /** The stream for what the user asked for. */
  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** The stream for progress and remarks. */
  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** A command line that makes no sense, and why. */
  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /**
   * Refuses zero and less.
   *
   * @param value null where the option was not used
   */
  final void requireWithin(String option, int value, int min, int max) {
    if (value < min || value > max) {
      throw usage(option + " must be in " + min + ".." + max + ", but is " + value);
    }
  }

  final void requirePositive(String option, Number value) {
    if (value != null && value.longValue() < 1) {
      throw usage(option + " must be at least 1, but is " + value);
    }
  }
}
