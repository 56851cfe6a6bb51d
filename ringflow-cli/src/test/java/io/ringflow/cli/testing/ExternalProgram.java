package io.ringflow.cli.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A program of this machine, run as a process of its own. */
public final class ExternalProgram {
  private ExternalProgram() {}

  /** Runs a command to its end; one that fails is an exception that carries what it said. */
  public static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
    return said;
  }

  /**
   * Starts a command that keeps running, and returns once it has said that it is ready: whoever
   * then talks to it need not try again and again.
   *
   * @param ready what a line contains, on either output, as soon as the program is ready
   */
  public static Process start(String ready, List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader output = process.inputReader(UTF_8);
    List<String> said = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains(ready)) {
        return process;
      }
      said.add(line);
    }
    process.destroyForcibly();
    throw new IOException(String.join(" ", command) + ": " + String.join("\n", said));
  }
}
