package io.ringflow.cli.command;

import picocli.CommandLine.Option;

/** The option {@code --seed}, the same for every command that makes random choices. */
final class SeedOption {
  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Where random choices begin: the same seed and options give the same result"
              + " (default: ${DEFAULT-VALUE}).")
  private long seed;

  long value() {
    return seed;
  }
}
