package io.ringflow.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A script of the user's own that measures PyTorch, and tells its figures in lines that a pattern
 * finds.
 *
 * <p>A comparison that can't be had costs nothing of what is measured beside it: where there is no
 * script, no interpreter or no PyTorch, the script is skipped and a line says so; where it fails,
 * the line shows what it printed.
 */
final class PeerScript {
  private static final int SHOWN_LINES = 20;
  private static final Duration CHECK_LIMIT = Duration.ofMinutes(2);

  private final String python;
  private final Path script;
  private final Duration limit;
  private String version; // of PyTorch, once it was asked
  private String unavailable; // why no script is called any more

  /**
   * A script.
   *
   * @param option that names it on the command line
   * @param script null for none
   * @param limit of time, after which it is stopped
   */
  PeerScript(String option, String python, Path script, Duration limit) {
    this.python = python;
    this.script = script;
    this.limit = limit;
    if (script == null) {
      this.unavailable = "there is no " + option + " FILE";
    }
  }

  /**
   * What a script said.
   *
   * @param lines in which the pattern was found
   * @param remark for below a table: what was called, or why there is nothing
   * @param failed if it was called, and should have said more
   */
  record Output(List<String> lines, String remark, boolean failed) {}

  /** Whether there is something to call: a script, and an interpreter with PyTorch. */
  boolean isAvailable() {
    if (unavailable == null && version == null) {
      findPyTorch();
    }
    return unavailable == null;
  }

  /** Calls the script. */
  Output run(Pattern pattern, List<String> arguments) throws IOException {
    if (!isAvailable()) {
      return new Output(List.of(), "peer skipped: " + unavailable, false);
    }
    List<String> command = new ArrayList<>(List.of(python, script.toString()));
    command.addAll(arguments);
    Ended ended = ended(command, limit);
    List<String> found = ended.lines.stream().filter(line -> pattern.matcher(line).find()).toList();
    String name = "`" + script.getFileName() + "`";
    if (ended.status == null && found.isEmpty()) {
      // What hangs once would hang again, as long as it may.
      unavailable = name + " had to be stopped before";
    }
    if (ended.status != null && ended.status == 0 && !found.isEmpty()) {
      return new Output(found, "Peer: " + name + " with PyTorch " + version + ".", false);
    }
    String how =
        ended.status == null
            ? "was stopped after " + limit.toMillis() / 1e3 + " s"
            : "ended with status " + ended.status;
    String what = found.isEmpty() ? " without a line like '" + pattern + "'" : "";
    return new Output(
        found, "peer failed: " + name + " " + how + what + ":\n\n" + fenced(ended.lines), true);
  }

  private void findPyTorch() {
    String question = "import torch; print(torch.__version__)";
    Ended ended;
    try {
      ended = ended(List.of(python, "-c", question), CHECK_LIMIT);
    } catch (IOException e) {
      unavailable = "there is no interpreter '" + name(python) + "'";
      return;
    }
    if (ended.status != null && ended.status == 0 && !ended.lines.isEmpty()) {
      version = ended.lines.get(ended.lines.size() - 1).strip();
    } else {
      String last =
          ended.lines.isEmpty() ? "no answer" : ended.lines.get(ended.lines.size() - 1).strip();
      unavailable = "'" + name(python) + "' has no PyTorch (" + last + ")";
    }
  }

  /** Without the folder, which is of no interest to those who read a page. */
  private static String name(String program) {
    return Path.of(program).getFileName().toString();
  }

  private static String fenced(List<String> lines) {
    int from = Math.max(0, lines.size() - SHOWN_LINES);
    return "```text\n" + String.join("\n", lines.subList(from, lines.size())) + "\n```";
  }

  /**
   * How a program ended.
   *
   * @param status null if it had to be stopped
   */
  private record Ended(List<String> lines, Integer status) {}

  private static Ended ended(List<String> command, Duration limit) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // A path made for the libtorch of this program would lead the peer's PyTorch to it.
    builder.environment().computeIfPresent("LD_LIBRARY_PATH", (name, path) -> peersPath(path));
    Process process = builder.start();
    process.getOutputStream().close();
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    Thread reader = new Thread(() -> read(process, lines), "peer");
    reader.setDaemon(true);
    reader.start();
    try {
      boolean inTime = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (!inTime) {
        stop(process);
      }
      reader.join(TimeUnit.SECONDS.toMillis(5));
      synchronized (lines) {
        return new Ended(List.copyOf(lines), inTime ? process.exitValue() : null);
      }
    } catch (InterruptedException e) {
      stop(process);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while '" + name(command.get(0)) + "' was running", e);
    }
  }

  static String peersPath(String path) {
    return path.contains("org/bytedeco") ? null : path;
  }

  /**
   * With what it has started: a compiler's helpers would keep the device busy, and the pipe open.
   */
  private static void stop(Process process) {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  private static void read(Process process, List<String> lines) {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(its output could not be read: " + e.getMessage() + ")");
    }
  }
}
