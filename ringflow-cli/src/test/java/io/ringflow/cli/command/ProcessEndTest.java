package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcessEndTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, succeeded",
    "1, 1, failed with exit code 1",
    "2, 2, failed with exit code 2",
    "128, 128, failed with exit code 128",
    "129, 1, was killed by signal 1 (SIGHUP)",
    "134, 1, was killed by signal 6 (SIGABRT)",
    "135, 1, was killed by signal 7",
    "137, 1, was killed by signal 9 (SIGKILL)",
    "139, 1, was killed by signal 11 (SIGSEGV)",
    "143, 1, was killed by signal 15 (SIGTERM)",
    "159, 1, was killed by signal 31",
    "160, 160, failed with exit code 160",
    "255, 255, failed with exit code 255"
  })
  void isDescribedAndPassedOn(int value, int code, String words) {
    var end = new ProcessEnd(value);
    assertThat(end.code()).isEqualTo(code);
    assertThat(end).hasToString(words);
  }

  @Test
  void onlyZeroIsASuccess() {
    for (int value = 0; value < 256; value++) {
      var end = new ProcessEnd(value);
      assertThat(end.success()).as("%d", value).isEqualTo(value == 0);
      assertThat(end.code() == 0).as("%d", value).isEqualTo(value == 0);
    }
  }
}
