package io.ringflow.cli.command;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
public final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "bash or zsh; one script serves both (default: ${DEFAULT-VALUE}).")
  private String shell;

  @Override
  public Integer call() {
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw new ParameterException(
          spec.commandLine(), "SHELL must be bash or zsh, but is '" + shell + "'");
    }
    String script = AutoComplete.bash("ringflow", spec.root().commandLine());
    spec.commandLine().getOut().print(script);
    spec.commandLine().getOut().flush();
    return CommandLine.ExitCode.OK;
  }
}
