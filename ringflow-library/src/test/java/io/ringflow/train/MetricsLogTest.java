package io.ringflow.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ringflow.train.TrainingListener.Evaluation;
import io.ringflow.train.TrainingListener.Progress;
import io.ringflow.train.TrainingListener.StopReason;
import io.ringflow.train.TrainingListener.TrainingReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsLogTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("metrics.jsonl");
  }

  private static Progress progress(long step, double loss) {
    return new Progress(step, 100, loss, 1e-3, 0.1, 1, 1000, 2);
  }

  private static void train(MetricsLog log, int from, int to) {
    for (int step = from + 10; step <= to; step += 10) {
      log.progressed(progress(step, 3.5));
      log.evaluated(new Evaluation(step, 4.5, true, false));
    }
  }

  private static void finish(MetricsLog log, StopReason reason) {
    log.finished(new TrainingReport(100, 12, 3.5, OptionalDouble.of(4.5), reason));
  }

  @Test
  void aResumedLogIsThatOfAnUndisturbedRun() throws IOException {
    MetricsLog log = new MetricsLog(file);
    log.started(0, 100);
    train(log, 0, 100);
    finish(log, StopReason.COMPLETED);
    String undisturbed = Files.readString(file);

    log.started(0, 100);
    train(log, 0, 70);
    Files.writeString(file, "{\"event\":\"progr", StandardOpenOption.APPEND);
    log.started(40, 100);
    train(log, 40, 60);
    finish(log, StopReason.INTERRUPTED);
    log.started(60, 100);
    train(log, 60, 100);
    finish(log, StopReason.COMPLETED);
    assertThat(Files.readString(file)).isEqualTo(undisturbed);

    // Killed after its end: the last checkpoint is that of the last step.
    log.started(100, 100);
    finish(log, StopReason.COMPLETED);
    assertThat(Files.readString(file)).isEqualTo(undisturbed);
  }

  @Test
  void trainingsThatShareAFileLeaveEachOthersLinesAlone() throws IOException {
    MetricsLog one = new MetricsLog(file, "one");
    MetricsLog two = new MetricsLog(file, "two");
    one.started(0, 100);
    train(one, 0, 20);
    two.started(0, 100);
    train(two, 0, 20);
    two.started(10, 100);
    assertThat(Files.readAllLines(file)).hasSize(5 + 3);
    one.started(0, 100);
    assertThat(Files.readAllLines(file)).hasSize(3 + 1).last().asString().contains("\"one\"");
  }

  @Test
  void whatJsonDoesNotKnowIsNull() throws IOException {
    MetricsLog log = new MetricsLog(file);
    log.progressed(progress(10, Double.NaN));
    log.evaluated(new Evaluation(10, Double.POSITIVE_INFINITY, false, false));
    for (String line : Files.readAllLines(file)) {
      assertThat(new ObjectMapper().readTree(line).get("loss").isNull()).isTrue();
    }
  }

  @Test
  void anotherFileIsNotTouched() throws IOException {
    Files.writeString(file, "dear diary\n");
    assertThatThrownBy(() -> new MetricsLog(file).started(0, 100))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("not a log of metrics");
    assertThat(Files.readString(file)).isEqualTo("dear diary\n");
  }

  @Test
  void anInterruptedThreadStillLogs() throws IOException {
    Thread.currentThread().interrupt();
    try {
      new MetricsLog(file).progressed(progress(10, 1));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(Files.readAllLines(file)).hasSize(1);
  }

  @Test
  void trainingsSideBySideLoseNoLine() throws Exception {
    Thread other =
        new Thread(
            () -> {
              for (int time = 0; time < 50; time++) {
                train(new MetricsLog(file, "appends"), 0, 100);
              }
            });
    other.start();
    MetricsLog cuts = new MetricsLog(file, "cuts");
    for (int time = 0; time < 50; time++) {
      cuts.started(0, 100); // writes the whole file anew
      train(cuts, 0, 20);
    }
    other.join();

    String text = Files.readString(file);
    assertThat(text.lines().filter(line -> line.contains("\"appends\""))).hasSize(50 * 20);
    assertThat(text.lines().filter(line -> line.contains("\"cuts\""))).hasSize(1 + 4);
  }
}
