package io.ringflow.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;

/** The tool, run inside this process: its exit code and what it wrote, with plain newlines. */
public record CommandResult(int code, String out, String err) {
  public static CommandResult of(Object... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    String[] words = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
    int code = Main.execute(new PrintWriter(out), new PrintWriter(err), words);
    return new CommandResult(code, plain(out), plain(err));
  }

  private static String plain(StringWriter text) {
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  /** All went well, and quietly. */
  public String output() {
    assertThat(err).isEmpty();
    assertThat(code).isZero();
    return out;
  }

  public List<String> lines() {
    return output().lines().toList();
  }

  /** Something failed: one line says what, and nothing else is said. */
  public void fails(String message) {
    assertThat(err).isEqualTo("ringflow: " + message + "\n");
    assertThat(code).isEqualTo(1);
    assertThat(out).isEmpty();
  }

  /** The command line made no sense. */
  public void isMisused(String command, String message) {
    assertThat(err)
        .isEqualTo("ringflow: " + message + " (see 'ringflow " + command + " --help')\n");
    assertThat(code).isEqualTo(2);
    assertThat(out).isEmpty();
  }
}
