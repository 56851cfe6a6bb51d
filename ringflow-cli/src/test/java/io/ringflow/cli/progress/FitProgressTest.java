package io.ringflow.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.train.TrainingListener.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FitProgressTest {
  private long nanos = -20_000_000_000L;

  private static Progress at(long step, double loss, double seconds) {
    return new Progress(step, 1000, loss, 0, 0, 0, 0, seconds);
  }

  @Test
  void aLineEveryTenSecondsTellsHowFarByStepsOrTime() {
    var err = new StringWriter();
    var unit = new LossUnit("bits per character", 2);
    try (var progress =
        new FitProgress(
            new ProgressDisplay(new PrintWriter(err), false, () -> nanos),
            Duration.ofSeconds(100),
            unit)) {
      progress.counting(0, 3_000_000);
      progress.counting(10, 3_000_000);
      nanos = -5_000_000_000L;
      progress.counting(1_000_000, 3_000_000);
      assertThat(progress.began()).isFalse();
      nanos = 0;
      progress.started(40, 1000);
      assertThat(progress.began()).isTrue();
      progress.progressed(at(50, 9, 5));
      nanos = 10_000_000_000L;
      progress.progressed(at(100, 7, 20)); // a tenth of the steps, a fifth of the time
      progress.progressed(at(110, 7, 21));
      nanos = 20_000_000_000L;
      progress.progressed(at(500, 5, 25)); // half of the steps, a quarter of the time
      progress.counting(0, 2_000_000);
      nanos = 30_000_000_000L;
      progress.counting(500_000, 2_000_000);
      nanos = 31_000_000_000L;
      progress.counting(2_000_000, 2_000_000);
    }
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            """
            n-grams counted: 33 %; 30.0 s left
            resumes from step 40
            step 100, 20 % done; 3.500 bits per character; 1 min 20 s left
            step 500, 50 % done; 2.500 bits per character; 25.0 s left
            trained; counts the contexts of 2.0M symbols
            counted 25 %; 30.0 s left
            """);
  }
}
