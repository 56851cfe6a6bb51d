package io.ringflow.cli.command;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ringflow completion}: lets a shell complete commands and options. */
@Command(
    name = "completion",
    description = {"Print a script that lets the shell complete commands and options.", ""},
    sortOptions = false,
    footer = {
      "",
      "Use it in this shell, or put the line in ~/.bashrc or ~/.zshrc:",
      "  source <(ringflow completion)"
    })
final class CompletionCommand extends ToolCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "bash or zsh; one script serves both (default: ${DEFAULT-VALUE}).")
  private String shell;

  @Override
  public Integer call() {
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw usage("SHELL must be bash or zsh, but is '" + shell + "'");
    }
    String script = AutoComplete.bash("ringflow", spec().root().commandLine());
    out().print(script);
    out().flush();
    return CommandLine.ExitCode.OK;
  }
}
