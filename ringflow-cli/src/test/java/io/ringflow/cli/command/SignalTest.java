package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.cli.Main;
import io.ringflow.cli.distributed.QuickJava;
import io.ringflow.cli.testing.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C during a training: the training stops with a checkpoint, and then the process ends. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs signals")
@Timeout(120)
@Tag("slow")
final class SignalTest {
  @TempDir Path folder;

  @Test
  void anInterruptEndsTheTrainingAndThenTheProcess() throws Exception {
    Path errors = folder.resolve("stderr");
    List<String> command =
        QuickJava.command(
            Main.class, List.of("reproduce", "ring", "--out", folder.resolve("run").toString()));
    Process process =
        new ProcessBuilder(Signals.interruptible(command))
            .directory(folder.toFile())
            .redirectError(errors.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      waitForTraining(process);
      Signals.send("INT", process.pid());

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
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
