package io.ringflow.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumbersTest {
  @ParameterizedTest
  @CsvSource({"0, 0", "999.4, 999", "999.6, 1.0k", "12345, 12.3k", "999960, 1.0M", "NaN, NaN"})
  void counts(double value, String text) {
    assertThat(Numbers.count(value)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0.04, 0.0 s",
    "59.9, 59.9 s",
    "59.97, 1 min 0 s",
    "200, 3 min 20 s",
    "7500, 2 h 5 min"
  })
  void times(double seconds, String text) {
    assertThat(Numbers.time(seconds)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1.2345, bpc, 1.235",
    "12.3456, bpc, 12.346",
    "0.012345, ms, 0.0123",
    "0.999, ms, 0.999",
    "1.2345, ms, 1.23",
    "123.45, ms, 123",
    "12345.6, ms, 12346",
    "-12.34, ms, -12.3",
    "0.0000001, ms, 0.000000",
    "0, ms, 0.000",
    "NaN, ms, NaN",
    "2.5, s, 2.50"
  })
  void aTimeHasThreeDigitsAndOthersThreeDecimals(double value, String unit, String text) {
    assertThat(Numbers.fixed(value, Numbers.decimals(value, unit))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"6.3101, 6.310", "NaN, NaN", "Infinity, Infinity"})
  void metrics(double value, String text) {
    assertThat(Numbers.fixed(value)).isEqualTo(text);
  }
}
