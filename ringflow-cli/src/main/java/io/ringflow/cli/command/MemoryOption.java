package io.ringflow.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --memory}, the same for every command that counts. */
final class MemoryOption {
  private static final int MAX = 1024;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      description =
          "Megabytes of the table that contexts are counted in: 1, 2, 4, 8, ... or 1024 (default:"
              + " 256, less for short files, and more for training texts from 32 MB on)."
              + " Decompressing takes as many.")
  private Integer megabytes;

  /** Whether the user chose. */
  boolean used() {
    return megabytes != null;
  }

  /** The chosen number of megabytes, or another where nothing was chosen. */
  int orElse(int other) {
    if (megabytes == null) {
      return other;
    }
    if (megabytes < 1 || megabytes > MAX || Integer.bitCount(megabytes) != 1) {
      throw new ParameterException(
          command.commandLine(),
          "--memory must be 1, 2, 4, 8, ... or " + MAX + ", but is " + megabytes);
    }
    return megabytes;
  }
}
