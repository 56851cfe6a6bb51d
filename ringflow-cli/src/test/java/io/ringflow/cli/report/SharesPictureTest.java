package io.ringflow.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringflow.table.ColumnComparison.Value;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SharesPictureTest {
  private static final Pattern LABEL =
      Pattern.compile("<text class=\"soft end\" x=\"([0-9.]+)\"[^>]*>([0-9.]+ %)</text>");

  /** Wide fonts without serifs take 0.65 of their size for a digit, and labels have 11. */
  private static final double CHARACTER = 0.65 * 11;

  /** Of a hundred bins half a percent is the middle of the axis: the longest label there is. */
  @Test
  void labelsOfTheAxisFitLeftOfIt() {
    List<Value> values =
        IntStream.range(0, 100).mapToObj(i -> new Value("v" + i, 0.0124, 0.0124)).toList();
    List<MatchResult> labels =
        LABEL.matcher(SharesPicture.steps("price", values)).results().toList();
    assertThat(labels).extracting(label -> label.group(2)).contains("0.62 %", "1.2 %", "0 %");
    for (MatchResult label : labels) {
      assertThat(Double.parseDouble(label.group(1)))
          .as(label.group(2))
          .isGreaterThanOrEqualTo(CHARACTER * label.group(2).length());
    }
  }
}
