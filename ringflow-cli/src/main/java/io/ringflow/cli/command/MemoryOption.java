package io.ringflow.cli.command;

import io.ringflow.compress.CountModel;
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
              + " 256, and less for short files). Decompressing takes as many.")
  private Integer megabytes;

  /** Whether the user chose. */
  boolean used() {
    return megabytes != null;
  }

  /** The chosen or default number of megabytes. */
  int value() {
    if (megabytes == null) {
      return CountModel.DEFAULT_MEGABYTES;
    }
    if (megabytes < 1 || megabytes > MAX || Integer.bitCount(megabytes) != 1) {
      throw new ParameterException(
          command.commandLine(),
          "--memory must be 1, 2, 4, 8, ... or " + MAX + ", but is " + megabytes);
    }
    return megabytes;
  }
}
