package io.ringflow.cli.command;

import io.ringflow.cli.report.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** A run that failed or was interrupted, but can be resumed. */
final class StoppedException extends Exception {
  private static final long serialVersionUID = 1;

  private final String command;
  private final String lessMemory;

  private StoppedException(Throwable cause, String command, String lessMemory) {
    super(cause);
    this.command = command;
    this.lessMemory = lessMemory;
  }

  /**
   * A run that continues when the same is typed again with {@code --resume}.
   *
   * @param cause why it stopped
   * @param spec of the command that was typed
   * @param lessMemory what may help where memory was short; empty if nothing does
   */
  static StoppedException resumable(Throwable cause, CommandSpec spec, String lessMemory) {
    return new StoppedException(cause, resuming(spec), lessMemory);
  }

  /** What was typed, with {@code --resume}. */
  static String resuming(CommandSpec spec) {
    List<String> words = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
    if (!words.contains("--resume")) {
      words.add("--resume");
    }
    return words.stream()
        .map(ShellWord::of)
        .collect(Collectors.joining(" ", "ringflow " + GroupLaunch.prefix(), ""));
  }

  /** What to type to continue. */
  String command() {
    return command;
  }

  /** What may help where memory was short; empty if nothing does. */
  String lessMemory() {
    return lessMemory;
  }
}
