package io.ringflow.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BarLineTest {
  @Test
  void fillsTheWidth() {
    String line =
        BarLine.line("ring", 250, 1000, "30.0 s left  2 of 9 trainings, a: 7.020 nats", 80);
    assertThat(line)
        .hasSize(80)
        .isEqualTo(
            "ring 25% [======                  ] 30.0 s left  2 of 9 trainings, a: 7.020 nats");
  }

  @Test
  void nothingToDoIsNotDone() {
    assertThat(BarLine.line("a", 0, 1000, "", 60)).contains("a 0% [");
    assertThat(BarLine.line("a", 0, 0, "", 60)).contains("0%");
  }

  @Test
  void aNarrowTerminalLosesTheBarFirst() {
    String line = BarLine.line("a", 1, 2, "5.0 s left  7.020 nats", 32);
    assertThat(line).hasSize(32).startsWith("a 50% 5.0 s left  7.020 nats").doesNotContain("[");
    assertThat(BarLine.line("a long label", 1, 2, "7.020 nats", 8)).isEqualTo("a long l");
  }
}
