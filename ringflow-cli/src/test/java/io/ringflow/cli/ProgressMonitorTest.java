package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.train.TrainingListener;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgressMonitorTest {
  @TempDir Path folder;

  @Test
  void withoutATerminalItPrintsALineEveryTenSeconds() {
    var err = new StringWriter();
    var now = new AtomicLong(1);
    Path metrics = folder.resolve("metrics.jsonl");
    try (var monitor = new ProgressMonitor(new PrintWriter(err), false, now::get, metrics)) {
      TrainingListener listener = monitor.training("a model");
      listener.started(100, 1100);
      for (int second = 1; second <= 25; second++) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        listener.progressed(
            new TrainingListener.Progress(
                100 + second * 10, 1100, 6.4, 0, 0, 0, 1_234_567, second));
      }
    }
    assertThat(err.toString().lines())
        .containsExactly(
            "a model: step 200 of 1100, 6.400 nats, 1.2M rows/s, 1 min 30 s left",
            "a model: step 300 of 1100, 6.400 nats, 1.2M rows/s, 1 min 20 s left");
  }
}
