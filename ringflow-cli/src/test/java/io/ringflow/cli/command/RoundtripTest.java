package io.ringflow.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringflow.cli.Main;
import io.ringflow.core.Device;
import io.ringflow.core.Space;
import io.ringflow.model.FlowModel;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
final class RoundtripTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... args) {
    return Main.execute(new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void aQuickRunFindsNoErrorAndPrintsATable() {
    assertThat(execute("roundtrip", "--quick", "--device", "cpu")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("model", "symbols", "errors", "seconds", "symbols/s", "one move in")
        .containsPattern("bits +\\d\\d,\\d{3} +0 ")
        .containsPattern("total +2\\d\\d,\\d{3} +0 ")
        .contains("Every symbol came back.");
  }

  @ParameterizedTest
  @CsvSource({
    "--symbols, 0, --symbols must be at least 1",
    "--symbols, many, 'many' is not a whole number",
    "--device, tpu, 'must be auto, cpu or cuda'"
  })
  void badOptionsAreUsageErrors(String option, String value, String message) {
    assertThat(execute("roundtrip", option, value)).isEqualTo(2);
    assertThat(err.toString()).startsWith("ringflow: ").contains(message).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void everyWrongSymbolIsCounted() {
    int[][] there = {{1, 2, 3}, {4, 5, 6}};
    assertThat(RoundtripCheck.mismatches(there, new int[][] {{1, 2, 3}, {4, 5, 6}})).isZero();
    assertThat(RoundtripCheck.mismatches(there, new int[][] {{1, 0, 3}, {6, 5, 4}})).isEqualTo(3);
    assertThatThrownBy(() -> RoundtripCheck.mismatches(there, new int[][] {{1, 2, 3}}))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({"12, 12", "-3, -3", "500k, 500000", "10M, 10000000"})
  void wholeNumbers(String text, long value) {
    assertThat(new WholeNumber().convert(text)).isEqualTo(value);
  }

  /** A round trip through maps that ignore their neighbours would prove little. */
  @ParameterizedTest
  @MethodSource("io.ringflow.cli.command.RoundtripModel#all")
  void oneChangedSymbolChangesMany(RoundtripModel stack) {
    Space space = stack.architecture().space();
    int rows = 64;
    var random = new SplittableRandom(1);
    int[][] data = new int[rows][space.size()];
    int[][] changed = new int[rows][];
    int[][] given = new int[stack.architecture().condition().size() == 0 ? 0 : rows][2];
    for (int i = 0; i < rows; i++) {
      Arrays.setAll(data[i], d -> random.nextInt(space.cardinality(d)));
      changed[i] = data[i].clone();
      changed[i][0] = (changed[i][0] + 1) % space.cardinality(0);
    }
    try (FlowModel model = stack.model(Device.CPU, 1)) {
      long differences =
          RoundtripCheck.mismatches(model.encode(data, given), model.encode(changed, given));
      assertThat((double) differences / rows / space.size()).isGreaterThan(0.2);
    }
  }
}
