package io.ringflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BarLineTest {
  @Test
  void fillsTheWidthAndTellsTheTimeLeft() {
    String line =
        BarLine.line("1 layer, seed 2", 0, 250, 1000, 10, "7.020 nats, 123.5k rows/s", 80);
    assertThat(line)
        .hasSize(80)
        .startsWith(
            "1 layer, seed 2 25% [====               ] 30.0 s left  7.020 nats, 123.5k rows/s");
  }

  @Test
  void aResumedTrainingKnowsItsOwnSpeed() {
    assertThat(BarLine.line("a", 500, 600, 1000, 10, "", 60)).contains("60%", "40.0 s left");
  }

  @Test
  void beforeTheFirstStepNobodyKnowsTheTimeLeft() {
    assertThat(BarLine.line("a", 0, 0, 1000, 5, "", 60)).contains("a 0% [").doesNotContain("left");
    assertThat(BarLine.line("a", 0, 0, 0, 5, "", 60)).contains("0%");
  }

  @Test
  void aNarrowTerminalLosesTheBarFirst() {
    String line = BarLine.line("a", 0, 1, 2, 5, "7.020 nats", 32);
    assertThat(line).hasSize(32).startsWith("a 50% 5.0 s left  7.020 nats").doesNotContain("[");
    assertThat(BarLine.line("a long label", 0, 1, 2, 5, "7.020 nats", 8)).isEqualTo("a long l");
  }
}
