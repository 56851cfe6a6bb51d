package io.ringflow.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.infer.InferenceListener.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class InferenceProgressTest {
  private long nanos;

  @Test
  void aLineEveryTenSecondsTellsHowFarAndHowNear() {
    var err = new StringWriter();
    try (var progress =
        new InferenceProgress(new ProgressDisplay(new PrintWriter(err), false, () -> nanos))) {
      progress.progressed(new Progress(20, 0.1, 5, -9, 0.01));
      nanos = 10_000_000_000L;
      progress.progressed(new Progress(100, 0.2, 12, Double.NaN, 0));
      progress.progressed(new Progress(120, 0.25, 15, -3, 0.5));
      nanos = 20_000_000_000L;
      progress.progressed(new Progress(200, 0.4, 24, -2.1234, 0.8765));
    }
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            """
            step 100, 20 % done; no possible state found yet; 48.0 s left
            step 200, 40 % done; bound -2.123, ESS/M 0.877; 36.0 s left
            """);
  }
}
