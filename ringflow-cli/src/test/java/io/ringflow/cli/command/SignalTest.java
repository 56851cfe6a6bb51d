package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C in the middle of a training: the process ends at once and in order. */
class SignalTest {
  @TempDir Path folder;

  @Test
  void anInterruptEndsTheTrainingAndThenTheProcess() throws Exception {
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/self")), "needs a POSIX kill");
    Path errors = folder.resolve("stderr");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.ringflow.cli.Main",
                "reproduce",
                "ring",
                "--out",
                folder.resolve("run").toString())
            .directory(folder.toFile())
            .redirectError(errors.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      waitForTraining(process);
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(128 + 2);
      assertThat(errors)
          .content()
          .contains("ringflow: stopped; continue with: ringflow reproduce ring --out ")
          .contains(" --resume");
      try (var checkpoints = Files.list(folder.resolve("run").resolve("checkpoints"))) {
        assertThat(checkpoints).isNotEmpty();
      }
      try (var files = Files.list(folder)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .as("no crash report")
            .noneMatch(name -> name.startsWith("hs_err"));
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private void waitForTraining(Process process) throws IOException, InterruptedException {
    Path metrics = folder.resolve("run").resolve("metrics.jsonl.part");
    while (process.isAlive() && !(Files.exists(metrics) && Files.size(metrics) > 500)) {
      Thread.sleep(20);
    }
    assertThat(process.isAlive()).isTrue();
  }
}
